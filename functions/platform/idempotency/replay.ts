import * as z from 'zod';
import { Scope } from '../../../schemas/identity/scopes.ts';
import type { RouteShape } from '../../../schemas/routes/route.ts';
import type { Reply } from '../http/reply.ts';
import { ProblemError } from '../shared/problem.ts';
import type { Caller } from '../tenancy/caller.ts';
import { isInLane } from '../tenancy/residency.ts';
import { sealResponse, unsealResponse } from './sealResponse.ts';

/** A secret that a call has issued, sealed for its first caller alone. */
export const IssuedSecret = z.object({
  sealed: z.string(),
  /** The first caller. The seal enforces it; this only tells a foreign seal from a damaged one. */
  owner: z.string(),
});
export type IssuedSecret = z.infer<typeof IssuedSecret>;

/** A stored response, as every credential of the tenant with the scope of the route may receive it. */
export const StoredReply = z.object({
  status: z.int(),
  headers: z.record(z.string(), z.string()),
  /** The body, with null in place of its secret. */
  body: z.string(),
  /** The residency lane of the first caller; null if it was bound to none. */
  lane: z.string().nullable(),
  /** The scopes of the first caller whose data the route shows only to callers that have them. */
  shown: z.array(Scope),
  secret: IssuedSecret.extend({ member: z.string() }).optional(),
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

export const sealSecret = (secret: string, caller: Caller, row: SealedRow): IssuedSecret => {
  const owner = requesterOf(caller);
  return { sealed: seal(secret, row, owner), owner };
};

/** Null if another requester was issued the secret. */
export const openSecret = ({ sealed, owner }: IssuedSecret, caller: Caller, row: SealedRow): string | null =>
  owner === requesterOf(caller) ? unseal(sealed, row, owner) : null;

const WITHHELD =
  'The secret was issued to the credential that made the first request with this Idempotency-Key. Repeat the request with that credential, or rotate the secret.';

const textOf = (body: unknown): string =>
  body === undefined || typeof body === 'string' ? (body ?? '') : JSON.stringify(body);

/** Throws RESIDENCY_BLOCKED for a caller that is bound to another lane than that of the effect. */
export const requireLane = ({ residency }: Caller, lane: string | null): void => {
  if (isInLane(lane, residency)) return;
  throw new ProblemError(
    'RESIDENCY_BLOCKED',
    'The request has taken effect, but its response belongs to another data-residency lane. Repeat it with a credential of that lane.',
  );
};

/** The caller whose attempt committed the effect: its lane, and the secret that it was issued. */
export interface Committer {
  readonly lane: string | null;
  readonly issued: IssuedSecret | null;
}

/**
 * The response to store, without the secret that the route declares for this status. Without a
 * `committer` of an earlier attempt, it is `caller`, who is issued the secret of the response.
 */
export const toStoredReply = (
  { status, headers = {}, body }: Reply,
  {
    route,
    caller,
    committer,
  }: { readonly route: RouteShape; readonly caller: Caller; readonly committer: Committer | null },
  row: SealedRow,
): StoredReply => {
  const shown = (route.authority.withholds ?? []).filter((scope) => caller.scopes.has(scope));
  const { lane } = committer ?? { lane: caller.residency };
  const common = { status, headers: { ...headers }, lane, shown };
  const member = route.replies[status]?.secret;
  const text = member === undefined ? undefined : Object(body)[member];
  const secret = committer?.issued ?? (typeof text === 'string' ? sealSecret(text, caller, row) : null);
  if (member === undefined || secret === null) return { ...common, body: textOf(body) };
  return {
    ...common,
    body: JSON.stringify({ ...Object(body), [member]: null }),
    secret: { ...secret, member },
  };
};

/**
 * The stored response as `caller` may receive it. Only the first caller gets the secret. A caller that is bound to
 * another lane than the first one, or lacks a scope whose data the first one was shown, gets no body: it can hold that
 * data. Throws RESIDENCY_BLOCKED or INSUFFICIENT_SCOPE.
 */
export const replayTo = (caller: Caller, stored: StoredReply, row: SealedRow): Reply => {
  const { status, headers, body, lane, shown, secret } = stored;
  if (body !== '') requireLane(caller, lane);
  const missing = shown.filter((scope) => !caller.scopes.has(scope));
  if (missing.length > 0 && body !== '') {
    throw new ProblemError(
      'INSUFFICIENT_SCOPE',
      `The request has taken effect, but its response needs ${missing.join(' and ')}. Repeat it with a credential that has it.`,
    );
  }
  if (secret === undefined) return { status, headers, body };
  const text = openSecret(secret, caller, row);
  const members = {
    ...JSON.parse(body),
    [secret.member]: text,
    ...(text === null && { withheld: WITHHELD }),
  };
  return { status, headers, body: JSON.stringify(members) };
};
