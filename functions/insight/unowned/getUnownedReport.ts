import { EXAMINED_MAXIMUM, UNOWNED_SERVICES_DEFAULT } from '../../../schemas/insight/unowned.ts';
import { RECORDS_SCOPE } from '../../../schemas/routes/disclosure.ts';
import { getUnownedReport, type UnownedQuery } from '../../../schemas/routes/insight/unowned.ts';
import { compileMappings } from '../../attribution/mappings/mappingRules.ts';
import { readCohorts } from '../../ledger/cohorts/readCohorts.ts';
import { selectVisible } from '../../ledger/cohorts/selectVisible.ts';
import { completeUntil } from '../../ledger/freshness/totalsLag.ts';
import { type Filter, matchesFilter, parseFilters } from '../../ledger/records/query/filter.ts';
import { listRecords } from '../../ledger/records/query/listRecords.ts';
import { operation } from '../../platform/http/operation.ts';
import { reply } from '../../platform/http/reply.ts';
import type { Interval } from '../../platform/shared/time/interval.ts';
import { toIso } from '../../platform/shared/time/toIso.ts';
import type { Caller } from '../../platform/tenancy/caller.ts';
import { calendarOf } from '../../platform/tenancy/tenant.ts';
import type { StoresOf } from '../../stores.ts';
import { rangeOf } from '../reports/range.ts';
import { confirmedByValue, keyOfValue, type OpenCall, openCallsIn, toOpenCall } from './openCalls.ts';
import type { OwnerEvidence } from './suggestOwners.ts';
import { unownedGroups } from './unownedGroups.ts';
import { confirmedOwners, namedOwners, unownedServices } from './unownedServices.ts';

type Stores = StoresOf<typeof getUnownedReport>;

/** The filters of the service, whose parameters filters of records share. */
const serviceFilters = (query: UnownedQuery): Filter<'service'>[] => parseFilters(query, ['service']);

/**
 * The newest calls of the period: of all services, since suggestions come from calls that have an owner, and of the service
 * that is asked for.
 */
const examine = async (
  { ledger }: Pick<Stores, 'ledger'>,
  { tenant, residency }: Caller,
  period: Interval,
  query: UnownedQuery,
  asOf: number,
): Promise<OpenCall[]> => {
  const filters = serviceFilters(query);
  const read = (chosen: readonly Filter[]) =>
    listRecords(ledger, {
      tenant,
      residency,
      period,
      filters: chosen,
      descending: true,
      after: undefined,
      asOf,
      limit: EXAMINED_MAXIMUM,
    });
  const pages = await Promise.all([read([]), ...(filters.length === 0 ? [] : [read(filters)])]);
  const items = new Map(pages.flatMap((page) => page.items).map((item) => [item.key, item.attribution]));
  return [...items.values()].map(toOpenCall);
};

export default operation(getUnownedReport, async ({ query, caller, receivedAt, stores }) => {
  const { tenant, residency, scopes } = caller;
  const calendar = calendarOf(tenant);
  const range = rangeOf(query, receivedAt, calendar);
  const isExamining = scopes.has(RECORDS_SCOPE) && query.suggestions !== 'false';
  const [{ cohorts, newest }, lag, calls, mappings] = await Promise.all([
    readCohorts(stores.rollups, tenant.tenant_id, range),
    stores.indexLag.totalsLag(tenant.tenant_id),
    isExamining ? examine(stores, caller, range, query, receivedAt) : null,
    isExamining ? stores.mappings.all(tenant.tenant_id) : [],
  ]);
  const { shown, exact } = selectVisible(cohorts, range, residency);
  const filters = serviceFilters(query);
  // A service that is asked for by name may be beyond the most expensive ones.
  const top = filters.length === 0 ? (query.top ?? UNOWNED_SERVICES_DEFAULT) : Number.POSITIVE_INFINITY;
  const { rows, named, services, totals } = unownedServices(shown, top);
  const isAsked = (service: string | null): boolean =>
    filters.every((filter) => matchesFilter(filter, service));
  // Hidden calls may be of the service that is asked for.
  const asked = rows.filter(
    ({ kind, service = null }) =>
      kind === 'folded' || (kind === 'group' ? isAsked(service) : filters.length === 0),
  );
  const open = openCallsIn(calls ?? []);
  const byValue = confirmedByValue(calls ?? []);
  const evidence: OwnerEvidence = {
    mappings: compileMappings(mappings),
    owners: [...new Set([...namedOwners(shown), ...mappings.flatMap(({ owner }) => owner ?? [])])].toSorted(),
    confirmedWith: (value) =>
      value.field === 'service'
        ? confirmedOwners(shown, value.value)
        : (byValue.get(keyOfValue(value)) ?? new Map()),
  };
  const groupsOf = ({ kind, service = null }: (typeof rows)[number]) => {
    if (calls === null) return null;
    if (kind === 'other') return [];
    // Who may read records sees the calls that sums must hide, and maps them.
    const isOwn = (of: string | null): boolean =>
      kind === 'group' ? of === service : !named.has(of) && isAsked(of);
    const own = open.filter(({ record }) => isOwn(record.service));
    return unownedGroups(own, evidence);
  };
  return reply(200, {
    data: asked.map((row) => ({ ...row, groups: groupsOf(row) })),
    // What is beyond the limit is one row, of kind other.
    page: { next_cursor: null, limit: query.top ?? UNOWNED_SERVICES_DEFAULT, has_more: false },
    services,
    totals,
    period: { from: toIso(range.from), to: toIso(range.to), exact },
    time_zone: calendar.timeZone,
    examined: calls?.length ?? null,
    // The start of the range claims nothing.
    as_of: toIso(completeUntil(newest ?? receivedAt, lag, receivedAt) ?? range.from),
    stale: lag.isStale,
  });
});
