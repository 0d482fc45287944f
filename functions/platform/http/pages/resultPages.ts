import { CURSOR_LIFETIME_SECONDS } from '../../../../schemas/page.ts';
import type { RouteShape } from '../../../../schemas/routes/route.ts';
import { ProblemError } from '../../shared/problem.ts';
import type { Caller } from '../../tenancy/caller.ts';
import { type Reply, reply } from '../reply.ts';
import { invalidCursor } from './cursor.ts';
import { type ListCall, respondWithPage } from './paging.ts';
import type { Result, ResultOwner, ResultStore } from './result.store.ts';

/** Most rows of a result that has several pages. */
export const RESULT_ROWS_MAXIMUM = 100_000;

/** A result is not read by a credential that has got other rights since. */
const ownerOf = ({ tenant, scopes, residency }: Caller): ResultOwner => ({
  tenantId: tenant.tenant_id,
  rights: JSON.stringify([residency, [...scopes].sort()]),
});

const tooManyRows = (rows: number): ProblemError =>
  new ProblemError(
    'INVALID_REQUEST',
    `The answer has ${rows} rows, and pages can be read of at most ${RESULT_ROWS_MAXIMUM}. Choose fewer fields to group by, a filter, or a shorter period.`,
  );

const positionOf = (id: string, row: number): string => `${id}:${row}`;

/**
 * Responds with a page of a computed result. The first page computes it as of its arrival and stores it, if there are more
 * pages, for the life of its cursor. The others read it, so all pages together are one result, whatever is written between
 * them. Throws the errors of paging, and INVALID_REQUEST for too many rows.
 */
export const respondWithResult = async (
  route: RouteShape,
  call: ListCall & { readonly stores: { readonly results: ResultStore } },
  compute: (asOf: number) => Promise<Result>,
): Promise<Reply> => {
  const { caller, receivedAt, stores } = call;
  const owner = ownerOf(caller);
  let envelope: object = {};
  const { body } = await respondWithPage(route, call, async ({ after, asOf }, limit) => {
    if (after === undefined) {
      const result = await compute(asOf);
      envelope = result.envelope;
      const { rows } = result;
      if (rows.length <= limit) return { items: rows, resume: null };
      if (rows.length > RESULT_ROWS_MAXIMUM) throw tooManyRows(rows.length);
      const id = await stores.results.keep(owner, result, asOf + CURSOR_LIFETIME_SECONDS * 1_000);
      return { items: rows.slice(0, limit), resume: positionOf(id, limit) };
    }
    const [id = '', row] = after.split(':');
    const from = Number(row);
    const found = await stores.results.read(owner, id, { from, limit, now: receivedAt });
    if (found === null) throw invalidCursor();
    envelope = found.envelope;
    const next = from + limit;
    return { items: found.rows, resume: next < found.size ? positionOf(id, next) : null };
  });
  return reply(200, { ...(typeof body === 'object' ? body : {}), ...envelope });
};
