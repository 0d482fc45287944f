import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import {
  daysToAllocate,
  dueAllocationCreator,
} from '../../../functions/attribution/allocation/createDueAllocations.ts';
import { periodFollower } from '../../../functions/ledger/freshness/followPeriods.ts';
import type { Served } from '../../../functions/ledger/freshness/servedPeriods.store.ts';
import type { Versioned } from '../../../functions/platform/shared/aws/document.store.ts';
import { DAY_MS, HOUR_MS } from '../../../schemas/durations.ts';
import type { Job } from '../../../schemas/jobs.ts';
import { contentsOf } from '../../ledger/rollups/contents.ts';
import { aTenant } from '../engine/events.ts';

const MIDNIGHT = Date.parse('2026-05-20T00:00:00Z');

const startAllocations = (tenant = aTenant()) => {
  const totals = new Map<number, number>();
  const created: Job[] = [];
  let isComplete = true;
  let stored: Versioned<Served> | null = null;
  const follow = periodFollower({
    versions: { read: async () => contentsOf(totals) },
    served: {
      read: async () => stored,
      save: async (_tenant, _follower, document, _expected, revision) => {
        stored = { document, revision };
      },
    },
    readCompleteness: async () => () => isComplete,
    hasTime: () => true,
    newClaim: randomUUID,
  });
  const create = dueAllocationCreator({ follow, createJob: async (job) => void created.push(job) });
  return {
    totals,
    setComplete: (value: boolean) => {
      isComplete = value;
    },
    /** The days that the next run allocates. */
    run: async (now: number): Promise<string[]> => {
      created.length = 0;
      await create(tenant, now);
      return created.flatMap(({ request }) =>
        request.type === 'allocation' ? [request.period.from.slice(0, 10)] : [],
      );
    },
  };
};

it('allocates a day two hours after its end, when its totals are complete, and again when they change', async () => {
  const { totals, setComplete, run } = startAllocations();
  expect(await run(MIDNIGHT - HOUR_MS)).toEqual([]);
  totals.set(MIDNIGHT - DAY_MS, 10);
  expect(await run(MIDNIGHT + HOUR_MS)).toEqual([]);
  setComplete(false);
  expect(await run(MIDNIGHT + 3 * HOUR_MS)).toEqual([]);
  setComplete(true);
  expect(await run(MIDNIGHT + 5 * HOUR_MS)).toEqual(['2026-05-19']);
  expect(await run(MIDNIGHT + 40 * HOUR_MS)).toEqual([]);
  totals.set(MIDNIGHT - DAY_MS, 14);
  expect(await run(MIDNIGHT + 41 * HOUR_MS)).toEqual(['2026-05-19']);
  // Corrections and prices of older months count as any change.
  totals.set(MIDNIGHT - 60 * DAY_MS, 3);
  expect(await run(MIDNIGHT + 42 * HOUR_MS)).toEqual(['2026-03-21']);
  expect(await run(MIDNIGHT + 90 * HOUR_MS)).toEqual([]);
});

it('creates no job for a tenant without allocation, and begins with what changes once it is on', async () => {
  const { totals, run } = startAllocations(aTenant({ allocation: { method: 'none' } }));
  totals.set(MIDNIGHT - DAY_MS, 10);

  expect(await run(MIDNIGHT + 3 * HOUR_MS)).toEqual([]);
});

it('looks at the days of a quarter, up to the newest one that is over for two hours', () => {
  const ends = daysToAllocate(MIDNIGHT + 2 * HOUR_MS).map(({ to }) => to);

  expect([ends.length, ends.at(-1)]).toEqual([92, MIDNIGHT]);
});
