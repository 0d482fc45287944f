import type { AuditEntry } from '../../schemas/access/audit.ts';
import { type AuditQuery, listAuditLog } from '../../schemas/routes/audit.ts';
import { operation } from '../http/operation.ts';
import { respondWithPage } from '../http/paging.ts';
import { readAuditPage } from './auditPage.ts';

/** The queried period: from the creation of the tenant until now, narrowed by the `at` filters. Inclusive milliseconds. */
const periodOf = (query: AuditQuery, createdAt: number, now: number) => {
  const at = (text: string | undefined, shift: number) =>
    text === undefined ? [] : [Date.parse(text) + shift];
  return {
    from: Math.max(createdAt, ...at(query['at[gte]'], 0), ...at(query['at[gt]'], 1)),
    to: Math.min(now, ...at(query['at[lte]'], 0), ...at(query['at[lt]'], -1)),
  };
};

const matchesFilters =
  ({ action, actor, resource, outcome }: AuditQuery) =>
  (entry: AuditEntry): boolean =>
    (action === undefined || entry.action === action) &&
    (actor === undefined || entry.actor.id === actor) &&
    (resource === undefined || entry.resource === resource) &&
    (outcome === undefined || entry.outcome === outcome);

export default operation(listAuditLog, ({ query, caller, receivedAt, stores }) => {
  const { tenant } = caller;
  return respondWithPage({
    route: listAuditLog,
    query,
    caller,
    receivedAt,
    cursorKey: stores.cursorKey,
    readPage: ({ after, asOf }, limit) =>
      readAuditPage(stores.auditReader, {
        tenantId: tenant.tenant_id,
        ...periodOf(query, Date.parse(tenant.created_at), asOf),
        descending: query.sort !== 'at',
        after,
        limit,
        matches: matchesFilters(query),
      }),
  });
});
