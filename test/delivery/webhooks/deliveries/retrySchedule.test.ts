import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  ATTEMPTS_MINIMUM,
  BACKOFF_CAP_MS,
  backoffCap,
  decideRetry,
  RETRY_HORIZON_MS,
  type RetryDecision,
} from '../../../../functions/delivery/webhooks/deliveries/retrySchedule.ts';
import type { Failure } from '../../../../functions/platform/egress/outcome.ts';
import { parseRetryAfter } from '../../../../functions/platform/egress/retryAfter.ts';
import { answered, unanswered } from '../egressOutcomes.ts';

const NOW = Date.parse('2026-11-21T10:00:00Z');
const SECOND = 1_000;
const HOUR = 3_600 * SECOND;

/** A linear congruential generator (Numerical Recipes), so that a failure repeats. */
const seeded = (seed: number) => {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
};

const decide = (
  outcome: Parameters<typeof decideRetry>[0],
  options: { readonly attempts?: number; readonly now?: number; readonly uniform?: () => number } = {},
): RetryDecision => {
  const { attempts = 1, now = NOW, uniform = () => 0.5 } = options;
  return decideRetry(outcome, { attempts, firstAt: NOW }, { now, uniform });
};

describe('decideRetry', () => {
  it.each([200, 201, 202, 204, 299])('acknowledges the delivery for status %d', (status) => {
    expect(decide(answered(status))).toEqual({ kind: 'acknowledged' });
  });

  it.each([400, 401, 403, 404, 409, 422, 429, 500, 502, 503, 599, 999])('retries for status %d', (status) => {
    expect(decide(answered(status))).toMatchObject({ kind: 'retry' });
  });

  it.each<Failure>(['dns', 'connect', 'tls', 'timeout', 'redirect', 'reset', 'protocol'])(
    'retries for the failure %s',
    (failure) => {
      expect(decide(unanswered(failure))).toMatchObject({ kind: 'retry' });
    },
  );

  it.each<[Failure, string]>([
    ['refused_url', 'refused'],
    ['refused_address', 'refused'],
    ['too_large', 'too_large'],
  ])('dead-letters for the failure %s with reason %s', (failure, reason) => {
    expect(decide(unanswered(failure))).toEqual({ kind: 'dead_lettered', reason });
  });

  it('retries for status 410, and dead-letters with reason gone after 24 hours', () => {
    const outcomes = [NOW, NOW + RETRY_HORIZON_MS].map((now, index) =>
      decide(answered(410), { now, attempts: 1 + index * ATTEMPTS_MINIMUM }),
    );

    expect(outcomes).toMatchObject([{ kind: 'retry' }, { kind: 'dead_lettered', reason: 'gone' }]);
  });
});

describe('backoffCap', () => {
  it('triples from five seconds up to six hours', () => {
    const seconds = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 1_000].map((attempt) => backoffCap(attempt) / SECOND);

    expect(seconds).toEqual([5, 15, 45, 135, 405, 1_215, 3_645, 10_935, 21_600, 21_600, 21_600]);
  });
});

