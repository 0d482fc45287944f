import { sha256Of } from '../shared/hash.ts';

/** How long an Idempotency-Key is stored. */
export const RETENTION_MS = 24 * 60 * 60 * 1_000;

/**
 * Parses an Idempotency-Key: 1 to 255 visible ASCII characters, optionally in the quotes of a Structured Field string,
 * which are not part of the key. Null if it is missing or invalid.
 */
export const parseIdempotencyKey = (header: string | undefined): string | null => {
  const quoted = header === undefined ? undefined : /^"(.*)"$/.exec(header)?.[1];
  const key = quoted ?? header;
  return key !== undefined && /^[\x21-\x7e]{1,255}$/.test(key) ? key : null;
};

/** The record key of an Idempotency-Key: bound to tenant and route, and hashed, so the table does not reveal the key. */
export const idempotencyRecordKey = (tenantId: string, routeKey: string, key: string): string =>
  sha256Of('idempotency', tenantId, routeKey, key).toString('base64url');

/**
 * The fingerprint of a request: path, query and body bytes. A retry must have the same one. The credential and the media
 * type are not part of it: a client may retry with another credential of the tenant or with a charset parameter.
 */
export const fingerprintOf = (request: {
  readonly path: string;
  readonly query: string;
  readonly body: Uint8Array;
}): string => sha256Of('fingerprint', request.path, request.query, request.body).toString('base64url');
