import { describe, expect, it } from 'vitest';
import { constantTimeRejection } from '../../../functions/identity/access/constantTimeRejection.ts';
import { caller } from '../../platform/http/harness.ts';

/** A fake stopwatch that advances only when code waits or works. */
const watchAt = (start: number) => {
  let at = start;
  return {
    now: () => at,
    work: (milliseconds: number) => {
      at += milliseconds;
    },
    until: async (instant: number) => {
      at = Math.max(at, instant);
    },
  };
};

const timeOf = async (outcome: 'invalid' | 'expired' | typeof caller, takes: number): Promise<number> => {
  const watch = watchAt(5_000.25);
  const authenticate = constantTimeRejection(async () => {
    watch.work(takes);
    return outcome;
  }, watch);
  await authenticate('ask_', 0);
  return watch.now() - 5_000.25;
};

describe('constantTimeRejection', () => {
  it('gives all rejections the same duration, independent of the lookup', async () => {
    const times = await Promise.all([0, 0.3, 4, 17, 29.9].map((takes) => timeOf('invalid', takes)));

    expect(times).toEqual([30, 30, 30, 30, 30]);
  });

  it('rounds a slow refusal up to the next step', async () => {
    expect([await timeOf('invalid', 30), await timeOf('invalid', 59)]).toEqual([60, 60]);
  });

  it('does not delay a valid credential', async () => {
    expect([await timeOf(caller, 3), await timeOf('expired', 3)]).toEqual([3, 3]);
  });
});
