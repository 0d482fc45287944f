import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { indexLag, type OldestPendingMark } from '../../../functions/ledger/freshness/indexLag.ts';
import {
  type ProgressStore,
  progressStore,
  type Stage,
} from '../../../functions/ledger/freshness/progress.store.ts';
import { progressReporter, WINDOW_MS } from '../../../functions/ledger/freshness/progress.ts';
import { completeUntil, UNKNOWN } from '../../../functions/ledger/freshness/totalsLag.ts';
import { startTables } from '../../support/tables.ts';

const NOON = Date.parse('2026-05-01T12:00:00Z');
const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const DAY = 1_440 * MINUTE;

let tenantId: string;
const store = progressStore('counters');

const live = await startTables();
afterAll(() => live.stop());
beforeEach(() => {
  tenantId = randomUUID();
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
});
afterEach(() => vi.restoreAllMocks());

const report = async (stage: Stage, ...times: readonly number[]) => {
  const reportProgress = progressReporter(store);
  for (const at of times) await reportProgress(tenantId, stage, at);
};
/** Without a cache: each reader is a new process. */
const lagAt = (now: number, oldestPendingMark: OldestPendingMark = async () => null) =>
  indexLag({ progress: store, oldestPendingMark }, () => now);

describe('records', () => {
  it('are fresh without any call, and when every accepted call is recorded', async () => {
    expect(await lagAt(NOON).areRecordsStale(tenantId)).toBe(false);

    await report('accepted', NOON - 60 * MINUTE, NOON);
    await report('recorded', NOON - 60 * MINUTE, NOON);

    expect(await lagAt(NOON + 60 * MINUTE).areRecordsStale(tenantId)).toBe(false);
  });

  it.each([
    ['fresh', 89, false],
    ['stale', 90 + 2 * (WINDOW_MS / SECOND), true],
  ])('are %s %d seconds after a call that is not recorded', async (_, seconds, expected) => {
    await report('accepted', NOON);

    expect(await lagAt(NOON + seconds * SECOND).areRecordsStale(tenantId)).toBe(expected);
  });

  it('are stale while a tenant that calls all the time is not recorded, and fresh once the worker has caught up', async () => {
    const calls = Array.from({ length: 60 }, (_, index) => NOON + index * 10 * SECOND);
    const last = NOON + 590 * SECOND;
    await report('accepted', ...calls);
    await report('recorded', NOON);

    expect(await lagAt(last).areRecordsStale(tenantId)).toBe(true);
    await report('recorded', last);
    expect(await lagAt(last).areRecordsStale(tenantId)).toBe(false);
  });

  it('are fresh when a call follows a quiet hour', async () => {
    await report('accepted', NOON);
    await report('recorded', NOON);
    await report('accepted', NOON + 60 * MINUTE);

    expect(await lagAt(NOON + 60 * MINUTE + 80 * SECOND).areRecordsStale(tenantId)).toBe(false);
  });

  it('of one tenant do not depend on another tenant', async () => {
    await report('accepted', NOON);
    const other = randomUUID();

    expect(await lagAt(NOON + 10 * MINUTE).areRecordsStale(other)).toBe(false);
  });

  it('are stale exactly while an accepted window is due and no window from it on is recorded', async () => {
    const window = fc.integer({ min: 0, max: 40 }).map((index) => NOON + index * WINDOW_MS);

    await fc.assert(
      fc.asyncProperty(fc.array(window), fc.array(window), window, async (accepted, recorded, now) => {
        tenantId = randomUUID();
        await report('accepted', ...accepted);
        await report('recorded', ...recorded.filter((at) => at <= now));
        const newest = Math.max(0, ...recorded.filter((at) => at <= now));

        const isMissing = accepted.some((at) => at > newest && at + WINDOW_MS + 90 * SECOND <= now);
        expect(await lagAt(now).areRecordsStale(tenantId)).toBe(isMissing);
      }),
      { numRuns: 40 },
    );
  });
});

