/** Ends the lane before a label. Labels are JSON, which holds no control character. */
const END = '\u0002';

/** The lane of a call. Undefined for the home lane. */
export const foreignLane = (residency: string | null, home: string | null): string | undefined =>
  residency === home ? undefined : (residency ?? undefined);

/** A label of a lane. A name of one lane is never predicted in another, so the same names are another label there. */
export const labelInLane = (label: string, lane: string | undefined): string =>
  lane === undefined ? label : `${lane}${END}${label}`;

/** The lane of the calls that have a label. Undefined for the home lane. */
export const laneOfLabel = (label: string): string | undefined =>
  label.includes(END) ? label.slice(0, label.indexOf(END)) : undefined;

export const withoutLane = (label: string): string => label.slice(label.indexOf(END) + 1);
