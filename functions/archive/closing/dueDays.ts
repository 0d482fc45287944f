import type { DayVersions } from '../../rollups/dayVersions.store.ts';
import { DAY_MS } from '../../shared/durations.ts';
import { type ArchivedDay, type Day, dayOf } from '../archivedDay.ts';
import { LATE_AFTER_MS } from './lateDays.ts';

/** A day whose files are missing, or lack versions that were written after them. */
export interface DueDay {
  readonly day: Day;
  /** It has no files, long after its end. */
  readonly isLate: boolean;
}

/** Compares the days that have records with the days that have files. Versions are only added, so equal counts mean equal contents. */
export const dueDays = (
  stored: readonly DayVersions[],
  archived: readonly ArchivedDay[],
  now: number,
): DueDay[] => {
  const versionsByDay = new Map(archived.map(({ day, versions }) => [day, versions]));
  return stored.flatMap(({ start, versions }) => {
    const day = dayOf(start);
    const written = versionsByDay.get(day);
    if (written === versions || versions === 0) return [];
    return [{ day, isLate: written === undefined && now - start - DAY_MS > LATE_AFTER_MS }];
  });
};
