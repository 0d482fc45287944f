import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CLOSING_MS } from '../../../functions/ledger/archive/closing/closeDueDays.ts';
import type { Runs, TaskRuns } from '../../../functions/platform/schedule/taskRuns.store.ts';
import {
  isDue,
  type TenantTask,
  tenantTaskRunner,
} from '../../../functions/platform/schedule/tenantTasks.ts';
import { ThrottledError } from '../../../functions/platform/shared/retry/throttledError.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../schemas/durations.ts';
import { aTenant } from '../../attribution/engine/events.ts';

const NOON = Date.parse('2026-05-14T12:05:00Z');
const tenant = aTenant();

const runsInMemory = (): TaskRuns & { readonly stored: () => Runs } => {
  let runs: Runs = {};
  return {
    read: async () => ({ document: runs, revision: { claim: '', attempt: 0 } }),
    save: async (_, next) => {
      runs = next;
    },
    stored: () => runs,
  };
};

const startRunner = (tasks: readonly TenantTask[], hasTime = () => true) => {
  const time = { now: NOON };
  const failures: string[] = [];
  const runs = runsInMemory();
  const run = tenantTaskRunner({
    tasks,
    runs,
    clock: () => time.now,
    hasTime,
    newClaim: () => 'a claim',
    onFailure: (task) => failures.push(task),
  });
  return { time, failures, runs, run: () => run(tenant) };
};

describe('a task of a day', () => {
  const closing = { periodMs: DAY_MS, offsetMs: CLOSING_MS };

  it('is done once for each day from its hour on, by whichever turn comes first', () => {
    const minutes = fc.integer({ min: 1, max: 26 * 60 });
    fc.assert(
      fc.property(fc.array(minutes, { minLength: 5, maxLength: 200 }), (pauses) => {
        const days = new Set<number>();
        let last = NOON;
        let now = NOON;
        for (const pause of pauses) {
          now += pause * MINUTE_MS;
          if (!isDue(closing, last, now)) continue;
          const day = Math.floor((now - CLOSING_MS) / DAY_MS);
          expect(days.has(day)).toBe(false);
          days.add(day);
          last = now;
        }
        const missing = Math.floor((now - CLOSING_MS) / DAY_MS) - Math.floor((NOON - CLOSING_MS) / DAY_MS);
        // A pause may be longer than a day.
        expect(days.size).toBeGreaterThanOrEqual(missing / 2);
        expect(isDue(closing, last, now)).toBe(false);
      }),
    );
  });

  it('does not wait for the clock when its last run was stored by one that was ahead', () => {
    expect(isDue(closing, NOON + 3 * DAY_MS, NOON)).toBe(true);
  });
});

describe('the tasks of a tenant', () => {
  it('get the time since their last run, and nothing is due twice in a period', async () => {
    const windows: unknown[] = [];
    const runner = startRunner([
      { name: 'work', periodMs: HOUR_MS, run: async (_, window) => void windows.push(window) },
    ]);
    await runner.run();
    runner.time.now += 20 * MINUTE_MS;
    await runner.run();
    runner.time.now += 5 * HOUR_MS;
    await runner.run();

    expect(windows).toEqual([
      { since: NOON - HOUR_MS, now: NOON },
      { since: NOON, now: NOON + 20 * MINUTE_MS + 5 * HOUR_MS },
    ]);
  });

  it('run independently: one that fails runs again alone', async () => {
    const ran: string[] = [];
    let isBroken = true;
    const task = (name: string): TenantTask => ({
      name,
      periodMs: HOUR_MS,
      run: async () => {
        ran.push(name);
        if (name === 'second' && isBroken) throw new Error('a failure');
      },
    });
    const runner = startRunner([task('first'), task('second'), task('third')]);

    await expect(runner.run()).rejects.toThrow('a failure');
    isBroken = false;
    await runner.run();
    await runner.run();

    expect(ran).toEqual(['first', 'second', 'third', 'second']);
    expect(runner.failures).toEqual(['second']);
  });

  it('throw the error of a throttled one, with which the message stays in the queue', async () => {
    const failWith = (name: string, error: Error): TenantTask => ({
      name,
      periodMs: HOUR_MS,
      run: async () => {
        throw error;
      },
    });
    const throttled = new ThrottledError('no capacity');

    await expect(
      startRunner([failWith('one', new Error('a fault')), failWith('other', throttled)]).run(),
    ).rejects.toBe(throttled);
  });

  it('are saved and continued by the next receive when the function has no time left', async () => {
    const ran: string[] = [];
    const task = (name: string): TenantTask => ({
      name,
      periodMs: HOUR_MS,
      run: async () => void ran.push(name),
    });
    const runner = startRunner([task('first'), task('second')], () => false);

    await expect(runner.run()).rejects.toThrow();
    await runner.run();

    expect(ran).toEqual(['first', 'second']);
  });
});
