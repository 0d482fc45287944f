import { randomBytes } from 'node:crypto';
import { KeySchedule } from '../../../schemas/platform/keySchedule.ts';
import { type KeySet, tokenSigner } from '../../identity/access/tokens/signingKey.aws.ts';
import { responseStore } from '../../platform/idempotency/response.store.ts';
import { derivedKey } from '../../platform/shared/aws/derivedKey.aws.ts';
import { type Environment, once } from './provider.ts';

export const signingSign = (schedule: string, { clock }: Environment) => ({
  signer: tokenSigner(KeySchedule.parse(schedule), clock),
});
/** One for the pipeline and the operations, because it holds the public keys. */
const keysIn = /* @__PURE__ */ once(
  ({ resourceOf, clock }): KeySet => tokenSigner(KeySchedule.parse(resourceOf('signing.verify')), clock),
);
export const signingVerify = (_: string, environment: Environment) => ({ keys: keysIn(environment) });
/** Authenticates pagination cursors. */
export const cursorDerive = (key: string) => ({ cursorKey: derivedKey(key, 'cursor 1') });

export const idempotencyStore = (table: string, environment: Environment) => ({
  responses: {
    store: responseStore(table),
    sealing: derivedKey(environment.resourceOf('sealing.derive'), 'stored response 1'),
    random: randomBytes,
  },
});

/** Encrypts the signing secrets and challenges of endpoints (`webhooks/endpoints/seal.ts`) and chat URLs. */
export const endpointDerive = (key: string) => ({
  endpointKey: derivedKey(key, 'webhook endpoint 1'),
});
