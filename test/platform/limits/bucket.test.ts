import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  bucketOf,
  bucketStateAt,
  latestAdmitting,
  limitOf,
  secondsUntilFits,
} from '../../../functions/platform/limits/bucket.ts';
import { aTenant } from '../../attribution/engine/events.ts';

const NOW = Date.parse('2026-03-15T12:00:00Z') * 1_000;
const SECOND = 1_000_000;

const buckets = fc
  .record({
    rate: fc.oneof(
      fc.constantFrom(0.02, 0.1, 3, 7.5, 5_000),
      fc.double({ min: 0.01, max: 20_000, noNaN: true }),
    ),
    burst: fc.integer({ min: 1, max: 20_000 }),
    scale: fc.constantFrom(0.001, 0.5, 1, 3),
  })
  .map(({ rate, burst, scale }) => bucketOf({ rate, burst }, scale));
/** A bucket in any state that charges until NOW can produce. */
const states = buckets.chain((bucket) =>
  fc.record({
    bucket: fc.constant(bucket),
    tat: fc.integer({ min: NOW - 10 * SECOND, max: NOW + bucket.capacity }),
    cost: fc.integer({ min: 1, max: bucket.limit.burst }),
  }),
);

it('never refills faster than the rate, rounding included', () => {
  fc.assert(
    fc.property(buckets, ({ interval, limit, capacity }) => {
      expect(Number.isSafeInteger(NOW + capacity)).toBe(true);
      expect(interval * limit.rate).toBeGreaterThanOrEqual(SECOND * (1 - 1e-9));
      expect(capacity).toBe(interval * limit.burst);
    }),
  );
});

it('reports as remaining exactly the tokens that are still admitted', () => {
  fc.assert(
    fc.property(states, ({ bucket, tat, cost }) => {
      const { remaining, limit } = bucketStateAt(bucket, tat, NOW);

      expect(remaining >= cost).toBe(Math.max(tat, NOW) <= latestAdmitting(bucket, cost, NOW));
      expect(remaining).toBeGreaterThanOrEqual(0);
      expect(remaining).toBeLessThanOrEqual(limit);
    }),
  );
});

it('reports the seconds until the bucket is full, rounded up to the next second', () => {
  fc.assert(
    fc.property(states, ({ bucket, tat }) => {
      const { reset } = bucketStateAt(bucket, tat, NOW);

      expect(Number.isInteger(reset)).toBe(true);
      expect(bucketStateAt(bucket, tat, NOW + reset * SECOND).remaining).toBe(bucket.limit.burst);
      if (reset > 0) expect(bucketStateAt(bucket, tat, NOW + reset * SECOND - SECOND).reset).toBe(1);
    }),
  );
});

it('reports the minimum seconds after which a refused call is admitted', () => {
  fc.assert(
    fc.property(states, ({ bucket, tat, cost }) => {
      fc.pre(tat > latestAdmitting(bucket, cost, NOW));
      const wait = secondsUntilFits(bucket, tat, cost, NOW);

      expect(wait).toBeGreaterThanOrEqual(1);
      expect(tat).toBeLessThanOrEqual(latestAdmitting(bucket, cost, NOW + wait * SECOND));
      if (wait > 1) expect(tat).toBeGreaterThan(latestAdmitting(bucket, cost, NOW + (wait - 1) * SECOND));
    }),
  );
});

it('treats a bucket charged far ahead of this clock as empty', () => {
  const bucket = bucketOf({ rate: 10, burst: 20 });

  const states = [NOW + 3_600 * SECOND, NOW, 0].map((tat) => bucketStateAt(bucket, tat, NOW));

  expect(states).toEqual([
    { limit: 20, remaining: 0, reset: 2 },
    { limit: 20, remaining: 20, reset: 0 },
    { limit: 20, remaining: 20, reset: 0 },
  ]);
});

describe('the limit of a tenant', () => {
  it.each([
    ['free', 'read', { rate: 10, burst: 20 }],
    ['standard', 'write', { rate: 10, burst: 40 }],
    ['enterprise', 'ingest', { rate: 5_000, burst: 20_000 }],
    ['free', 'bulk', { rate: 0.02, burst: 2 }],
  ] as const)('on the plan %s for %s is %o', (plan, rateClass, limit) => {
    expect(limitOf({ plan, limits: {} }, rateClass)).toEqual(limit);
  });

  it('is the override of the operator, for its class only', () => {
    const tenant = aTenant({ plan: 'free', limits: { ingest: { rate: 1, burst: 7 } } });

    expect([limitOf(tenant, 'ingest').burst, limitOf(tenant, 'read').burst]).toEqual([7, 20]);
  });

  it.each([
    [1, 20, 10],
    [2, 40, 20],
    [0.1, 2, 1],
    // A bucket without capacity would refuse forever.
    [0.001, 1, 0.01],
  ])('times %d has burst %d and rate %d', (scale, burst, rate) => {
    expect(bucketOf({ rate: 10, burst: 20 }, scale).limit).toEqual({ burst, rate });
  });
});
