/** The least value that at least `share` of the values do not exceed (nearest rank); NaN of no values. */
export const percentile = (values: readonly number[], share: number): number => {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
};

export const median = (values: readonly number[]): number => percentile(values, 0.5);

/** The usual three of a latency. */
export const latencies = (milliseconds: readonly number[]) => ({
  'p50 ms': median(milliseconds),
  'p95 ms': percentile(milliseconds, 0.95),
  'p99 ms': percentile(milliseconds, 0.99),
});

export const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/** Unbiased sample variance. */
export const variance = (values: readonly number[]): number => {
  const centre = mean(values);
  return values.reduce((sum, value) => sum + (value - centre) ** 2, 0) / (values.length - 1);
};

/** Welch's t statistic of two samples, each without its slowest hundredth: what a machine adds now and then tells nothing. */
export const welch = (one: readonly number[], other: readonly number[]): number => {
  const kept = (values: readonly number[]) => {
    const most = percentile(values, 0.99);
    return values.filter((value) => value <= most);
  };
  const [left, right] = [kept(one), kept(other)];
  const error = Math.sqrt(variance(left) / left.length + variance(right) / right.length);
  return (mean(left) - mean(right)) / error;
};
