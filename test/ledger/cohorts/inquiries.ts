import {
  gatherCohorts,
  planCohortPartitions,
} from '../../../functions/chargeback/exports/steps/gatherCohorts.ts';
import { costReader } from '../../../functions/insight/anomalies/costPeriods.ts';
import { spendOfCohorts } from '../../../functions/insight/budgets/spend/spend.ts';
import { unownedServices } from '../../../functions/insight/unowned/unownedServices.ts';
import { readCohorts } from '../../../functions/ledger/cohorts/readCohorts.ts';
import { selectVisible } from '../../../functions/ledger/cohorts/selectVisible.ts';
import type { Interval } from '../../../functions/platform/shared/time/interval.ts';
import { ExportRequest } from '../../../schemas/chargeback/focus.ts';
import type { BudgetScope } from '../../../schemas/insight/budgets.ts';
import { TENANT } from '../../insight/reports/calls.ts';
import type { Inquiry } from '../../insight/reports/differencingAttack.ts';

/** Units of 1e-12 in one. */
const FIXED_POINT_ONE = 10n ** 12n;

/** Queries a budget of cohorts: its spend of every day, from which spend, forecast and thresholds are computed. */
export const askBudget =
  (scope: BudgetScope, residency: string | null, range: Interval): Inquiry =>
  async (reader) => {
    const days = spendOfCohorts({ scope, residency }, await readCohorts(reader, TENANT, range));
    const inRange = [...days].filter(([day]) => range.from <= day && day < range.to);
    return inRange.map(([, { spent }]) => Number(spent));
  };

/** Queries the services without a confirmed owner, all of them or the most expensive. */
export const askUnowned =
  (range: Interval, lane: string | null, top: number): Inquiry =>
  async (reader) => {
    const { cohorts } = await readCohorts(reader, TENANT, range);
    const { rows, totals } = unownedServices(selectVisible(cohorts, range, lane).shown, top);
    return [...rows, totals].flatMap((one) => [one.invocations, one.invocations_maximum]);
  };

/** Reads the costs of all hours and days from which anomalies are computed. */
export const askAnomalies =
  (range: Interval): Inquiry =>
  async (reader) => {
    const costs = costReader(reader, TENANT);
    const periods = [...(await costs.days(range)), ...(await costs.hours(range, () => true))];
    return periods.flatMap(({ groups }) => groups.map(({ figures }) => Number(figures.cost_usd.central)));
  };

export interface ExportQuestion {
  readonly period: { readonly from: string; readonly to: string };
  readonly granularity: 'hour' | 'day' | 'month';
  readonly group_by: readonly string[];
  readonly lane: string | null;
}

/** Creates an export of cohorts. Returns the sums of its rows, and all sums of its manifest. */
export const askExport =
  ({ lane, ...members }: ExportQuestion): Inquiry =>
  async (reader) => {
    const request = ExportRequest.parse({ format: 'focus', ...members });
    const [from, to] = [request.period.from, request.period.to].map((text) => Date.parse(text));
    const partitions = planCohortPartitions({ from: from ?? 0, to: to ?? 0 });
    const plan = {
      job: { job_id: 'job', request, residency: lane, basis: 'cohorts' as const, as_of: '', created_at: '' },
      tenant: { tenant_id: TENANT, name: TENANT, tag: 'tag', cost_allocation_tags: [] },
      partitions,
      lag: { isStale: false, incompleteSince: null },
      namedUntil: null,
      periods: [],
    };
    const sums: number[] = [];
    for (const partition of partitions) {
      const { lines, summary } = await gatherCohorts(reader, plan, partition);
      for (const { amounts } of lines) sums.push(Number(amounts.consumed / FIXED_POINT_ONE));
      sums.push(Number(summary.folded.cost / FIXED_POINT_ONE), summary.ledger.records);
      for (const { records } of summary.excluded.values()) sums.push(records);
    }
    return sums;
  };
