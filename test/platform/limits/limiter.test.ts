import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { bucketOf, latestAdmitting, MAX_CLOCK_SKEW } from '../../../functions/platform/limits/bucket.ts';
import { type Limiter, limiter, type RateLimitDecision } from '../../../functions/platform/limits/limiter.ts';
import type { Limit } from '../../../schemas/platform/limits.ts';
import { aTenant } from '../../attribution/engine/events.ts';
import { inMemoryBucketStore } from './inMemoryBucketStore.ts';

const NOON = Date.parse('2026-03-15T12:00:00Z');
/** Lifetime of a lease in microseconds: the maximum error of the level of a full bucket. */
const LEASE = 200_000;
const LEASING_BURST = 2_000;

/** Limits at the boundaries of the rules: tiny, with leases, and with a refill within the lifetime of a lease. */
const limits = fc.oneof(
  fc.record({ rate: fc.constantFrom(0.5, 3, 10, 700), burst: fc.integer({ min: 1, max: 40 }) }),
  fc.record({ rate: fc.constantFrom(500, 5_000, 20_000), burst: fc.integer({ min: 1_990, max: 2_400 }) }),
  fc.constant({ rate: 5_000, burst: 20_000 }),
);
const steps = fc.array(
  fc.record({
    /** Milliseconds since the previous step. */
    pause: fc.oneof(
      { weight: 4, arbitrary: fc.nat({ max: 15 }) },
      { weight: 1, arbitrary: fc.nat({ max: 3_000 }) },
    ),
    instance: fc.nat({ max: 2 }),
    /** The cost of the call as a share of the burst. */
    share: fc.oneof(
      { weight: 8, arbitrary: fc.constant(0) },
      { weight: 3, arbitrary: fc.double({ min: 0, max: 0.05, noNaN: true }) },
      { weight: 1, arbitrary: fc.double({ min: 0, max: 1, noNaN: true }) },
    ),
    /** The number of simultaneous calls. */
    calls: fc.oneof(
      { weight: 3, arbitrary: fc.constant(1) },
      { weight: 1, arbitrary: fc.integer({ min: 2, max: 15 }) },
    ),
  }),
  { maxLength: 60, size: 'max' },
);

interface Admission {
  /** Epoch microseconds. */
  readonly at: number;
  readonly cost: number;
}

/** Three limiters with a shared store, on one clock unless a test gives each its own. */
const prepare = (limit: Limit) => {
  const clock = { now: NOON };
  const { store, charged } = inMemoryBucketStore();
  const tenant = aTenant({ limits: { ingest: limit } });
  const instances = Array.from({ length: 3 }, () => limiter(store, { clock: () => clock.now }));
  const charge = (instance: number, cost: number): Promise<RateLimitDecision> => {
    const one: Limiter | undefined = instances[instance];
    if (one === undefined) throw new RangeError('no such instance');
    return one.charge({ tenant, principal: 'key_1', rateClass: 'ingest', cost });
  };
  return { clock, charged, charge, bucket: bucketOf(limit) };
};
const costOf = (share: number, { burst }: Limit) => Math.max(1, Math.round(share * burst));

/** The maximum excess of admissions over the refill in any window (Lindley's recursion over all windows). */
const largestBacklog = (admissions: readonly Admission[], interval: number): number => {
  let [backlog, largest, before] = [0, 0, 0];
  for (const { at, cost } of admissions) {
    backlog = Math.max(0, backlog - (at - before)) + cost * interval;
    [largest, before] = [Math.max(largest, backlog), at];
  }
  return largest;
};

it('admits no more than burst + rate × time in any window', async () => {
  /** Milliseconds before the final drain of the bucket: below and above the lifetime of a lease. */
  const rests = fc.nat({ max: 250 });

  await fc.assert(
    fc.asyncProperty(limits, steps, rests, async (limit, sequence, rest) => {
      const { clock, charge, bucket } = prepare(limit);
      const admissions: Admission[] = [];
      const take = async (instance: number, cost: number): Promise<boolean> => {
        const { outcome } = await charge(instance % 3, cost);
        if (outcome === 'admitted') admissions.push({ at: clock.now * 1_000, cost });
        return outcome === 'admitted';
      };

      for (const { pause, instance, share, calls } of sequence) {
        clock.now += pause;
        const cost = costOf(share, limit);
        await Promise.all(Array.from({ length: calls }, (_, index) => take(instance + index, cost)));
      }
      clock.now += rest;
      for (const cost of [1_000, 100, 10, 1]) {
        let refusals = 0;
        // Each function may still hold a lease. An infinite bucket fails the assertion.
        for (let turn = 0; refusals < 3 && turn < 300; turn += 1) {
          refusals = (await take(turn, cost)) ? 0 : refusals + 1;
        }
      }

      expect(largestBacklog(admissions, bucket.interval)).toBeLessThanOrEqual(bucket.capacity);
    }),
    { numRuns: 1_000 },
  );
});