describe('the retry delay', () => {
  /** Kolmogorov-Smirnov statistic: the largest distance between the sample and the uniform distribution. */
  const distanceFromUniform = (sample: readonly number[]): number =>
    Math.max(
      ...sample
        .toSorted((one, other) => one - other)
        .map((value, index) => Math.max(value - index / sample.length, (index + 1) / sample.length - value)),
    );

  it.each([1, 2, 5, 8, 12])('after attempt %d is uniform from 0 to the cap', (attempts) => {
    const uniform = seeded(attempts);
    const draws = Array.from({ length: 2_000 }, () => decide(answered(500), { attempts, uniform }));

    const waits = draws.map((next) => (next.kind === 'retry' ? next.at - NOW : Number.NaN));

    // 1.63 / √n is the critical value at 1 %.
    expect(distanceFromUniform(waits.map((wait) => wait / backoffCap(attempts)))).toBeLessThan(
      1.63 / Math.sqrt(waits.length),
    );
  });

  it('is cut at the 24-hour horizon, where the last attempt is made', () => {
    const now = NOW + RETRY_HORIZON_MS - HOUR;

    expect(decide(answered(500), { attempts: 12, now, uniform: () => 0.999 })).toEqual({
      kind: 'retry',
      at: NOW + RETRY_HORIZON_MS,
    });
    expect(decide(answered(500), { attempts: 13, now: NOW + RETRY_HORIZON_MS })).toEqual({
      kind: 'dead_lettered',
      reason: 'exhausted',
    });
  });

  it('makes five attempts, the last ones within minutes, if the service stood still until after the horizon', () => {
    const overloaded = answered(503, String(12 * 3_600));
    fc.assert(
      fc.property(fc.integer({ min: 1, max: ATTEMPTS_MINIMUM }), fc.integer(), (made, seed) => {
        const uniform = seeded(seed);
        const woken = NOW + 3 * RETRY_HORIZON_MS;
        let [attempts, now] = [made, woken];
        for (;;) {
          const next = decide(overloaded, { attempts, now, uniform });
          if (next.kind !== 'retry') break;
          [attempts, now] = [attempts + 1, next.at];
        }

        expect(attempts).toBe(ATTEMPTS_MINIMUM);
        expect(now - woken).toBeLessThan(HOUR);
      }),
    );
  });

  it('spreads retries over 24 hours and no longer, for any draws', () => {
    fc.assert(
      fc.property(fc.integer(), fc.integer({ min: 0, max: 10_000 }), (seed, duration) => {
        const uniform = seeded(seed);
        const instants = [NOW];
        let next = decide(answered(500), { attempts: 1, now: NOW + duration, uniform });
        while (next.kind === 'retry') {
          instants.push(next.at);
          next = decide(answered(500), { attempts: instants.length, now: next.at + duration, uniform });
        }

        expect(next).toEqual({ kind: 'dead_lettered', reason: 'exhausted' });
        expect(instants.at(-1)).toBeGreaterThan(NOW + RETRY_HORIZON_MS - 10_001);
        expect(instants.at(-1)).toBeLessThanOrEqual(NOW + RETRY_HORIZON_MS);
        expect(instants.length).toBeGreaterThan(8);
        expect(instants.length).toBeLessThan(60);
      }),
    );
  });
});

describe('Retry-After', () => {
  it.each([
    ['120', 120 * SECOND],
    [' 120 ', 120 * SECOND],
    ['0', 0],
    ['999999999999', BACKOFF_CAP_MS],
    ['9'.repeat(400), BACKOFF_CAP_MS],
    ['Sat, 21 Nov 2026 10:02:00 GMT', 120 * SECOND],
    ['Sat, 21 Nov 2026 09:00:00 GMT', 0],
    ['Sat, 21 Nov 2099 10:00:00 GMT', BACKOFF_CAP_MS],
    ['Sat, 99 Nov 2026 10:00:00 GMT', 0],
    ['2026-11-21T10:02:00Z', 0],
    ['-5', 0],
    ['1.5', 0],
    ['soon', 0],
    ['', 0],
    [null, 0],
  ])('%.40s gives a delay of %d ms', (field, expected) => {
    expect(parseRetryAfter(field, NOW)).toBe(expected);
  });

  it.each([429, 503])('of a %d adds to the random delay', (status) => {
    expect(decide(answered(status, '600'))).toEqual({
      kind: 'retry',
      at: NOW + 600 * SECOND + backoffCap(1) / 2,
    });
  });

  it('of another status is ignored', () => {
    expect(decide(answered(500, '600'))).toEqual({ kind: 'retry', at: NOW + backoffCap(1) / 2 });
  });

  it('does not extend the delay beyond the horizon', () => {
    expect(decide(answered(503, '999999'), { now: NOW + 23 * HOUR })).toEqual({
      kind: 'retry',
      at: NOW + RETRY_HORIZON_MS,
    });
  });
});
