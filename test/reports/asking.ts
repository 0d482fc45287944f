import { isHourly } from '../../functions/reports/range.ts';
import { cohortsWithin } from '../../functions/reports/read.ts';
import { reportOf } from '../../functions/reports/report.ts';
import { adoptionOf, usageOf } from '../../functions/reports/sums.ts';
import type { ReportField, ReportInterval } from '../../schemas/reports.ts';
import { type Call, readerOf, TENANT } from './calls.ts';

export interface Asked {
  readonly group_by?: readonly ReportField[];
  readonly interval?: ReportInterval | undefined;
  readonly top?: number | undefined;
  readonly lane?: string | null;
}

/** What the usage report says of these calls. */
export const usage = async (calls: readonly Call[], from: number, to: number, asked: Asked = {}) => {
  const { lane = null, ...query } = asked;
  const range = { from, to };
  const { cohorts } = await cohortsWithin(readerOf(calls), TENANT, range, isHourly(query));
  return reportOf(cohorts, query, range, lane, usageOf);
};

export const adoption = async (calls: readonly Call[], from: number, to: number, asked: Asked = {}) => {
  const { lane = null, ...query } = asked;
  const { cohorts } = await cohortsWithin(readerOf(calls), TENANT, { from, to }, isHourly(query));
  return reportOf(cohorts, query, { from, to }, lane, adoptionOf);
};
