import { describe, expect, it } from 'vitest';
import {
  acquireLease,
  type Backoff,
  backoffFor,
  deferralDelay,
} from '../../../functions/webhooks/deliveries/endpointLease.ts';

const NOW = Date.parse('2026-11-21T10:00:00.000Z');
const MINUTE = 60_000;
const FAST: Backoff = { base: 1_000, cap: 30_000 };
const SLOW: Backoff = { base: 2_000, cap: MINUTE };
const FAILING: Backoff = { base: 5_000, cap: 15 * MINUTE };
const failingFor = (milliseconds: number | null) => ({
  state: {
    status: 'verified' as const,
    failing_since: milliseconds === null ? null : new Date(NOW - milliseconds).toISOString(),
  },
});

describe('the calls of an endpoint that keeps others waiting', () => {
  it.each<[string, ReturnType<typeof failingFor> | null, number, Backoff]>([
    ['answers, and was called a moment ago', failingFor(null), 1_000, FAST],
    ['answers, but is at it for long', failingFor(null), 1_001, SLOW],
    ['failed just now', failingFor(14_999), 9_000, SLOW],
    ['had no success for a quarter of a minute', failingFor(15_000), 1, { base: 5_000, cap: 15_000 }],
    ['had none for ten minutes', failingFor(10 * MINUTE), 1, { base: 5_000, cap: 10 * MINUTE }],
    ['had none for a day', failingFor(24 * 60 * MINUTE), 1, FAILING],
    ['is gone', null, 1, FAST],
  ])('and %s: %#', (_, endpoint, heldFor, pace) => {
    expect(backoffFor(endpoint, heldFor, NOW)).toEqual(pace);
  });
});

describe('a slot', () => {
  /** A slot that somebody else has had for so long at each look; null where it is free. */
  const lookingAt = async (looks: readonly (number | null)[]) => {
    const left = [...looks];
    const pauses: number[] = [];
    const outcome = await acquireLease(
      {
        leases: { acquire: async () => left.shift() ?? null, release: async () => undefined },
        clock: () => NOW,
        uniform: () => 1,
        pause: async (milliseconds) => {
          pauses.push(milliseconds);
        },
      },
      { tenantId: 'acme', endpointId: 'whe_1' },
      'me',
    );
    return { outcome, pauses };
  };

  it('is waited for a little where it was taken a moment ago', async () => {
    expect(await lookingAt([10, 20, null])).toEqual({ outcome: null, pauses: [150, 300] });
  });

  it('is not waited for where it is held for long, or again and again', async () => {
    expect(await lookingAt([1_001])).toEqual({ outcome: 1_001, pauses: [] });
    expect(await lookingAt([1, 2, 3, 4, null])).toEqual({ outcome: 4, pauses: [150, 300, 450] });
  });
});

describe('a delivery that was turned away', () => {
  const waits = (pace: Backoff, draw: number) =>
    Array.from({ length: 12 }, (_, times) => (deferralDelay(times, pace, () => draw) - 1_000) / 1_000);

  it('waits a second at least', () => {
    expect(new Set(waits(FAILING, 0))).toEqual(new Set([0]));
  });

  it.each<[string, Backoff, number[]]>([
    ['quick', FAST, [1, 2, 4, 8, 16, 30, 30, 30, 30, 30, 30, 30]],
    ['slow', SLOW, [2, 4, 8, 16, 32, 60, 60, 60, 60, 60, 60, 60]],
    ['without success', FAILING, [5, 10, 20, 40, 80, 160, 320, 640, 900, 900, 900, 900]],
  ])('waits longer each time, and so long at most where calls are %s', (_, pace, expected) => {
    expect(waits(pace, 1)).toEqual(expected);
  });
});
