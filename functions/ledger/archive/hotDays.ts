import { DAY_MS } from '../../../schemas/durations.ts';
import { ROW_MILLISECONDS } from '../records/ledgerItem.ts';

/**
 * Time for which the table certainly keeps a version after its start. Covers the close of the previous month with its
 * corrections, and all events that can be replayed.
 */
export const HOT_MS = 45 * DAY_MS;

/**
 * Rows in no file are kept when they would expire within this time. The schedule looks every night, so it can fail as many
 * nights in a row before a row is lost.
 */
export const KEEP_BEFORE_MS = ROW_MILLISECONDS - HOT_MS;

/**
 * Readers look for calls in the files a day before they must: clocks differ, and a call may be reported ahead of its time.
 */
const FILES_READ_AFTER_MS = HOT_MS - DAY_MS;

/** The time (epoch milliseconds) up to which calls are cold: their rows may have left the table. */
export const coldUntil = (now: number): number => now - FILES_READ_AFTER_MS;

/** Whether a day has rows that expire soon, at `now` (epoch milliseconds). `start` is the start of the day. */
export const mayExpireSoon = (start: number, now: number): boolean => start <= now - HOT_MS;
