import { EXPORT_MONTHS_MAXIMUM, type ExportRequest } from '../../../../schemas/chargeback/focus.ts';
import { GROUP_BY_MAXIMUM } from '../../../../schemas/insight/reports.ts';
import type { Interval } from '../../../platform/shared/time/interval.ts';

export const exportPeriodOf = ({ period }: Pick<ExportRequest, 'period'>): Interval => ({
  from: Date.parse(period.from),
  to: Date.parse(period.to),
});

/** A limit that a request exceeds. */
export interface LimitError {
  readonly pointer: string;
  readonly detail: string;
}

/** The error when the period exceeds the limit; null when it does not. */
export const periodLimitError = (request: Pick<ExportRequest, 'period'>): LimitError | null => {
  const { from, to } = exportPeriodOf(request);
  const last = new Date(from);
  last.setUTCMonth(last.getUTCMonth() + EXPORT_MONTHS_MAXIMUM);
  return to > last.getTime()
    ? {
        pointer: '/period',
        detail: `The period exceeds the limit of ${EXPORT_MONTHS_MAXIMUM} months. Split it into several exports.`,
      }
    : null;
};

/** The error when `group_by` has too many fields; null when it does not. */
export const groupByLimitError = ({ group_by }: Pick<ExportRequest, 'group_by'>): LimitError | null =>
  group_by.length > GROUP_BY_MAXIMUM
    ? { pointer: '/group_by', detail: `group_by allows at most ${GROUP_BY_MAXIMUM} fields. Remove some.` }
    : null;
