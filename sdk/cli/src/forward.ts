import { createHmac, randomBytes } from 'node:crypto';
import type { WebhookEventEntry } from '../../typescript/src/index.ts';
import { causeOf, UsageError } from './faults.ts';

/** As long as the service waits for a receiver. */
const TIMEOUT_MS = 10_000;

/** The secret that signs forwarded events. It is valid for this command only. */
export const newLocalSecret = (): string => `whsec_${randomBytes(32).toString('base64url')}`;

export const receiverOf = (text: string): URL => {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !['http:', 'https:'].includes(url.protocol))
    throw new UsageError(`--forward-to must be an http or https URL: ${text}`);
  return url;
};

/** An event with its number in the stream. */
export interface SequencedEvent {
  readonly event: WebhookEventEntry;
  readonly sequence: number;
}

/** What a receiver gets in one request. */
export interface Forwarded {
  readonly events: readonly SequencedEvent[];
  /** Whether the body is a list, as for an endpoint with `max_batch_size` above 1. Otherwise there is one event. */
  readonly isBatch: boolean;
  /** Epoch milliseconds. */
  readonly at: number;
}

const envelopeOf = ({ event, sequence }: SequencedEvent) => {
  const { id, type, created_at, tenant_id, data, interpretation } = event;
  return { id, type, created_at, tenant_id, sequence, data, interpretation };
};

/**
 * Sends events as the service does: the same body, and `Service-Signature` over it. Returns the status, or why there is
 * none. Redirects are not followed.
 */
export const forward = async (
  url: URL,
  secret: string,
  { events, isBatch, at }: Forwarded,
  signal: AbortSignal,
): Promise<number | string> => {
  const envelopes = events.map(envelopeOf);
  const body = JSON.stringify(isBatch ? { events: envelopes } : envelopes[0]);
  const seconds = Math.floor(at / 1_000);
  const signature = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex');
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'service-signature': `t=${seconds},v1=${signature}` },
      body,
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    });
    await response.body?.cancel();
    return response.status;
  } catch (error) {
    signal.throwIfAborted();
    return causeOf(error);
  }
};
