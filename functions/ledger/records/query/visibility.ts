import type { StoredEvent } from '../storedEvent.ts';

/** Validity of a version in epoch milliseconds. `to` is null for the newest version. */
export interface Validity {
  readonly version: number;
  readonly from: number;
  readonly to: number | null;
  /** When it was read, by the clock of the reader. Absent if that is not known. */
  readonly readAt?: number;
}

/** More than the clocks of two machines differ. */
const CLOCK_SLACK_MS = 5_000;

/**
 * Whether an instant at which a version began or ended is over at `asOf`. A writer cannot have written after the version was
 * read, so an instant later than that comes from a clock that was ahead: the write is over, whatever time it names.
 */
const isOver = (instant: number, { readAt }: Validity, asOf: number): boolean =>
  instant <= asOf || (readAt !== undefined && instant > readAt + CLOCK_SLACK_MS);

/** Whether a version was written until an instant. */
export const isWritten = (validity: Validity, asOf: number): boolean => isOver(validity.from, validity, asOf);

/** When a version was written, epoch milliseconds. The first one begins earlier, if its event waited. */
export const writtenAt = (
  { version, from }: Validity,
  { recorded_at }: Pick<StoredEvent, 'recorded_at'>,
): number => (version > 1 || recorded_at === undefined ? from : Math.max(from, Date.parse(recorded_at)));

/** Whether a version was in the ledger at an instant. */
export const isRecorded = (
  validity: Validity,
  storedEvent: Pick<StoredEvent, 'recorded_at'>,
  asOf: number,
): boolean => isOver(writtenAt(validity, storedEvent), validity, asOf);

/**
 * Whether a version had begun at an instant. The first version of a record always counts as begun, because clocks differ:
 * a list must never miss an existing record, but may include one that arrives meanwhile.
 */
export const hasBegun = (validity: Validity, asOf: number): boolean =>
  validity.version === 1 || isWritten(validity, asOf);

/**
 * Age in milliseconds at which every read sees a version as committed. Lists in which the versions of a record are not
 * adjacent select by validity alone, so they read as of this much earlier. Writers set the start of a version to the
 * time of the write, and give up before this time has passed.
 */
export const VISIBILITY_LAG_MS = 5_000;

/** Whether a version was valid at an instant, by its own validity. */
export const isVisibleAt = (validity: Validity, asOf: number): boolean =>
  hasBegun(validity, asOf) && (validity.to === null || !isOver(validity.to, validity, asOf));
