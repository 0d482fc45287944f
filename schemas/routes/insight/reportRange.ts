import * as z from 'zod';
import { REPORT_DAYS_DEFAULT, REPORT_MONTHS_MAXIMUM } from '../../insight/reports.ts';
import { Timestamp } from '../../values.ts';

/** A bound of a report. In Zod, precision -1 means an instant without seconds. */
const Bound = z
  .union([z.iso.date(), Timestamp, z.iso.datetime({ offset: true, precision: -1 })])
  .meta({ id: 'ReportBound' });

/** The period of a report. */
export const reportRange = {
  from: Bound.optional().meta({
    description: `ISO 8601 date in the time zone of the tenant, or time with an offset on a whole minute. Inclusive. Default: ${REPORT_DAYS_DEFAULT} whole days before today`,
    example: '2026-03-01',
  }),
  to: Bound.optional().meta({
    description: `Same format as from. Exclusive. Default: now. Later than from, by at most ${REPORT_MONTHS_MAXIMUM} months`,
    example: '2026-04-01',
  }),
};

/** The period that a report is compared with. */
export const comparedRange = {
  previous_from: reportRange.from.meta({
    description:
      'Start of the period to compare with, as from. Default: the period before, as with `compare` in the usage report',
  }),
  previous_to: reportRange.to.meta({ description: 'End of that period, as to' }),
};

interface ComparedRange {
  readonly previous_from?: string | undefined;
  readonly previous_to?: string | undefined;
}

export const hasBothEnds = ({ previous_from: from, previous_to: to }: ComparedRange): boolean =>
  (from === undefined) === (to === undefined);
export const BOTH_ENDS = {
  message: 'belongs to previous_from: give both or neither',
  path: ['previous_to'],
};