it('refuses only what an exact bucket would refuse, apart from leased tokens', async () => {
  await fc.assert(
    fc.asyncProperty(limits, steps, async (limit, sequence) => {
      const { clock, charge, charged, bucket } = prepare(limit);
      const hold = limit.burst < LEASING_BURST ? 0 : LEASE;
      // The exact bucket: charged by every admitted call at its time.
      let exact = 0;
      let admitted = 0;

      for (const { pause, instance, share } of sequence) {
        clock.now += pause;
        const now = clock.now * 1_000;
        const cost = costOf(share, limit);
        const { outcome } = await charge(instance, cost);
        if (outcome === 'admitted') {
          exact = Math.max(exact, now) + cost * bucket.interval;
          admitted += cost * bucket.interval;
        } else {
          const lost = hold + charged() - admitted;
          expect(Math.max(exact, now) + lost).toBeGreaterThan(latestAdmitting(bucket, cost, now));
        }
      }
      if (hold === 0) expect(charged()).toBe(admitted);
    }),
    { numRuns: 1_000 },
  );
});

it('admits a refused call after its retry time', async () => {
  await fc.assert(
    fc.asyncProperty(limits, steps, fc.nat({ max: 2 }), async (limit, sequence, other) => {
      const { clock, charge } = prepare(limit);

      for (const { pause, instance, share } of sequence) {
        clock.now += pause;
        const cost = costOf(share, limit);
        const decision = await charge(instance, cost);
        if (decision.outcome !== 'refused') continue;
        clock.now += decision.retryAfter * 1_000;
        expect((await charge(other, cost)).outcome).toBe('admitted');
      }
    }),
    { numRuns: 200 },
  );
});

it('refills no more than the time span of clocks that differ by less than the tolerance', async () => {
  const offsets = fc.array(fc.nat({ max: MAX_CLOCK_SKEW / 1_000 }), { maxLength: 60, size: 'max' });

  await fc.assert(
    fc.asyncProperty(limits, offsets, fc.nat({ max: 2 }), async (limit, sequence, first) => {
      const { clock, charge, bucket } = prepare(limit);
      let [earliest, latest, consumed] = [Number.POSITIVE_INFINITY, 0, 0];

      for (const [index, offset] of sequence.entries()) {
        clock.now = NOON + offset;
        [earliest, latest] = [Math.min(earliest, clock.now), Math.max(latest, clock.now)];
        const cost = costOf(index % 3 === 0 ? 1 : 0.01, limit);
        const { outcome } = await charge((first + index) % 3, cost);
        if (outcome === 'admitted') consumed += cost * bucket.interval;
      }

      expect(consumed).toBeLessThanOrEqual(bucket.capacity + Math.max(0, latest - earliest) * 1_000);
    }),
    { numRuns: 200 },
  );
});

it('refills no more than the forward movement of a clock that jumps', async () => {
  const jumps = fc.array(fc.constantFrom(-3_600_000, -5_000, 0, 0, 1, 5_000, 3_600_000), {
    maxLength: 60,
    size: 'max',
  });

  await fc.assert(
    fc.asyncProperty(limits, jumps, fc.nat({ max: 2 }), async (limit, sequence, first) => {
      const { clock, charge, bucket } = prepare(limit);
      let [refilled, consumed] = [0, 0];

      for (const [index, jump] of sequence.entries()) {
        clock.now += jump;
        refilled += Math.max(0, jump) * 1_000;
        const cost = costOf(index % 3 === 0 ? 1 : 0.01, limit);
        const { outcome } = await charge((first + index) % 3, cost);
        if (outcome === 'admitted') consumed += cost * bucket.interval;
      }

      expect(consumed).toBeLessThanOrEqual(bucket.capacity + refilled);
    }),
    { numRuns: 200 },
  );
});

