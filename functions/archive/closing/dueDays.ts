import type { DayVersions } from '../../rollups/dayVersions.store.ts';
import { DAY_MS } from '../../shared/time/durations.ts';
import { type ArchivedDay, type Day, dayOf } from '../archivedDay.ts';
import { isTrimDue } from '../hotDays.ts';
import { LATE_AFTER_MS } from './lateDays.ts';

/** A day whose files are missing, or lack versions that were written after them, or whose rows may leave the table. */
export interface DueDay {
  readonly day: Day;
  /** It has no files, long after its end. */
  readonly isLate: boolean;
}

/**
 * Compares the days that have records with the days that have files. Versions are only added, so equal counts mean equal
 * contents. Days that are to be written come first: rows that stay longer in the table are only a cost.
 */
export const dueDays = (
  stored: readonly DayVersions[],
  archived: readonly ArchivedDay[],
  now: number,
): DueDay[] => {
  const byDay = new Map(archived.map((entry) => [entry.day, entry]));
  const days = stored
    .filter(({ versions }) => versions > 0)
    .map(({ start, versions }) => {
      const entry = byDay.get(dayOf(start));
      return { day: dayOf(start), start, entry, isUnwritten: entry?.versions !== versions };
    });
  const unwritten = days.filter(({ isUnwritten }) => isUnwritten);
  const trimmable = days.filter(
    ({ isUnwritten, entry }) => !isUnwritten && entry !== undefined && isTrimDue(entry, now),
  );
  return [...unwritten, ...trimmable].map(({ day, start, entry }) => ({
    day,
    isLate: entry === undefined && now - start - DAY_MS > LATE_AFTER_MS,
  }));
};
