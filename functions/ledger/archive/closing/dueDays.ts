import { DAY_MS } from '../../../../schemas/durations.ts';
import type { Interval } from '../../../platform/shared/time/interval.ts';
import { type Month, monthOf } from '../../../platform/shared/time/month.ts';
import { utcDateOf } from '../../../platform/shared/time/toIso.ts';
import { isSameContent, noContent } from '../../records/content.ts';
import type { PeriodVersions } from '../../rollups/periodVersions.store.ts';
import type { ArchivedDay, Day } from '../archivedDay.ts';
import { mayExpireSoon } from '../hotDays.ts';
import { LATE_AFTER_MS } from './lateDays.ts';

/** A day whose files are missing, or hold other versions than its sum. */
export interface DueDay {
  readonly day: Day;
  /** It has no files, long after its end. */
  readonly isLate: boolean;
}

/**
 * Compares the content of the days that have records with that of the days that have files. A day whose records were removed is
 * due too, so that its files follow. A day without a sum has no records, or could not be summed: once its rows may expire soon,
 * it is due if its month has records, so that none is lost. The oldest days come first: their rows expire first.
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
    const day = utcDateOf(start);
    const sum = stored.get(start) ?? undefined;
    const content = sum ?? noContent;
    const files = byDay.get(day);
    const mayExpire = months.has(monthOf(start)) && mayExpireSoon(start, now);
    const mayDiffer = content.versions > 0 || mayExpire || (files !== undefined && sum !== undefined);
    if (!mayDiffer || (files !== undefined && isSameContent(files, content))) continue;
    const isLate = content.versions > 0 && files === undefined && now - start - DAY_MS > LATE_AFTER_MS;
    due.push({ day, isLate });
  }
  return due;
};