describe('a bucket that was charged by clocks ahead of time', () => {
  /** Milliseconds ahead of the correct clock: within the tolerance, minutes, or a year. */
  const skews = fc.constantFrom(0, 500, 1_500, 30_000, 3_600_000, 365 * 86_400_000);

  it('refuses the correct clock for no longer than the tolerance and one period, and is then full', async () => {
    const charges = fc.array(
      fc.record({
        skew: skews,
        instance: fc.nat({ max: 2 }),
        share: fc.double({ min: 0, max: 1, noNaN: true }),
      }),
      { minLength: 1, maxLength: 20 },
    );

    await fc.assert(
      fc.asyncProperty(limits, charges, fc.nat({ max: 2 }), async (limit, sequence, correct) => {
        const { clock, charge, bucket } = prepare(limit);
        for (const { skew, instance, share } of sequence) {
          clock.now = NOON + skew;
          await charge(instance, costOf(share, limit));
        }
        clock.now = NOON;
        const period = Math.ceil((bucket.capacity + MAX_CLOCK_SKEW) / 1_000);

        const first = await charge(correct, 1);
        if (first.outcome === 'refused') clock.now += Math.min(first.retryAfter * 1_000, period);
        // Only a refused call must be admitted later. After an admitted one, a small bucket can be empty.
        const second = first.outcome === 'refused' ? await charge(correct, 1) : first;
        // Leases that a clock ahead of time has taken end in its future.
        clock.now += period;
        const whole = await charge(correct, limit.burst);

        expect(second.outcome).toBe('admitted');
        expect(whole.outcome).toBe('admitted');
      }),
      { numRuns: 300 },
    );
  });

  it('spends no token of a lease that was taken before the clock was set back', async () => {
    const { clock, charge } = prepare({ rate: 5_000, burst: 20_000 });
    clock.now = NOON + 3_600_000;
    for (let call = 0; call < 10; call += 1) await charge(0, 1);
    clock.now = NOON;

    // The shared bucket is asked: it is charged an hour ahead, so the call is refused and the bucket emptied.
    expect((await charge(0, 1)).outcome).toBe('refused');
  });

  it('admits calls between charges of a clock that stays ahead', async () => {
    const { clock, charge } = prepare({ rate: 10, burst: 20 });
    let admitted = 0;

    for (let second = 0; second < 60; second += 1) {
      clock.now = NOON + second * 1_000 + 3_600_000;
      if (second % 10 === 0) await charge(0, 1);
      clock.now = NOON + second * 1_000;
      for (let call = 0; call < 5; call += 1) {
        const { outcome } = await charge(1, 1);
        if (outcome === 'admitted') admitted += 1;
      }
    }

    // Each of six charges ahead of time empties the bucket: one second of five calls is refused.
    expect(admitted).toBe(60 * 5 - 6 * 5);
  });
});

describe('a bucket', () => {
  const account = (principal: string, tenantId: string, rateClass: 'read' | 'write') => ({
    tenant: aTenant({
      tenant_id: tenantId,
      limits: { read: { rate: 1, burst: 2 }, write: { rate: 1, burst: 2 } },
    }),
    principal,
    rateClass,
  });

  it('belongs to one tenant, principal and rate class', async () => {
    const { store } = inMemoryBucketStore();
    const one = limiter(store, { clock: () => NOON });
    const accounts = [
      account('key_1', 'acme', 'read'),
      account('key_2', 'acme', 'read'),
      account('key_1', 'globex', 'read'),
      account('key_1', 'acme', 'write'),
    ];

    const verdicts = [];
    for (const holder of accounts) {
      for (let call = 0; call < 3; call += 1)
        verdicts.push((await one.charge({ ...holder, cost: 1 })).outcome);
    }

    expect(verdicts).toEqual(accounts.flatMap(() => ['admitted', 'admitted', 'refused']));
  });

  it('returns never, without a charge, for a cost above its capacity', async () => {
    const { store, charged } = inMemoryBucketStore();
    const one = limiter(store, { clock: () => NOON });

    const verdict = await one.charge({ ...account('key_1', 'acme', 'read'), cost: 3 });

    expect(verdict).toEqual({ outcome: 'never', state: { limit: 2, remaining: 2, reset: 0 } });
    expect(charged()).toBe(0);
  });

  it('reports the same state to peek and to the last charge', async () => {
    const { store } = inMemoryBucketStore();
    const one = limiter(store, { clock: () => NOON });
    const holder = account('key_1', 'acme', 'read');

    const { state } = await one.charge({ ...holder, cost: 1 });
    const looked = [await one.peek(holder), await one.peek(holder)];

    expect(state).toEqual({ limit: 2, remaining: 1, reset: 1 });
    expect(looked).toEqual([state, state]);
  });

  it('is multiplied by the scale', async () => {
    const { store } = inMemoryBucketStore();
    const one = limiter(store, { clock: () => NOON, scale: 10 });

    const { state } = await one.charge({ ...account('key_1', 'acme', 'read'), cost: 15 });

    expect(state).toEqual({ limit: 20, remaining: 5, reset: 2 });
  });
});

it('needs far fewer writes than calls when a large bucket is busy', async () => {
  const clock = { now: NOON };
  const { store } = inMemoryBucketStore();
  const charge = vi.fn(store.charge);
  const one = limiter({ ...store, charge }, { clock: () => clock.now });
  const tenant = aTenant({ limits: { ingest: { rate: 5_000, burst: 20_000 } } });

  for (let call = 0; call < 1_000; call += 1) {
    clock.now += 1;
    await one.charge({ tenant, principal: 'key_1', rateClass: 'ingest', cost: 1 });
  }

  expect(charge.mock.calls.length).toBeLessThan(100);
});