describe('totals', () => {
  it.each([
    ['fresh', 80, false],
    ['stale', 91, true],
    ['stale', -6, true],
    ['stale', -3_600, true],
  ])(
    'are %s while a change is pending for %d seconds by the clock, and name its time',
    async (_, seconds, isStale) => {
      const lag = lagAt(NOON + seconds * SECOND, async () => NOON);

      expect(await lag.totalsLag(tenantId)).toEqual({ isStale, incompleteSince: NOON });
      expect(await lag.areRecordsStale(tenantId)).toBe(false);
    },
  );

  it('are stale while accepted calls are not recorded', async () => {
    await report('accepted', NOON);

    expect(await lagAt(NOON + 5 * MINUTE).totalsLag(tenantId)).toEqual({
      isStale: true,
      incompleteSince: null,
    });
  });

  it('are stale, and complete up to no known time, when the pending changes cannot be read', async () => {
    const lag = lagAt(NOON, async () => {
      throw new Error('no table');
    });

    const totals = await lag.totalsLag(tenantId);

    expect(totals).toEqual({ isStale: true, incompleteSince: UNKNOWN });
    expect(completeUntil(NOON, totals, NOON)).toBeNull();
  });

  it.each([
    ['of the pending change', NOON - MINUTE, NOON - MINUTE],
    ['of the look-up, without a pending change', null, NOON],
  ])('are complete up to the last known time %s when the next look-up fails', async (_, since, expected) => {
    const time = { now: NOON };
    let isDown = false;
    const oldestPendingMark = async () => {
      if (isDown) throw new Error('no table');
      return since;
    };
    const lag = indexLag({ progress: store, oldestPendingMark }, () => time.now);
    await lag.totalsLag(tenantId);

    isDown = true;
    time.now += 10 * MINUTE;
    const totals = await lag.totalsLag(tenantId);

    expect(totals.isStale).toBe(true);
    expect(completeUntil(time.now, totals, time.now)).toBe(expected);
  });
});

it('totals are never complete beyond now, whatever clock made the sums and the pending changes', () => {
  const instant = fc.integer({ min: NOON - 2 * DAY, max: NOON + 2 * DAY });
  fc.assert(
    fc.property(fc.option(instant), fc.option(instant), instant, (newest, incompleteSince, now) => {
      const complete = completeUntil(newest, { incompleteSince }, now);
      if (newest === null) expect(complete).toBeNull();
      else expect(complete).toBe(Math.min(newest, incompleteSince ?? now, now));
    }),
  );
});

describe('the cost', () => {
  it('is one write for each tenant, stage and half minute of a process, and two reads in five seconds', async () => {
    const put = vi.fn<ProgressStore['put']>(store.put);
    const find = vi.fn<ProgressStore['find']>(store.find);
    const reportProgress = progressReporter({ put });
    const time = { now: NOON };
    const lag = indexLag({ progress: { find }, oldestPendingMark: async () => null }, () => time.now);

    for (let call = 0; call < 300; call += 1) {
      await reportProgress(tenantId, 'accepted', NOON + call * 100);
      time.now = NOON + call * 16;
      await lag.areRecordsStale(tenantId);
    }

    expect([put.mock.calls.length, find.mock.calls.length]).toEqual([1, 2]);
  });

  it('is no failed call: a report is repeated later, and unknown freshness is stale', async () => {
    let isDown = true;
    const put = vi.fn(async () => {
      if (isDown) throw new Error('no table');
    });
    const reportProgress = progressReporter({ put });
    const find = async () => {
      throw new Error('no table');
    };

    await reportProgress(tenantId, 'accepted', NOON);
    isDown = false;
    await reportProgress(tenantId, 'accepted', NOON);
    await reportProgress(tenantId, 'accepted', NOON);

    expect(put).toHaveBeenCalledTimes(2);
    expect(
      await indexLag({ progress: { find }, oldestPendingMark: async () => null }, () => NOON).areRecordsStale(
        tenantId,
      ),
    ).toBe(true);
  });
});
