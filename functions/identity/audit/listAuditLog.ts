import type { AuditEntry } from '../../../schemas/identity/audit.ts';
import { type AuditQuery, listAuditLog } from '../../../schemas/routes/identity/audit.ts';
import { operation } from '../../platform/http/operation.ts';
import { endOfList, type InstantRange } from '../../platform/http/pages/filteredPage.ts';
import { respondWithPage } from '../../platform/http/pages/paging.ts';
import { periodOf } from '../../platform/http/periods.ts';
import { readAuditPage } from './auditPage.ts';

/** The queried period: from the creation of the tenant until now, narrowed by the `at` filters. */
const rangeOf = (query: AuditQuery, createdAt: number, now: number): InstantRange => {
  const { from, to } = periodOf(query, 'at');
  return { from: Math.max(createdAt, from), to: Math.min(endOfList(now), to - 1) };
};

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
      ...rangeOf(query, Date.parse(tenant.created_at), asOf),
      descending: query.sort !== 'at',
      after,
      limit,
      matches: matchesFilters(query),
    }),
  );
});
