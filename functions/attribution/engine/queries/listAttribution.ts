import { recordFilterNames } from '../../../../schemas/attribution/recordFilters.ts';
import {
  type AttributionQuery,
  listAttribution,
} from '../../../../schemas/routes/attribution/attribution.ts';
import { parseFilters } from '../../../ledger/records/query/filter.ts';
import { type Selection, selectRecords } from '../../../ledger/records/query/selectRecords.ts';
import { sortFields } from '../../../ledger/records/query/sortKey.ts';
import { operation } from '../../../platform/http/operation.ts';
import { respondWithPage } from '../../../platform/http/pages/paging.ts';
import { periodOf } from '../../../platform/http/periods.ts';
import type { Interval } from '../../../platform/shared/time/interval.ts';
import { withFreshness } from './recordFreshness.ts';
import { unmatchedFilters } from './unmatchedFilters.ts';

/** Later than the time of any ULID in the ledger. */
const MAX_TIME = Date.parse('9999-01-01T00:00:00Z');

/** The intersection of all time filters. */
const parsePeriod = (query: AttributionQuery): Interval => {
  const { from, to } = periodOf(query, 'occurred_at');
  return { from: Math.max(0, from), to: Math.min(MAX_TIME, to) };
};

export default operation(listAttribution, (call) => {
  const { query, caller, stores } = call;
  const period = parsePeriod(query);
  const { sort = '-occurred_at' } = query;
  return respondWithPage(listAttribution, call, async ({ after, asOf }, limit) => {
    if (period.from >= period.to) return { items: [], resume: null };
    const { tenant, residency } = caller;
    const freshness = stores.indexLag.areRecordsStale(tenant.tenant_id);
    const selection: Selection = {
      tenant,
      residency,
      period,
      filters: parseFilters(query, recordFilterNames),
      field: sortFields.find((field) => sort.endsWith(field)) ?? 'occurred_at',
      descending: sort.startsWith('-'),
      after,
      asOf,
      limit,
    };
    const { items, resume } = await selectRecords(stores, selection);
    const isStale = await freshness;
    const isEmpty = items.length === 0 && resume === null && after === undefined;
    const warnings = isEmpty ? await unmatchedFilters(stores, selection) : [];
    return {
      items: items.map(({ attribution }) => withFreshness(attribution.record, isStale)),
      resume,
      ...(warnings.length > 0 && { warnings }),
    };
  });
});
