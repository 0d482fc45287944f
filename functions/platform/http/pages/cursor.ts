import { createHmac, timingSafeEqual } from 'node:crypto';
import * as z from 'zod';
import { CURSOR_LIFETIME_SECONDS } from '../../../../schemas/page.ts';
import { sha256Of } from '../../shared/hash.ts';
import { invalidParameter, ProblemError } from '../../shared/problem.ts';

/** The query that a cursor is bound to, and what its records depend on. It is not valid for any other. */
export interface CursorBinding {
  /** Tag of the tenant. */
  readonly tenant: string;
  /** The residency lane of the credential; null if it has none. */
  readonly lane: string | null;
  /** The connector of a partner; null for all others. */
  readonly connector: string | null;
  readonly operation: string;
  /** Filters and sort order, in a canonical form. */
  readonly selection: string;
}

/** The position in a paged query: the last item returned, and the snapshot time of the query (epoch milliseconds). */
export interface Position {
  readonly after: string;
  readonly asOf: number;
}

const Payload = z.object({
  tenant: z.string(),
  binding: z.string(),
  after: z.string(),
  as_of: z.int(),
  expires: z.int(),
});

const hashBinding = (binding: CursorBinding): string =>
  sha256Of(
    'cursor binding',
    JSON.stringify([binding.tenant, binding.lane, binding.connector, binding.operation, binding.selection]),
  )
    .subarray(0, 12)
    .toString('base64url');

const macOf = (payload: string, key: Uint8Array): Buffer =>
  createHmac('sha256', key).update(payload).digest();

/** Creates an opaque cursor, authenticated with HMAC-SHA256. `now` is epoch milliseconds. */
export const writeCursor = (
  binding: CursorBinding,
  position: Position,
  now: number,
  key: Uint8Array,
): string => {
  const payload: z.infer<typeof Payload> = {
    tenant: binding.tenant,
    binding: hashBinding(binding),
    after: position.after,
    as_of: position.asOf,
    expires: now + CURSOR_LIFETIME_SECONDS * 1_000,
  };
  const text = Buffer.from(JSON.stringify(payload)).toString('base64url');
  return `${text}.${macOf(text, key).toString('base64url')}`;
};

export const invalidCursor = () =>
  invalidParameter(
    'INVALID_CURSOR',
    'The cursor is not valid for this query, or has expired. Start again from the first page.',
    'cursor',
  );

/**
 * Verifies and reads a cursor. Throws INVALID_CURSOR if a byte was altered, if it has expired, or if it belongs to another
 * lane, connector, route, filter or sort order. Another credential of the tenant may continue, such as the successor of a
 * rotated key: each page is read with the authority of its own caller. Throws TENANT_MISMATCH if it belongs to another tenant.
 */
export const readCursor = (
  cursor: string,
  binding: CursorBinding,
  now: number,
  key: Uint8Array,
): Position => {
  const [text = '', mac = '', ...rest] = cursor.split('.');
  const presented = Buffer.from(mac, 'base64url');
  const expected = macOf(text, key);
  // Base64 decoders ignore stray bits and characters. Only the canonical encoding is accepted, so no byte can change.
  const isCanonical = presented.toString('base64url') === mac && rest.length === 0;
  if (!isCanonical || presented.length !== expected.length || !timingSafeEqual(presented, expected))
    throw invalidCursor();
  const payload = Payload.parse(JSON.parse(Buffer.from(text, 'base64url').toString('utf8')));
  if (payload.tenant !== binding.tenant) {
    throw new ProblemError('TENANT_MISMATCH', 'The cursor belongs to another tenant.');
  }
  if (payload.binding !== hashBinding(binding) || payload.expires <= now) throw invalidCursor();
  return { after: payload.after, asOf: payload.as_of };
};
