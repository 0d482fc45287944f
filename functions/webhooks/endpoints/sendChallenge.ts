import type { RaisedEvent } from '../../../schemas/events.ts';
import { VERIFICATION_EVENT } from '../../../schemas/webhooks.ts';
import type { Random } from '../../access/secret.ts';
import type { Revision } from '../../shared/aws/document.store.ts';
import { deterministicUlid, idOf } from '../../shared/ids.ts';
import type { Tenant } from '../../tenancy/tenant.ts';
import type { Publisher } from '../streams/publish.ts';
import { newChallenge, type OpenChallenge } from './challenge.ts';
import type { StoredEndpoint } from './endpoint.store.ts';
import { sealChallenge } from './seal.ts';

/** A challenge as an endpoint keeps it: how its answer is judged, and what is sent. */
export interface SealedChallenge {
  readonly open: OpenChallenge;
  readonly sealed: string;
}

/** A new challenge for an endpoint. `at` is epoch milliseconds; the same instant gives the same end. */
export const createChallenge = (
  endpointId: string,
  { key, random, at }: { readonly key: Uint8Array; readonly random: Random; readonly at: number },
): SealedChallenge => {
  const { challenge, open } = newChallenge(random, at);
  return { open, sealed: sealChallenge(challenge, endpointId, key, random) };
};

/** Whether the challenge that is open was opened by the call that made this one, by another attempt of it perhaps. */
const isOpenedBy = ({ state }: StoredEndpoint, { open }: SealedChallenge): boolean =>
  state.status === 'pending' && state.challenge.valid_until === open.valid_until;

/**
 * Sends the challenge of an endpoint, where this call has opened one. The event is the call's, so a retry sends it once;
 * the challenge itself is put in when it is sent.
 */
export const sendChallenge = async (
  publisher: Publisher,
  endpoint: StoredEndpoint,
  fresh: SealedChallenge,
  call: { readonly tenant: Tenant; readonly claim: Revision; readonly receivedAt: number },
): Promise<void> => {
  if (!isOpenedBy(endpoint, fresh)) return;
  const { tenant, claim, receivedAt } = call;
  const event: RaisedEvent = {
    id: idOf('evt', tenant.tag, deterministicUlid(VERIFICATION_EVENT, claim.claim, receivedAt)),
    type: VERIFICATION_EVENT,
    created_at: new Date(receivedAt).toISOString(),
    tenant_id: tenant.tenant_id,
    data: {},
  };
  await publisher.publishTo(endpoint, [event], { kind: 'verification' });
};
