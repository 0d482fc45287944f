/** Percentile by nearest rank: the smallest value with at least `share` of the values at or below it. NaN when empty. */
export const percentile = (values: readonly number[], share: number): number => {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
};

export const median = (values: readonly number[]): number => percentile(values, 0.5);

/** p50, p95 and p99 of latencies in milliseconds, as table cells. */
export const latencies = (milliseconds: readonly number[]) => ({
  'p50 ms': median(milliseconds),
  'p95 ms': percentile(milliseconds, 0.95),
  'p99 ms': percentile(milliseconds, 0.99),
});

export const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/** Unbiased sample variance. */
export const variance = (values: readonly number[]): number => {
  const average = mean(values);
  return values.reduce((sum, value) => sum + (value - average) ** 2, 0) / (values.length - 1);
};

/** Welch's t statistic of two samples. Excludes the slowest 1 % of each, which is machine noise. */
export const welch = (one: readonly number[], other: readonly number[]): number => {
  const trimmed = (values: readonly number[]) => {
    const limit = percentile(values, 0.99);
    return values.filter((value) => value <= limit);
  };
  const [left, right] = [trimmed(one), trimmed(other)];
  const error = Math.sqrt(variance(left) / left.length + variance(right) / right.length);
  return (mean(left) - mean(right)) / error;
};
