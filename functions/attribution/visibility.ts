/** When a version began and ceased to hold, epoch milliseconds. */
export interface Validity {
  readonly version: number;
  readonly from: number;
  readonly to: number | null;
}

/**
 * Whether a walk that reads as of an instant sees a version: the one that held then.
 * A record's first version is seen however late its clock says it was written: a walk must never miss a record
 * that was there, and one that arrives meanwhile may be seen.
 */
export const visibleAt = ({ version, from, to }: Validity, asOf: number): boolean =>
  (version === 1 || from <= asOf) && (to === null || to > asOf);
