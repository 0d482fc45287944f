import type { OutboundMessage } from '../../../../platform/egress/httpsRequest.ts';
import { isOpenedAt } from '../../endpoints/challenge.ts';
import type { StoredEndpoint } from '../../endpoints/endpoint.store.ts';
import { unsealChallenge, unsealSecrets } from '../../endpoints/seal.ts';
import { liveSecrets, SIGNATURE_HEADER, signatureOf } from '../../endpoints/signature.ts';
import type { Deliverable } from '../../streams/envelope.ts';
import { serializeEnvelope } from '../../streams/envelope.ts';
import type { StoredEntry } from '../../streams/stream.store.ts';

/** Whether an endpoint in its current state receives an entry. A pending endpoint receives only its open challenge. */
export const canReceive = (
  { state }: StoredEndpoint,
  { kind, event }: Pick<StoredEntry, 'kind' | 'event'>,
): boolean =>
  kind === 'verification'
    ? state.status === 'pending' && isOpenedAt(state.challenge, Date.parse(event.created_at))
    : state.status === 'verified';

/** The event of an entry as it is sent. Null for a challenge that is no longer open. */
const eventOf = (
  { kind, event }: StoredEntry,
  endpoint: StoredEndpoint,
  key: Uint8Array,
): Deliverable | null => {
  if (kind !== 'verification') return event;
  const challenge = unsealChallenge(endpoint, key);
  return challenge === null ? null : { ...event, data: { challenge } };
};

/**
 * The bytes of one event, the same at every attempt. `key` decrypts the sealed values of the endpoint. Null when the entry
 * is a challenge that is no longer open.
 */
export const envelopeOf = (
  entry: StoredEntry,
  endpoint: StoredEndpoint,
  key: Uint8Array,
): Uint8Array | null => {
  const event = eventOf(entry, endpoint, key);
  return event === null ? null : serializeEnvelope(event, entry);
};

/** The message that is posted at `now` (epoch milliseconds), signed with every secret that is valid then. */
export const toOutboundMessage = (
  body: Uint8Array,
  endpoint: StoredEndpoint,
  { key, now }: { readonly key: Uint8Array; readonly now: number },
): OutboundMessage => ({
  body,
  headers: {
    'content-type': 'application/json',
    'user-agent': 'attribution-webhooks/1',
    [SIGNATURE_HEADER]: signatureOf(body, liveSecrets(unsealSecrets(endpoint, key), now), now),
  },
});
