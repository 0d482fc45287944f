import { describe, expect, it } from 'vitest';
import {
  acquireLease,
  type Backoff,
  backoffFor,
  deferralDelay,
} from '../../../../../functions/delivery/webhooks/deliveries/lease/endpointLease.ts';

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

describe('backoffFor an endpoint that', () => {
  it.each<[string, ReturnType<typeof failingFor> | null, number, Backoff]>([
    ['is healthy and was called a moment ago', failingFor(null), 1_000, FAST],
    ['is healthy but has a long call', failingFor(null), 1_001, SLOW],
    ['failed just now', failingFor(14_999), 9_000, SLOW],
    ['has had no success for 15 seconds', failingFor(15_000), 1, { base: 5_000, cap: 15_000 }],
    ['has had no success for ten minutes', failingFor(10 * MINUTE), 1, { base: 5_000, cap: 10 * MINUTE }],
    ['has had no success for a day', failingFor(24 * 60 * MINUTE), 1, FAILING],
    ['was deleted', null, 1, FAST],
  ])('%s: case %#', (_, endpoint, heldFor, backoff) => {
    expect(backoffFor(endpoint, heldFor, NOW)).toEqual(backoff);
  });
});

describe('acquireLease', () => {
  /** Acquires a lease that another holder has had for the given milliseconds at each attempt. Null: it is free. */
  const acquireAfter = async (heldFor: readonly (number | null)[]) => {
    const remaining = [...heldFor];
    const pauses: number[] = [];
    const outcome = await acquireLease(
      {
        leases: { acquire: async () => remaining.shift() ?? null, release: async () => undefined },
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

  it('retries with growing pauses while the lease was acquired a moment ago', async () => {
    expect(await acquireAfter([10, 20, null])).toEqual({ outcome: null, pauses: [150, 300] });
  });

  it('gives up when the lease is held for over a second, or after 4 attempts', async () => {
    expect(await acquireAfter([1_001])).toEqual({ outcome: 1_001, pauses: [] });
    expect(await acquireAfter([1, 2, 3, 4, null])).toEqual({ outcome: 4, pauses: [150, 300, 450] });
  });
});

describe('deferralDelay', () => {
  const waits = (backoff: Backoff, draw: number) =>
    Array.from({ length: 12 }, (_, times) => (deferralDelay(times, backoff, () => draw) - 1_000) / 1_000);

  it('is at least one second', () => {
    expect(new Set(waits(FAILING, 0))).toEqual(new Set([0]));
  });

  it.each<[string, Backoff, number[]]>([
    ['fast', FAST, [1, 2, 4, 8, 16, 30, 30, 30, 30, 30, 30, 30]],
    ['slow', SLOW, [2, 4, 8, 16, 32, 60, 60, 60, 60, 60, 60, 60]],
    ['failing', FAILING, [5, 10, 20, 40, 80, 160, 320, 640, 900, 900, 900, 900]],
  ])('doubles up to its cap for a %s endpoint', (_, pace, expected) => {
    expect(waits(pace, 1)).toEqual(expected);
  });
});
