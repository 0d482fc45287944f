/** Validity of a version in epoch milliseconds. `to` is null for the newest version. */
export interface Validity {
  readonly version: number;
  readonly from: number;
  readonly to: number | null;
}

/**
 * Whether a version had begun at an instant. The first version of a record always counts as begun, because clocks differ:
 * a list must never miss an existing record, but may include one that arrives meanwhile.
 */
export const hasBegun = ({ version, from }: Validity, asOf: number): boolean => version === 1 || from <= asOf;

/**
 * Age in milliseconds at which every read sees a version as committed. Lists in which the versions of a record are not
 * adjacent select by validity alone, so they read as of this much earlier. Writers set the start of a version to the
 * time of the write, and give up before this time has passed.
 */
export const VISIBILITY_LAG_MS = 5_000;

/** Whether a version was valid at an instant, by its own validity. */
export const isVisibleAt = (validity: Validity, asOf: number): boolean =>
  hasBegun(validity, asOf) && (validity.to === null || validity.to > asOf);
