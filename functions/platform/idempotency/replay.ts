import * as z from 'zod';
import { Scope } from '../../../schemas/access/scopes.ts';
import type { RouteShape } from '../../../schemas/routes/route.ts';
import type { Reply } from '../http/reply.ts';
import { ProblemError } from '../shared/problem.ts';
import type { Caller } from '../tenancy/caller.ts';
import { sealResponse, unsealResponse } from './sealResponse.ts';

/** A stored response, as every credential of the tenant with the scope of the route may receive it. */
export const StoredReply = z.object({
  status: z.int(),
  headers: z.record(z.string(), z.string()),
  /** The body without its secret. */
  body: z.string(),
  /** The residency lane of the first caller; null if it was bound to none. */
  lane: z.string().nullable(),
  /** The scopes of the first caller whose data the route shows only to callers that have them. */
  shown: z.array(Scope),
  /** The body with its secret, sealed for the first caller alone. Absent if the body has no secret. */
  ownBody: z.string().optional(),
  /** The first caller. The seal enforces it; this only tells a foreign seal from a damaged one. */
  owner: z.string(),
});
export type StoredReply = z.infer<typeof StoredReply>;

/** The row of a stored response, with what its seals need. */
export interface SealedRow {
  readonly recordKey: string;
  readonly stack: Uint8Array;
  readonly idempotencyKey: string;
  readonly random: (bytes: number) => Uint8Array;
}

const seal = (text: string, { recordKey, stack, idempotencyKey, random }: SealedRow, reader: string) =>
  sealResponse(text, recordKey, { stack, idempotencyKey, reader }, random);
const unseal = (sealed: string, { recordKey, stack, idempotencyKey }: SealedRow, reader: string) =>
  unsealResponse(sealed, recordKey, { stack, idempotencyKey, reader });

export const sealForAnyone = (text: string, row: SealedRow): string => seal(text, row, '');
export const openForAnyone = (sealed: string, row: SealedRow): string => unseal(sealed, row, '');

/** Tokens of one principal can differ in scopes and lane. One with fewer rights must not receive the secret of another. */
const requesterOf = ({ principal, scopes, residency }: Caller): string =>
  JSON.stringify([principal, residency, ...[...scopes].sort()]);

const WITHHELD =
  'The secret was issued to the credential that made the first request with this Idempotency-Key. Repeat the request with that credential, or rotate the secret.';

const textOf = (body: unknown): string =>
  body === undefined || typeof body === 'string' ? (body ?? '') : JSON.stringify(body);

/** The response to store: without the secret that the route declares for this status, and sealed with it for `caller`. */
export const toStoredReply = (
  { status, headers = {}, body }: Reply,
  route: RouteShape,
  caller: Caller,
  row: SealedRow,
): StoredReply => {
  const owner = requesterOf(caller);
  const shown = (route.authority.withholds ?? []).filter((scope) => caller.scopes.has(scope));
  const common = { status, headers: { ...headers }, lane: caller.residency, shown, owner };
  const member = route.replies[status]?.secret;
  const hasSecret = member !== undefined && typeof Object(body)[member] === 'string';
  if (!hasSecret) return { ...common, body: textOf(body) };
  return {
    ...common,
    body: JSON.stringify({ ...Object(body), [member]: null, withheld: WITHHELD }),
    ownBody: seal(textOf(body), row, owner),
  };
};

/**
 * The stored response as `caller` may receive it. Only the first caller gets the secret. A caller that is bound to
 * another lane than the first one, or lacks a scope whose data the first one was shown, gets no body: it can hold that
 * data. Throws RESIDENCY_BLOCKED or INSUFFICIENT_SCOPE.
 */
export const replayTo = (caller: Caller, stored: StoredReply, row: SealedRow): Reply => {
  const { status, headers, body, lane, shown, ownBody, owner } = stored;
  if (caller.residency !== null && caller.residency !== lane && body !== '') {
    throw new ProblemError(
      'RESIDENCY_BLOCKED',
      'The request has taken effect, but its response belongs to another data-residency lane. Repeat it with a credential of that lane.',
    );
  }
  const missing = shown.filter((scope) => !caller.scopes.has(scope));
  if (missing.length > 0 && body !== '') {
    throw new ProblemError(
      'INSUFFICIENT_SCOPE',
      `The request has taken effect, but its response needs ${missing.join(' and ')}. Repeat it with a credential that has it.`,
    );
  }
  const isOwner = ownBody !== undefined && owner === requesterOf(caller);
  return { status, headers, body: isOwner ? unseal(ownBody, row, owner) : body };
};
