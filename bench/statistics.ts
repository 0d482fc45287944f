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
