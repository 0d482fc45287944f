import { DAY_MS } from '../../../schemas/durations.ts';
import { sha256Of } from '../shared/hash.ts';

/** How long an Idempotency-Key is stored. */
export const RETENTION_MS = DAY_MS;

/** A Structured Field string (RFC 8941 §3.3.3): a quote within it is escaped. */
const QUOTED = /^"((?:[^"\\]|\\.)*)"$/;
/** API Gateway joins repeated headers with commas, so a comma outside quotes can separate two keys. */
const UNQUOTED = /^[^",][^,]*$/;

/**
 * Parses an Idempotency-Key: 1 to 255 visible ASCII characters, optionally in the quotes of a Structured Field string,
 * which are not part of the key. Null if it is missing, invalid or repeated.
 */
export const parseIdempotencyKey = (header: string | undefined): string | null => {
  if (header === undefined) return null;
  const key = QUOTED.exec(header)?.[1] ?? UNQUOTED.exec(header)?.[0];
  return key !== undefined && /^[\x21-\x7e]{1,255}$/.test(key) ? key : null;
};

/**
 * The record key of an Idempotency-Key: bound to the tenant, the route and perhaps the credential, and hashed, so the table
 * does not reveal the key.
 */
export const idempotencyRecordKey = (
  tenantId: string,
  routeKey: string,
  key: string,
  ...credential: readonly string[]
): string => sha256Of('idempotency', tenantId, routeKey, key, ...credential).toString('base64url');

/**
 * The fingerprint of a request: path, query and body bytes. A retry must have the same one. The credential and the media
 * type are not part of it: a client may retry a mutation with another credential of the tenant, or with a charset parameter.
 */
export const fingerprintOf = (request: {
  readonly path: string;
  readonly query: string;
  readonly body: Uint8Array;
}): string => sha256Of('fingerprint', request.path, request.query, request.body).toString('base64url');
