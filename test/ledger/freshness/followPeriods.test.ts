import { randomUUID } from 'node:crypto';
import * as fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { completenessReader } from '../../../functions/ledger/freshness/completeTotals.ts';
import {
  type Follower,
  periodFollower,
  type ServedPeriod,
} from '../../../functions/ledger/freshness/followPeriods.ts';
import { progressStore } from '../../../functions/ledger/freshness/progress.store.ts';
import { windowOf } from '../../../functions/ledger/freshness/progress.ts';
import { servedPeriods } from '../../../functions/ledger/freshness/servedPeriods.store.ts';
import { markKeyOf } from '../../../functions/ledger/rollups/marks/pendingMark.store.ts';
import { OutOfTime } from '../../../functions/platform/shared/time/outOfTime.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../schemas/durations.ts';
import { startTables } from '../../support/tables.ts';
import { contentsOf, digestOf } from '../rollups/contents.ts';

const NOON = Date.parse('2026-05-20T12:00:00Z');
const HOURS = 4;
const periods = Array.from({ length: HOURS }, (_, index) => ({
  from: NOON + index * HOUR_MS,
  to: NOON + (index + 1) * HOUR_MS,
}));
const AFTER = NOON + HOURS * HOUR_MS + 10 * MINUTE_MS;

const live = await startTables();
afterAll(() => live.stop());

const aFollower = (members: Partial<Follower> = {}): Follower => ({
  name: 'test',
  grain: 'hour',
  waitMs: DAY_MS,
  againAfterMs: 0,
  servesEmpty: false,
  beginsWith: 'all',
  ...members,
});

/** A follower of one tenant, whose totals the test sets. */
const startFollower = (follower = aFollower()) => {
  const tenantId = randomUUID();
  const totals = new Map<number, number | null>();
  const incomplete = new Set<number>();
  const failing = new Set<number>();
  const served: ServedPeriod[] = [];
  let turns = Number.POSITIVE_INFINITY;
  const follow = periodFollower({
    versions: { read: async () => contentsOf(totals) },
    served: servedPeriods('jobs'),
    readCompleteness: async () => (period) => !incomplete.has(period.from),
    hasTime: () => {
      turns -= 1;
      return turns > 0;
    },
    newClaim: randomUUID,
  });
  const run = (now = AFTER, limit = Number.POSITIVE_INFINITY, basis = follower.basis): Promise<void> => {
    turns = limit;
    const followed = basis === undefined ? follower : { ...follower, basis };
    return follow(tenantId, followed, periods, now, async (period) => {
      if (failing.has(period.from)) throw new Error('this period fails');
      served.push(period);
    });
  };
  return { totals, incomplete, failing, served, run };
};
const digestIn = (content: number | null | undefined): string | null =>
  typeof content === 'number' ? digestOf(content) : null;
const hourOf = ({ from }: ServedPeriod): number => (from - NOON) / HOUR_MS;

