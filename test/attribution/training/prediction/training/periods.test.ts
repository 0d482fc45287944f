import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitIntoPeriods } from '../../../../../functions/attribution/training/prediction/training/periods.ts';
import { DAY_MS, HOUR_MS } from '../../../../../schemas/durations.ts';
import { aCall } from '../syntheticTraffic.ts';

const CALLS = 600;
const START = Date.parse('2026-03-01T00:00:00Z');

const callsEvery = (gap: number) =>
  Array.from({ length: CALLS }, (_, index) => ({
    observation: { ...aCall({}), occurredAt: START + Math.floor(index * gap) },
    label: 'team',
  }));

describe('periods of evenly spaced calls, whatever their distance', () => {
  const gaps = fc.double({ min: 1, max: (28 * DAY_MS) / CALLS, noNaN: true });
  const options = fc.record({
    interval: fc.constantFrom(HOUR_MS, 6 * HOUR_MS, DAY_MS),
    isFirst: fc.boolean(),
  });

  it('hold every call once, in order', () => {
    fc.assert(
      fc.property(gaps, options, (gap, how) => {
        const calls = callsEvery(gap);
        expect(splitIntoPeriods(calls, how).flat()).toEqual(calls);
      }),
      { numRuns: 50 },
    );
  });

  it('have an oldest one that is no short rest of history', () => {
    fc.assert(
      fc.property(gaps, options, (gap, how) => {
        const [oldest = [], next = []] = splitIntoPeriods(callsEvery(gap), how);
        expect(oldest.length).toBeGreaterThanOrEqual(Math.floor(next.length * 0.4));
      }),
      { numRuns: 200 },
    );
  });
});
