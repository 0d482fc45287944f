import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../../schemas/durations.ts';

/** A distribution of traffic over the day and week, in UTC. */
export type TrafficPattern = 'office' | 'consumer' | 'night' | 'steady';

/** Share of calls in bursts: real calls come from jobs, deployments and busy users, not evenly spread. */
const BURST_SHARE = 0.95;
/** Bursts of an hour, of a minute each. */
const BURSTS = 2;

const bell = (hour: number, peak: number, width: number): number => Math.exp(-(((hour - peak) / width) ** 2));

/** Relative traffic of an hour (0 to 23) of a weekday (0 is Sunday). Never 0, so that every window has hours to draw. */
const weightOf = (pattern: TrafficPattern, hour: number, weekday: number): number => {
  const weekend = weekday === 0 || weekday === 6;
  switch (pattern) {
    case 'office':
      return weekend ? 0.04 : 0.04 + bell(hour, 10, 2.5) + bell(hour, 15, 2.5);
    case 'consumer':
      return (0.15 + 0.6 * bell(hour, 12, 3) + bell(hour, 20, 3)) * (weekend ? 1.25 : 1);
    case 'night':
      return hour >= 1 && hour < 5 ? 1 : 0.000_001;
    case 'steady':
      return 1;
  }
};

/** The time within an hour for a position in [0, 1). The hour decides in which minutes its bursts are. */
const timeWithinHour = (hour: number, position: number): number => {
  if (position >= BURST_SHARE) return Math.floor(((position - BURST_SHARE) / (1 - BURST_SHARE)) * HOUR_MS);
  const inBursts = (position / BURST_SHARE) * BURSTS;
  const burst = Math.floor(inBursts);
  // Distinct minutes, because the bursts of an hour are 20 minutes apart.
  const minute = (hour * 7 + burst * 20) % 60;
  return minute * MINUTE_MS + Math.floor((inBursts - burst) * MINUTE_MS);
};

/**
 * Returns a function that draws an instant from the window before `end` (epoch milliseconds). The first position selects
 * the hour by the weights of the pattern, the second the time within the hour. Both are in [0, 1).
 */
export const instantSampler = (pattern: TrafficPattern, end: number, days: number) => {
  const start = end - days * DAY_MS;
  const hours = Array.from({ length: Math.max(1, Math.ceil(days * 24)) }, (_, index) => {
    const from = Math.ceil((start + index * HOUR_MS) / MINUTE_MS) * MINUTE_MS;
    const middle = new Date(from + HOUR_MS / 2);
    return { index, from, weight: weightOf(pattern, middle.getUTCHours(), middle.getUTCDay()) };
  });
  let sum = 0;
  const ends = hours.map(({ weight }) => (sum += weight));
  return (hourPosition: number, position: number): number => {
    const hour = hours[ends.findIndex((upTo) => hourPosition * sum < upTo)] ?? hours[0];
    const at = (hour?.from ?? start) + timeWithinHour(hour?.index ?? 0, position);
    return Math.min(at, end - 1);
  };
};
