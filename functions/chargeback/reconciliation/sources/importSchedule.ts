import type { ImportError } from '../../../../schemas/chargeback/billSourceHealth.ts';
import { RESTATED_DAYS } from '../../../../schemas/chargeback/billSources.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../../schemas/durations.ts';
import { startOf } from '../../../ledger/rollups/grain.ts';
import { sha256Of } from '../../../platform/shared/hash.ts';
import { isHeld } from '../../../platform/shared/time/lease.ts';
import { firstImportedDay, type ImportState, type StoredBillSource } from './billSource.ts';

/** Runs start every 15 minutes, some seconds early or late. So a source is imported at every fourth run. */
const INTERVAL_MS = 55 * MINUTE_MS;
/** The pause after the first failure. It doubles with each, up to a maximum. */
const BACKOFF_MS = 10 * MINUTE_MS;
const BACKOFF_MAXIMUM_MS = 6 * HOUR_MS;
/** Doublings after which the maximum is certainly reached. */
const DOUBLINGS_MAXIMUM = 10;
/** Longer than a run can take, so that no run can lose its lease to the next one while it still works. */
export const LEASE_MS = 6 * MINUTE_MS;

/** How long a day whose report cannot be stored waits for another try. */
const RETRY_UNREAD_MS = 6 * HOUR_MS;

/**
 * The starts of the UTC days that an import at `now` reads, earliest first. It reads days that have ended only: the
 * charges of a part of a day compared with all its calls would show a difference that does not exist.
 */
export const daysToImport = (source: StoredBillSource, now: number): number[] => {
  const { imports } = source;
  const today = startOf('day', now);
  const restated = today - RESTATED_DAYS * DAY_MS;
  const from = imports.resume_at ?? Math.min(imports.imported_until ?? firstImportedDay(source), restated);
  return Array.from({ length: Math.max(0, (today - from) / DAY_MS) }, (_, index) => from + index * DAY_MS);
};

/** The days without a readable report that an import at `now` tries again. */
export const unreadDaysToRetry = ({ unread_days: days }: ImportState, now: number): number[] =>
  Object.entries(days)
    .filter(([, { at }]) => !isHeld({ until: at + RETRY_UNREAD_MS }, RETRY_UNREAD_MS, now))
    .map(([day]) => Number(day));

/**
 * The state after a day whose report cannot be stored, at `now`. The import goes on behind it: the other days have nothing
 * to do with it.
 */
export const afterUnreadDay = (
  imports: ImportState,
  day: number,
  error: ImportError,
  now: number,
): ImportState => {
  const end = day + DAY_MS;
  return {
    ...imports,
    imported_until: Math.max(imports.imported_until ?? end, end),
    resume_at: end,
    unread_days: { ...imports.unread_days, [day]: { error, at: now } },
  };
};

/** The state after a day was written. `hasCharges`: the provider published something for it. */
export const afterDay = (imports: ImportState, day: number, hasCharges: boolean): ImportState => {
  const end = day + DAY_MS;
  const { [day]: _read, ...unread_days } = imports.unread_days;
  return {
    ...imports,
    unread_days,
    imported_until: Math.max(imports.imported_until ?? end, end),
    published_until: hasCharges ? Math.max(imports.published_until ?? end, end) : imports.published_until,
    resume_at: end,
  };
};

/** Why a day has no readable report: that of the earliest one. Null if there is none. */
const unreadError = ({ unread_days: days }: ImportState): ImportError | null =>
  Object.entries(days).sort(([one], [other]) => Number(one) - Number(other))[0]?.[1].error ?? null;

/** The state after an import that completed. `startedAt` and `now` are epoch milliseconds. */
export const afterSuccess = (imports: ImportState, startedAt: number, now: number): ImportState => ({
  ...imports,
  due_at: startedAt + INTERVAL_MS,
  failures: 0,
  last_error: unreadError(imports),
  last_success_at: now,
  resume_at: null,
  lease: null,
});

/**
 * The state after an import that did not complete. It resumes at the same day: at the next run if only its time was over,
 * otherwise after a growing pause, and not before the provider allows it (`wait`, milliseconds).
 */
export const afterFailure = (
  imports: ImportState,
  { error, wait }: { readonly error: ImportError; readonly wait: number },
  now: number,
): ImportState => {
  const failures = error === 'slow' ? imports.failures : imports.failures + 1;
  const backoff = BACKOFF_MS * 2 ** Math.min(DOUBLINGS_MAXIMUM, Math.max(0, failures - 1));
  const pause = error === 'slow' ? 0 : Math.max(wait, Math.min(BACKOFF_MAXIMUM_MS, backoff));
  return { ...imports, due_at: now + pause, failures, last_error: error, lease: null };
};

/** A number in [0, 1) that differs between runs. */
const fractionOf = (holder: string): number => sha256Of('lease', holder).readUInt32BE() / 2 ** 32;

/**
 * The source at `now` (epoch milliseconds), with the failure of a run that stopped without an end: its lease has expired,
 * and a run that works renews it. The file of a bill can crash the worker or use up its time, so this counts as any failure
 * does. The pause is up to twice as long, at random: a crash interrupts all sources that the worker imports, and one of them
 * must not interrupt the others again and again.
 */
export const withInterruption = (source: StoredBillSource, now: number): StoredBillSource => {
  const { imports } = source;
  if (imports.lease === null || isHeld(imports.lease, LEASE_MS, now)) return source;
  const stoppedAt = imports.lease.until - LEASE_MS;
  const failed = afterFailure(imports, { error: 'interrupted', wait: 0 }, stoppedAt);
  const pause = (failed.due_at - stoppedAt) * (1 + fractionOf(imports.lease.holder));
  // The clock of the run was ahead of time: no time has passed since.
  const due_at = stoppedAt > now ? now : stoppedAt + Math.round(Math.min(BACKOFF_MAXIMUM_MS, pause));
  return { ...source, imports: { ...failed, due_at } };
};

/** Whether a run at `now` (epoch milliseconds) may take the source. No pause is longer than the maximum. */
export const isDue = (source: StoredBillSource, now: number): boolean => {
  const { paused, imports } = withInterruption(source, now);
  const isPausing = isHeld({ until: imports.due_at }, BACKOFF_MAXIMUM_MS, now);
  return !paused && !isPausing && imports.lease === null;
};
