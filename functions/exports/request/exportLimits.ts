import { EXPORT_MONTHS_MAXIMUM, type ExportRequest } from '../../../schemas/focus.ts';
import { GROUP_BY_MAXIMUM } from '../../../schemas/reports.ts';

/** What an export is about, epoch milliseconds; `to` is excluded. */
export interface ExportPeriod {
  readonly from: number;
  readonly to: number;
}

export const exportPeriodOf = ({ period }: Pick<ExportRequest, 'period'>): ExportPeriod => ({
  from: Date.parse(period.from),
  to: Date.parse(period.to),
});

/** Why a period is longer than is exported at once; null where it is not. */
export const periodLimitError = (request: Pick<ExportRequest, 'period'>): string | null => {
  const { from, to } = exportPeriodOf(request);
  const last = new Date(from);
  last.setUTCMonth(last.getUTCMonth() + EXPORT_MONTHS_MAXIMUM);
  return to > last.getTime() ? `The period must not be longer than ${EXPORT_MONTHS_MAXIMUM} months.` : null;
};

/** Why rows would be told apart by more than they may be; null where they are not. */
export const groupByLimitError = ({ group_by }: Pick<ExportRequest, 'group_by'>): string | null =>
  group_by.length > GROUP_BY_MAXIMUM ? `At most ${GROUP_BY_MAXIMUM} fields can be grouped by.` : null;
