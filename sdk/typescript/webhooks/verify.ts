import type { WebhookEvent } from './event.ts';

/**
 * Reason why a delivery failed verification. `invalid_secret` and `invalid_tolerance` are faults of the configuration of the
 * receiver: no delivery can be verified until it is corrected.
 */
export type RejectedDelivery =
  | 'malformed_header'
  | 'outside_tolerance'
  | 'no_match'
  | 'malformed_body'
  | 'invalid_secret'
  | 'invalid_tolerance';

export class WebhookVerificationError extends Error {
  readonly reason: RejectedDelivery;

  constructor(reason: RejectedDelivery) {
    super(`The webhook delivery was rejected: ${reason}`);
    this.name = 'WebhookVerificationError';
    this.reason = reason;
  }
}

export interface Delivery {
  /** The unmodified request body, as bytes or text. Do not parse and serialize it again. */
  readonly body: Uint8Array | string;
  /** The value of the `Service-Signature` header. */
  readonly signature: string | null | undefined;
}

export interface VerifyOptions {
  /** The signing secret (`whsec_…`), or several during a secret rotation. Each has at least 24 characters. */
  readonly secrets: string | readonly string[];
  /** Maximum difference between the signature time and now, in either direction. Finite and not negative. Default: 300. */
  readonly toleranceSeconds?: number;
  /** Current time in epoch milliseconds. Default: `Date.now`. */
  readonly now?: () => number;
}

const TOLERANCE_SECONDS = 300;
/** An empty or guessable secret would verify forged deliveries. The service issues 49 characters. */
const SECRET_CHARACTERS_MINIMUM = 24;
/** A header has two signatures during a rotation. The limit bounds the verification time for forged headers. */
const SIGNATURES_MAXIMUM = 8;
const HEADER_LENGTH_MAXIMUM = 1_024;

interface SignatureHeader {
  readonly seconds: string;
  readonly signatures: readonly Uint8Array<ArrayBuffer>[];
}

const hexToBytes = (hex: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from({ length: hex.length / 2 }, (_, index) =>
    Number.parseInt(hex.slice(index * 2, index * 2 + 2), 16),
  );

/** Null unless the header has exactly one `t` and at least one `v1`. Ignores unknown schemes. */
const parseHeader = (header: string): SignatureHeader | null => {
  if (header.length > HEADER_LENGTH_MAXIMUM) return null;
  const parts = header.split(',').map((part) => part.trim());
  const valuesOf = (name: string) =>
    parts.filter((part) => part.startsWith(`${name}=`)).map((part) => part.slice(name.length + 1));
  const [seconds = '', ...otherTimes] = valuesOf('t');
  const signatures = valuesOf('v1');
  const isValid =
    /^\d{1,12}$/.test(seconds) &&
    otherTimes.length === 0 &&
    signatures.length > 0 &&
    signatures.length <= SIGNATURES_MAXIMUM &&
    signatures.every((signature) => /^[0-9a-f]{64}$/.test(signature));
  return isValid ? { seconds, signatures: signatures.map(hexToBytes) } : null;
};

const toBytes = (body: Delivery['body']): Uint8Array =>
  typeof body === 'string' ? new TextEncoder().encode(body) : body;

/** The signed bytes: `<t>.<body>` with the unmodified body. */
const signedBytes = (seconds: string, body: Uint8Array): Uint8Array<ArrayBuffer> => {
  const prefix = new TextEncoder().encode(`${seconds}.`);
  const bytes = new Uint8Array(prefix.length + body.length);
  bytes.set(prefix);
  bytes.set(body, prefix.length);
  return bytes;
};

/** Web Crypto compares in constant time. Tests every pair, so that timing does not reveal which one matched. */
const hasMatchingSignature = async (
  secrets: readonly string[],
  signatures: SignatureHeader['signatures'],
  bytes: Uint8Array<ArrayBuffer>,
): Promise<boolean> => {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const results = secrets.map(async (secret) => {
    const key = await crypto.subtle.importKey('raw', new TextEncoder().encode(secret), algorithm, false, [
      'verify',
    ]);
    return await Promise.all(
      signatures.map((signature) => crypto.subtle.verify('HMAC', key, signature, bytes)),
    );
  });
  return (await Promise.all(results)).flat().includes(true);
};

const parseBody = (body: Uint8Array): unknown => {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    throw new WebhookVerificationError('malformed_body');
  }
};

const isEvent = (value: unknown): value is WebhookEvent =>
  typeof value === 'object' && value !== null && 'type' in value;

/** The events of either body: one event, or `{"events": […]}`. */
const eventsOf = (body: unknown): readonly WebhookEvent[] => {
  if (isEvent(body)) return [body];
  const events: unknown = typeof body === 'object' && body !== null && 'events' in body ? body.events : null;
  if (Array.isArray(events) && events.length > 0 && events.every(isEvent)) return events;
  throw new WebhookVerificationError('malformed_body');
};

/** Whether a text is long enough to sign deliveries. */
export const isSigningSecret = (secret: unknown): boolean =>
  typeof secret === 'string' && secret.trim().length >= SECRET_CHARACTERS_MINIMUM;

/** Throws for a configuration that would verify deliveries of anybody, such as an environment variable that is not set. */
const requireSafe = (secrets: readonly unknown[], toleranceSeconds: number): void => {
  if (secrets.length === 0 || !secrets.every(isSigningSecret))
    throw new WebhookVerificationError('invalid_secret');
  if (!Number.isFinite(toleranceSeconds) || toleranceSeconds < 0)
    throw new WebhookVerificationError('invalid_tolerance');
};

/**
 * Resolves when a signature matches one of the secrets and its time is within the tolerance. Rejects with a
 * WebhookVerificationError otherwise.
 */
export const verifySignature = async (
  { body, signature }: Delivery,
  { secrets, toleranceSeconds = TOLERANCE_SECONDS, now = Date.now }: VerifyOptions,
): Promise<void> => {
  const candidates = Array.isArray(secrets) ? secrets : [secrets];
  requireSafe(candidates, toleranceSeconds);
  const signed = parseHeader(signature ?? '');
  if (signed === null) throw new WebhookVerificationError('malformed_header');
  if (
    !(await hasMatchingSignature(candidates, signed.signatures, signedBytes(signed.seconds, toBytes(body))))
  ) {
    throw new WebhookVerificationError('no_match');
  }
  const age = Math.abs(Math.floor(now() / 1_000) - Number(signed.seconds));
  if (age > toleranceSeconds) throw new WebhookVerificationError('outside_tolerance');
};

/**
 * Verifies the signature and returns the events of the request, sorted by `sequence`: one event, or several if the endpoint
 * has a `max_batch_size` above 1. Rejects with a WebhookVerificationError; respond with 400 in that case. A 2xx response
 * acknowledges all events, and any other response none. Requires Web Crypto.
 */
export const verifyWebhookEvents = async (
  delivery: Delivery,
  options: VerifyOptions,
): Promise<readonly WebhookEvent[]> => {
  await verifySignature(delivery, options);
  return eventsOf(parseBody(toBytes(delivery.body)));
};

/**
 * Like {@link verifyWebhookEvents}, for an endpoint that receives one event in a request. Rejects a list of events as
 * `malformed_body`.
 */
export const verifyWebhook = async (delivery: Delivery, options: VerifyOptions): Promise<WebhookEvent> => {
  await verifySignature(delivery, options);
  const body = parseBody(toBytes(delivery.body));
  if (!isEvent(body)) throw new WebhookVerificationError('malformed_body');
  return body;
};
