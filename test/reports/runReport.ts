import { readCohorts } from '../../functions/cohorts/readCohorts.ts';
import { isHourly } from '../../functions/reports/range.ts';
import { reportOf } from '../../functions/reports/report.ts';
import { sumAdoption, sumUsage } from '../../functions/reports/reportTotals.ts';
import type { ReportField, ReportInterval } from '../../schemas/reports.ts';
import { type Call, rollupReaderOf, TENANT } from './calls.ts';

export interface ReportQuery {
  readonly group_by?: readonly ReportField[];
  readonly interval?: ReportInterval | undefined;
  readonly top?: number | undefined;
  readonly lane?: string | null;
}

/** The usage report of these calls. */
export const runUsageReport = async (
  calls: readonly Call[],
  from: number,
  to: number,
  asked: ReportQuery = {},
) => {
  const { lane = null, ...query } = asked;
  const range = { from, to };
  const { cohorts } = await readCohorts(rollupReaderOf(calls), TENANT, range, isHourly(query));
  return reportOf(cohorts, query, range, lane, sumUsage);
};

export const runAdoptionReport = async (
  calls: readonly Call[],
  from: number,
  to: number,
  asked: ReportQuery = {},
) => {
  const { lane = null, ...query } = asked;
  const { cohorts } = await readCohorts(rollupReaderOf(calls), TENANT, { from, to }, isHourly(query));
  return reportOf(cohorts, query, { from, to }, lane, sumAdoption);
};
