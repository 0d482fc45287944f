/** Converts a median absolute deviation to a standard deviation, for normal values: 1 / Φ⁻¹(3/4). */
export const MAD_TO_SIGMA = 1.4826;

/** The median of numbers: the middle one, or the mean of the two middle ones. 0 for an empty list. */
export const medianOf = (values: readonly number[]): number => {
  const sorted = values.toSorted((one, other) => one - other);
  const [lower = 0, upper = 0] = [
    sorted[Math.floor((sorted.length - 1) / 2)],
    sorted[Math.floor(sorted.length / 2)],
  ];
  return (lower + upper) / 2;
};
