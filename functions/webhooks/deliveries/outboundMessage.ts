import type { OutboundMessage } from '../../egress/httpsPost.ts';
import type { StoredEndpoint } from '../endpoints/endpoint.store.ts';
import { unsealChallenge, unsealSecrets } from '../endpoints/seal.ts';
import { liveSecrets, SIGNATURE_HEADER, signatureOf } from '../endpoints/signature.ts';
import type { Deliverable } from '../streams/envelope.ts';
import { serializeEnvelope } from '../streams/envelope.ts';
import type { StoredEntry } from '../streams/stream.store.ts';

/** Whether an endpoint is sent entries of a kind as it stands: one that proves itself its challenge, and nothing else. */
export const canReceive = ({ state }: StoredEndpoint, { kind }: Pick<StoredEntry, 'kind'>): boolean =>
  state.status === (kind === 'verification' ? 'pending' : 'verified');

/** The event of an entry as it is sent; null for a challenge that is open no more. */
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
 * What is posted at `now` (epoch milliseconds): the bytes of the event, the same at every attempt, signed anew with every
 * secret that verifies now. `key` opens the endpoint's seals. Null where there is nothing to say any more.
 */
export const toOutboundMessage = (
  entry: StoredEntry,
  endpoint: StoredEndpoint,
  { key, now }: { readonly key: Uint8Array; readonly now: number },
): OutboundMessage | null => {
  const event = eventOf(entry, endpoint, key);
  if (event === null) return null;
  const body = serializeEnvelope(event, entry);
  return {
    body,
    headers: {
      'content-type': 'application/json',
      'user-agent': 'attribution-webhooks/1',
      [SIGNATURE_HEADER]: signatureOf(body, liveSecrets(unsealSecrets(endpoint, key), now), now),
    },
  };
};