it('serves every period with its last totals in the end, whatever is late, changes, fails or runs out of time', async () => {
  const step = fc.record({
    hour: fc.nat({ max: HOURS - 1 }),
    content: fc.option(fc.integer({ min: 1, max: 5 })),
    isIncomplete: fc.boolean(),
    isFailing: fc.boolean(),
    limit: fc.integer({ min: 1, max: HOURS + 1 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
      const { totals, incomplete, failing, served, run } = startFollower();
      for (const { hour, content, isIncomplete, isFailing, limit } of steps) {
        const start = NOON + hour * HOUR_MS;
        totals.set(start, content);
        if (isIncomplete) incomplete.add(start);
        else incomplete.delete(start);
        if (isFailing) failing.add(start);
        else failing.delete(start);
        const before = served.length;
        await run(AFTER, limit).catch(() => undefined);
        for (const period of served.slice(before)) {
          expect(period.digest).toBe(digestIn(totals.get(period.from)));
          expect(incomplete.has(period.from)).toBe(false);
        }
      }
      incomplete.clear();
      failing.clear();
      for (const [start, content] of totals) totals.set(start, content ?? 7);
      await run();
      const before = served.length;
      await run();

      expect(served).toHaveLength(before);
      for (const [start, content] of totals)
        expect(served.findLast(({ from }) => from === start)?.digest).toBe(digestIn(content));
    }),
    { numRuns: 40 },
  );
});

it('serves all periods again when what else its work depends on has changed', async () => {
  const { totals, served, run } = startFollower(aFollower({ basis: 'one' }));
  for (const { from } of periods) totals.set(from, 3);
  await run();
  await run();
  expect(served).toHaveLength(HOURS);

  await run(AFTER, Number.POSITIVE_INFINITY, 'two');

  expect(served).toHaveLength(2 * HOURS);
});

it('waits for complete totals no longer than it may, and serves the period again when they are stored', async () => {
  const { totals, incomplete, served, run } = startFollower();
  totals.set(NOON, null);
  totals.set(NOON + HOUR_MS, 3);
  incomplete.add(NOON + HOUR_MS);

  await run(NOON + DAY_MS);
  expect(served).toEqual([]);
  await run(NOON + DAY_MS + 2 * HOUR_MS);
  expect(served.map((one) => [hourOf(one), one.digest])).toEqual([
    [0, null],
    [1, digestOf(3)],
  ]);
  totals.set(NOON, 9);
  await run(NOON + DAY_MS + 3 * HOUR_MS);

  expect(served.slice(2)).toMatchObject([{ from: NOON, digest: digestOf(9), isAgain: true }]);
});

it('serves a period again after the least time between two services', async () => {
  const { totals, served, run } = startFollower(aFollower({ againAfterMs: DAY_MS }));
  totals.set(NOON, 1);
  await run();
  totals.set(NOON, 2);
  await run(AFTER + DAY_MS - 1);
  expect(served).toHaveLength(1);
  await run(AFTER + DAY_MS);

  expect(served.map(({ digest }) => digest)).toEqual([digestOf(1), digestOf(2)]);
});

it('begins with the newest period, and serves older ones that change afterwards', async () => {
  const { totals, served, run } = startFollower(aFollower({ beginsWith: 'newest' }));
  for (const { from } of periods) totals.set(from, 1);
  await run();
  totals.set(NOON, 2);
  await run();

  expect(served.map(hourOf)).toEqual([HOURS - 1, 0]);
});

it('keeps what it has served when the time is over, and goes on there', async () => {
  const { totals, served, run } = startFollower();
  for (const { from } of periods) totals.set(from, 1);

  await expect(run(AFTER, 3)).rejects.toThrow(OutOfTime);
  expect(served.map(hourOf)).toEqual([0, 1, 2]);
  await run();

  expect(served.map(hourOf)).toEqual([0, 1, 2, 3]);
});

describe('the totals of a period are complete', () => {
  const hour = { from: NOON, to: NOON + HOUR_MS };
  const now = NOON + 2 * HOUR_MS;
  const isComplete = async (
    marked: readonly number[],
    [accepted, recorded]: readonly [number | null, number | null] = [null, null],
  ): Promise<boolean> => {
    const tenantId = randomUUID();
    const marks = marked.map((at) => ({
      key: markKeyOf(now - MINUTE_MS, randomUUID()),
      minutes: [at / MINUTE_MS],
      turn: 0,
    }));
    const pendingMarks = { list: async () => marks };
    const progress = progressStore('counters');
    if (accepted !== null) await progress.put(tenantId, 'accepted', windowOf(accepted));
    if (recorded !== null) await progress.put(tenantId, 'recorded', windowOf(recorded));
    return (await completenessReader({ progress, pendingMarks, clock: () => now })(tenantId))(hour);
  };

  it.each<[string, boolean, Parameters<typeof isComplete>]>([
    ['when nothing is pending', true, [[]]],
    ['while only later minutes are pending', true, [[NOON + HOUR_MS, now]]],
    ['not while one of its minutes is pending', false, [[now, NOON + HOUR_MS - MINUTE_MS]]],
    ['when all accepted calls are recorded', true, [[], [NOON, NOON]]],
    ['when calls are missing that were accepted after its end', true, [[], [NOON + 90 * MINUTE_MS, NOON]]],
    [
      'not when calls are missing that were accepted before its end',
      false,
      [[], [NOON + 59 * MINUTE_MS, NOON]],
    ],
    [
      'not when more is pending than one page',
      false,
      [Array.from({ length: 200 }, (_, minute) => now + minute * MINUTE_MS)],
    ],
  ])('%s', async (_, expected, given) => {
    expect(await isComplete(...given)).toBe(expected);
  });
});
