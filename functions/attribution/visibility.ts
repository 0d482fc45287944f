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

/** Whether a version is the one that held at an instant, as far as its own validity tells. */
export const visibleAt = (validity: Validity, asOf: number): boolean =>
  hasBegun(validity, asOf) && (validity.to === null || validity.to > asOf);
