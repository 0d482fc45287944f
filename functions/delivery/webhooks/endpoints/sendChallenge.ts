import type { RaisedEvent } from '../../../../schemas/delivery/events.ts';
import { VERIFICATION_EVENT } from '../../../../schemas/delivery/webhooks.ts';
import type { Random } from '../../../identity/access/principals/secret.ts';
import type { Revision } from '../../../platform/shared/aws/document.store.ts';
import { deterministicUlid, idOf } from '../../../platform/shared/ids.ts';
import { toIso } from '../../../platform/shared/time/toIso.ts';
import type { Caller } from '../../../platform/tenancy/caller.ts';
import type { Publisher } from '../streams/publish.ts';
import { isOpenedAt, newChallenge, type OpenChallenge } from './challenge.ts';
import type { StoredEndpoint } from './endpoint.store.ts';
import { sealChallenge } from './seal.ts';

/** A challenge as an endpoint stores it: `open` verifies the answer, and `sealed` is the encrypted challenge to send. */
export interface SealedChallenge {
  readonly open: OpenChallenge;
  readonly sealed: string;
}

/** A new challenge for an endpoint. `at` is epoch milliseconds. The expiry depends only on `at`. */
export const createChallenge = (
  endpointId: string,
  { key, random, at }: { readonly key: Uint8Array; readonly random: Random; readonly at: number },
): SealedChallenge => {
  const { challenge, open } = newChallenge(random, at);
  return { open, sealed: sealChallenge(challenge, endpointId, key, random) };
};

/**
 * Publishes the challenge of an endpoint if the call that wrote it has opened the challenge. The event id is derived from
 * the call, so a retry publishes it once. The event is stored without the challenge, which is added when the event is sent.
 * Its `created_at` is the time of the challenge, so that the event is dropped once a later challenge is open.
 */
export const sendChallenge = async (
  publisher: Publisher,
  endpoint: StoredEndpoint,
  call: { readonly caller: Pick<Caller, 'tenant'>; readonly claim: Revision; readonly receivedAt: number },
): Promise<void> => {
  const { claim, receivedAt } = call;
  const { tenant } = call.caller;
  const { state } = endpoint;
  if (state.status !== 'pending' || !isOpenedAt(state.challenge, receivedAt)) return;
  const event: RaisedEvent = {
    id: idOf('evt', tenant.tag, deterministicUlid(VERIFICATION_EVENT, claim.claim, receivedAt)),
    type: VERIFICATION_EVENT,
    created_at: toIso(receivedAt),
    tenant_id: tenant.tenant_id,
    data: {},
  };
  await publisher.publishTo(endpoint, [event], { kind: 'verification' });
};
