import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { HOUR_MS } from '../../../schemas/durations.ts';
import { isSoak } from '../../support/properties.ts';
import { startTables } from '../../support/tables.ts';
import { START, scheduleWorld, writeTenants } from './scheduleWorld.ts';

const live = await startTables();
beforeEach(() => {
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
});
afterEach(() => vi.restoreAllMocks());
afterAll(() => live.stop());

const HOUR = START / HOUR_MS;
const FEW = 600;
/** Several pages, and more turns than a function has time for. */
const MANY = isSoak ? 5_000 : 1_500;
const BROKEN = 321;
const brokenId = 'tenant-0321';

/** How often the work of each healthy tenant ran in an hour. */
const runsOf = ({ runs }: ReturnType<typeof scheduleWorld>, ids: readonly string[], hour: number): number[] =>
  ids.filter((id) => id !== brokenId).map((id) => runs.get(`${id} ${hour}`) ?? 0);

describe('a round over all tenants', () => {
  let ids: string[];
  beforeAll(async () => {
    ids = await writeTenants(live, FEW, [BROKEN]);
  });

  it('does no work twice when every message is delivered twice, and when ticks repeat', async () => {
    const world = scheduleWorld({ deliveries: 2 });
    world.tick();
    world.tick();

    await world.drain();

    expect(new Set(runsOf(world, ids, HOUR))).toEqual(new Set([1]));
    // Two functions that do the same page at the same time send it twice, and then one of them ends.
    expect(world.counts.turns).toBeLessThanOrEqual(FEW + 2 * 250);
  });

  it('reaches the tenants behind one that cannot be read and one whose work fails, and both end as dead letters', async () => {
    const world = scheduleWorld({ failing: (id) => id === 'tenant-0007' });
    world.advance(HOUR_MS);
    world.tick();

    await world.drain();

    const others = ids.filter((id) => id !== 'tenant-0007');
    expect(new Set(runsOf(world, others, HOUR + 1))).toEqual(new Set([1]));
    expect(world.queues.deadLetters.toSorted()).toEqual([
      expect.stringContaining('tenant-0007'),
      expect.stringContaining(brokenId),
    ]);
  });

  it('is continued by the next tick at its position, when its own messages are lost', async () => {
    const world = scheduleWorld({});
    world.advance(2 * HOUR_MS);
    world.tick();
    await world.deliver();
    world.queues.lose('jobs');
    const before = world.counts.turns;
    world.advance(60_000);
    world.tick();

    await world.drain();

    expect(before).toBeGreaterThan(0);
    expect(world.counts.turns).toBe(FEW);
  });

  it('has one message for each tenant and tick, and none when the tick is repeated later', async () => {
    const world = scheduleWorld({});
    world.advance(3 * HOUR_MS);
    const tick = world.tick();
    await world.drain();
    world.queues.send('jobs', tick);

    await world.drain();

    expect(world.counts.turns).toBe(FEW);
  });
});

/** About 4 s: each turn reads and writes real rows. */
it('serves each of many tenants, with a function time of five seconds and functions that are killed', async () => {
  const ids = await writeTenants(live, MANY, [BROKEN]);
  const world = scheduleWorld({ killShare: 0.3 });
  world.advance(4 * HOUR_MS);
  world.tick();

  await world.drain();

  const runs = runsOf(world, ids, HOUR + 4);
  expect(Math.min(...runs)).toBe(1);
  expect(world.counts.late).toBe(0);
  expect(world.counts.kills).toBeGreaterThan(20);
  // Only a kill between the work and the row that says so repeats the work, in the messages of one invocation.
  expect(runs.filter((count) => count > 1).length).toBeLessThan(world.counts.kills * 25);
  expect(world.queues.deadLetters).toEqual([expect.stringContaining(brokenId)]);
});
