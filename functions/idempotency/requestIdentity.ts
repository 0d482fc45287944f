import { sha256Of } from '../shared/hash.ts';

/** How long a key is remembered, in milliseconds. */
export const RETENTION_MS = 24 * 60 * 60 * 1_000;

/**
 * The Idempotency-Key of a request: 1 to 255 visible ASCII characters, with or without the quotes of a
 * Structured Field string, which are not part of it. Null when missing or unusable.
 */
export const parseIdempotencyKey = (header: string | undefined): string | null => {
  const quoted = header === undefined ? undefined : /^"(.*)"$/.exec(header)?.[1];
  const key = quoted ?? header;
  return key !== undefined && /^[\x21-\x7e]{1,255}$/.test(key) ? key : null;
};

/** Where the key is kept: of one tenant and one route, and not readable from the table. */
export const idempotencyRecordKey = (tenantId: string, routeKey: string, key: string): string =>
  sha256Of('idempotency', tenantId, routeKey, key).toString('base64url');

/** What must be the same for a retry to be the same request: who asks, for what, with which bytes. */
export const fingerprintOf = (request: {
  readonly principal: string;
  readonly path: string;
  readonly query: string;
  readonly contentType: string;
  readonly body: Uint8Array;
}): string =>
  sha256Of(
    'fingerprint',
    request.principal,
    request.path,
    request.query,
    request.contentType,
    request.body,
  ).toString('base64url');
