import type { Example } from '../observation.ts';

/** A period is at most this fraction of its age long, so a long history has few periods and recent ones are short. */
const AGE_FRACTION = 1 / 12;
/** The first calls of a tenant need enough periods to calibrate and test. */
const FIRST_PERIODS = 10;
/**
 * The oldest period takes what is left when that is less than this many lengths. A short rest of its own could be a single call:
 * a model of it knows one label, and its wrong predictions would refuse that label later.
 */
const OLDEST_LENGTH_MAXIMUM = 1.5;

/**
 * Groups examples in time order into periods, each predicted from the periods before it. The newest ones are as long as a
 * model serves, `interval` milliseconds, because their predictions calibrate the next one. `isFirst`: nothing was learned
 * before. Leaves out empty periods.
 */
export const splitIntoPeriods = (
  examples: readonly Example[],
  { interval, isFirst }: { readonly interval: number; readonly isFirst: boolean },
): Example[][] => {
  const first = examples[0]?.observation.occurredAt ?? 0;
  const end = (examples.at(-1)?.observation.occurredAt ?? 0) + 1;
  const shortest = isFirst ? Math.min(interval, (end - first) / FIRST_PERIODS) : interval;
  const starts: number[] = [];
  for (let start = end; start > first; ) {
    const length = Math.max(shortest, (end - start) * AGE_FRACTION);
    start = start - first < length * OLDEST_LENGTH_MAXIMUM ? first : start - length;
    starts.unshift(start);
  }
  const periods: Example[][] = starts.map(() => []);
  let period = 0;
  for (const example of examples) {
    while ((starts[period + 1] ?? Number.POSITIVE_INFINITY) <= example.observation.occurredAt) period += 1;
    periods[period]?.push(example);
  }
  return periods.filter(({ length }) => length > 0);
};
