import { DAY_MS } from '../shared/time/durations.ts';
import type { ArchivedDay } from './archivedDay.ts';

/**
 * Time for which the table keeps a version after its start. Covers the close of the previous month with its corrections,
 * and all events that can be replayed.
 */
export const HOT_MS = 45 * DAY_MS;

/**
 * Readers look for calls in the files a day before their rows may be deleted: clocks differ, and a call may be reported
 * ahead of its time.
 */
const FILES_READ_AFTER_MS = HOT_MS - DAY_MS;

/** The time (epoch milliseconds) up to which calls are cold: their rows may have left the table. */
export const coldUntil = (now: number): number => now - FILES_READ_AFTER_MS;

/** Whether rows of a closed day may leave the table now (epoch milliseconds). */
export const isTrimDue = ({ trim_at }: Pick<ArchivedDay, 'trim_at'>, now: number): boolean =>
  trim_at !== null && trim_at <= now;
