import { DAY_MS } from '../../../../schemas/durations.ts';
import type { Interval } from '../../../platform/shared/time/interval.ts';
import { type Month, monthOf } from '../../../platform/shared/time/month.ts';
import type { PeriodVersions } from '../../rollups/periodVersions.store.ts';
import { type ArchivedDay, type Day, dayOf } from '../archivedDay.ts';
import { mayExpireSoon } from '../hotDays.ts';
import { LATE_AFTER_MS } from './lateDays.ts';

/** A day whose files are missing, or lack versions that were written after them. */
export interface DueDay {
  readonly day: Day;
  /** It has no files, long after its end. */
  readonly isLate: boolean;
}

/**
 * Compares the days that have records with the days that have files. Versions are only added, so equal counts mean equal
 * contents. A day without a sum has no records, or could not be summed: once its rows may expire soon, it is due if its
 * month has records, so that none is lost. The oldest days come first: their rows expire first.
 */
export const dueDays = (
  stored: PeriodVersions,
  archived: readonly ArchivedDay[],
  /** Months with records. */
  months: ReadonlySet<Month>,
  /** The days that are examined. Epoch milliseconds. */
  { from, to }: Interval,
  now: number,
): DueDay[] => {
  const byDay = new Map(archived.map((entry) => [entry.day, entry]));
  const due: DueDay[] = [];
  for (let start = from; start < to; start += DAY_MS) {
    const day = dayOf(start);
    const versions = stored.get(start) ?? 0;
    const files = byDay.get(day);
    const mayHoldRows = versions > 0 || (months.has(monthOf(start)) && mayExpireSoon(start, now));
    if (!mayHoldRows || files?.versions === versions) continue;
    const isLate = versions > 0 && files === undefined && now - start - DAY_MS > LATE_AFTER_MS;
    due.push({ day, isLate });
  }
  return due;
};
