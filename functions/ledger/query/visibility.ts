/** When a version began and ceased to hold, epoch milliseconds. */
export interface Validity {
  readonly version: number;
  readonly from: number;
  readonly to: number | null;
}

/**
 * Whether a version had begun by an instant. A record's first version always had, however late its clock says it was
 * written: a walk must never miss a record that was there, and one that arrives meanwhile may be seen.
 */
export const hasBegun = ({ version, from }: Validity, asOf: number): boolean => version === 1 || from <= asOf;

/**
 * How long a version has to be old before every read finds it committed, in milliseconds. Where the versions of a record
 * do not lie side by side a walk goes by their validity alone, so it looks so far back; whoever writes a version lets it
 * begin when it is written, and gives up before this time has gone by.
 */
export const VISIBILITY_LAG_MS = 5_000;

/** Whether a version is the one that held at an instant, as far as its own validity tells. */
export const isVisibleAt = (validity: Validity, asOf: number): boolean =>
  hasBegun(validity, asOf) && (validity.to === null || validity.to > asOf);
