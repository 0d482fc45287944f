import type { AuditEntry } from '../../../schemas/access/audit.ts';
import { type AuditQuery, listAuditLog } from '../../../schemas/routes/identity/audit.ts';
import { type InstantRange, narrow } from '../../platform/http/filteredPage.ts';
import { operation } from '../../platform/http/operation.ts';
import { respondWithPage } from '../../platform/http/paging.ts';
import { readAuditPage } from './auditPage.ts';

/** The queried period: from the creation of the tenant until now, narrowed by the `at` filters. */
const periodOf = (query: AuditQuery, createdAt: number, now: number): InstantRange =>
  narrow(
    { from: createdAt, to: now },
    { gte: query['at[gte]'], gt: query['at[gt]'], lte: query['at[lte]'], lt: query['at[lt]'] },
  );

const matchesFilters =
  ({ action, actor, resource, outcome }: AuditQuery) =>
  (entry: AuditEntry): boolean =>
    (action === undefined || entry.action === action) &&
    (actor === undefined || entry.actor.id === actor) &&
    (resource === undefined || entry.resource === resource) &&
    (outcome === undefined || entry.outcome === outcome);

export default operation(listAuditLog, (call) => {
  const { query, caller, stores } = call;
  const { tenant } = caller;
  return respondWithPage(listAuditLog, call, ({ after, asOf }, limit) =>
    readAuditPage(stores.auditReader, {
      tenantId: tenant.tenant_id,
      ...periodOf(query, Date.parse(tenant.created_at), asOf),
      descending: query.sort !== 'at',
      after,
      limit,
      matches: matchesFilters(query),
    }),
  );
});
