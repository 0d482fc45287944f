import { DAY_MS } from '../../../schemas/durations.ts';
import { cohortFields, HOURLY_DAYS_MAXIMUM, type IdleNodes } from '../../../schemas/insight/reports.ts';
import { RECORDS_SCOPE } from '../../../schemas/routes/disclosure.ts';
import type { NodeHourLineReader } from '../../attribution/allocation/nodeHours/nodeHourLine.store.ts';
import { parseFilters } from '../../ledger/records/query/filter.ts';
import type { ListCall } from '../../platform/http/pages/paging.ts';
import { sumDecimals } from '../../platform/shared/decimal.ts';
import type { Interval } from '../../platform/shared/time/interval.ts';

interface IdleCall {
  readonly caller: ListCall['caller'];
  readonly query: { readonly tags?: readonly string[] | undefined };
  readonly stores: { readonly nodeHourLines: NodeHourLineReader };
}

/**
 * What nobody used of own nodes in a range. Empty without such hours, and for a caller or a query for whom they would say
 * something about calls that the report hides: the idle time of a lane or of an owner does not exist.
 */
export const readIdle = async (
  { caller, query, stores }: IdleCall,
  range: Interval,
): Promise<{ readonly idle_nodes?: IdleNodes }> => {
  const isFiltered = query.tags !== undefined || parseFilters(query, cohortFields).length > 0;
  const seesNodes = caller.scopes.has(RECORDS_SCOPE) && caller.residency === null;
  if (!seesNodes || isFiltered || range.to - range.from > HOURLY_DAYS_MAXIMUM * DAY_MS) return {};
  const lines = await stores.nodeHourLines.list(caller.tenant.tenant_id, range);
  if (lines.length === 0) return {};
  const isMetered = lines.every(({ idle_wh }) => idle_wh !== undefined);
  return {
    idle_nodes: {
      cost_usd: sumDecimals(lines.map(({ idle_usd }) => idle_usd)),
      energy_wh: isMetered ? sumDecimals(lines.map(({ idle_wh = '0' }) => idle_wh)) : null,
    },
  };
};
