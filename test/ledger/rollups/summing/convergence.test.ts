import fc from 'fast-check';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ledgerReader } from '../../../../functions/ledger/records/ledger.store.ts';
import { totalsChecker } from '../../../../functions/ledger/rollups/checks/checkTotals.ts';
import { differenceFinder } from '../../../../functions/ledger/rollups/checks/findDifferences.ts';
import { totalsTasks } from '../../../../functions/ledger/rollups/checks/sweepTotals.ts';
import { LENGTH, startOf } from '../../../../functions/ledger/rollups/grain.ts';
import { dirtyMarker } from '../../../../functions/ledger/rollups/marks/markDirty.ts';
import {
  type PendingMarkStore,
  pendingMarkStore,
} from '../../../../functions/ledger/rollups/marks/pendingMark.store.ts';
import { type RollupWriter, rollupWriter } from '../../../../functions/ledger/rollups/rollupWriter.store.ts';
import { REPAIRED, RollupMessage, type RollupsQueueMessage } from '../../../../schemas/ledger/rollup.ts';
import { runs } from '../../../support/properties.ts';
import { startTables } from '../../../support/tables.ts';
import {
  newTenant,
  replaceVersion,
  type TestRecord,
  testRecord,
  writeRecord,
  writeVersion,
} from '../../records/ledgerFixture.ts';
import { groupsInLedger, groupsInRollups, testSummer } from '../rollupFixture.ts';

const START = Date.parse('2026-03-15T21:40:00Z');
const DELAY_MS = 30_000;
const WATCHED = new Set<string>();

let logged: string[] = [];
const live = await startTables();
afterAll(() => live.stop());
beforeEach(() => {
  logged = [];
  vi.spyOn(process.stdout, 'write').mockImplementation((line) => {
    logged.push(String(line));
    return true;
  });
});
afterEach(() => vi.restoreAllMocks());

const received = (body: RollupsQueueMessage, receives: number) => ({
  ...RollupMessage.parse(body),
  isRedelivered: receives > 1,
});

class Killed extends Error {}

/** A tenant with its ledger, its rollups and their queue, on a simulated clock. Every store call can be the last one. */
const startWorld = (shardBitsList: readonly number[]) => {
  const tenant = newTenant();
  const { tenant_id: tenantId } = tenant;
  const time = { now: START };
  const clock = () => time.now;
  const ledger = ledgerReader('ledger', clock);
  let messages: { readonly body: RollupsQueueMessage; readonly due: number; receives: number }[] = [];
  /** Store calls until the process is killed, before or after the call takes effect. */
  const kill = { in: Number.POSITIVE_INFINITY, after: false };
  const step = async <Result>(call: () => Promise<Result>): Promise<Result> => {
    kill.in -= 1;
    if (kill.in === 0 && !kill.after) throw new Killed();
    const result = await call();
    if (kill.in === 0) throw new Killed();
    if (kill.in < 0) throw new Killed();
    return result;
  };
  const queue = {
    delayOf: () => DELAY_MS,
    send: (body: RollupsQueueMessage, delay: number) =>
      step(async () => {
        messages.push({ body, due: time.now + delay, receives: 0 });
      }),
  };
  const stored = rollupWriter('rollups');
  const rollups: RollupWriter = {
    ...stored,
    put: (...args) => step(() => stored.put(...args)),
    openPeriod: (...args) => step(() => stored.openPeriod(...args)),
    closePeriod: (...args) => step(() => stored.closePeriod(...args)),
  };
  const marks = pendingMarkStore('counters');
  const pendingMarks: PendingMarkStore = {
    ...marks,
    add: (...args) => step(() => marks.add(...args)),
    keep: (...args) => step(() => marks.keep(...args)),
    remove: (...args) => step(() => marks.remove(...args)),
  };
  let ids = 0;
  const newId = () => {
    ids += 1;
    return String(ids).padStart(6, '0');
  };
  const { requestSums, sumMarks } = testSummer({ ledger, rollups, pendingMarks, queue, clock, newId });
  const checkTotals = totalsChecker({
    findDifferences: differenceFinder({
      ledger,
      rollups,
      watchedTags: async () => WATCHED,
      clock,
    }),
    requestSums,
    pendingMarks,
    queue,
    clock,
  });
  const sweep = totalsTasks({ pendingMarks, openPeriods: stored.openPeriods, queue });
  /** A new process each time: what a process caches is lost when it is killed. */
  const mark = (instants: readonly number[]) =>
    dirtyMarker({ queue, pendingMarks, clock, elapsed: clock, newId, random: () => 0 })(tenantId, instants);
  const hasTime = () => true;

  const receive = async (message: (typeof messages)[number]): Promise<void> => {
    message.receives += 1;
    const { body, receives } = message;
    if ('check' in body) await checkTotals(tenant, body.check, hasTime);
    else await sumMarks(tenant, [received(body, receives)], hasTime);
  };
  const kills = async (work: () => Promise<unknown>, calls: number, after: boolean): Promise<boolean> => {
    Object.assign(kill, { in: calls, after });
    try {
      await work();
      return false;
    } catch (error) {
      if (!(error instanceof Killed)) throw error;
      return true;
    } finally {
      kill.in = Number.POSITIVE_INFINITY;
    }
  };

  /** The hours that have records. */
  const hours = new Set<number>();
  const records: { readonly record: TestRecord; version: number }[] = [];
  const world = {
    tenant,
    time,
    ledger,
    pending: () => marks.list(tenantId),
    messages: () => messages.map(({ body }) => body),
    open: () => stored.openPeriods(tenantId),
    write: async (ago: number): Promise<number> => {
      const record = testRecord(time.now - ago, records.length, shardBitsList);
      await writeRecord(tenant, record, time.now - 1_000);
      records.push({ record, version: 1 });
      hours.add(startOf('hour', record.occurredAt));
      return record.occurredAt;
    },
    correct: async (which: number): Promise<number | null> => {
      const known = records[which % Math.max(1, records.length)];
      if (known === undefined) return null;
      known.version += 1;
      await writeVersion(live.client, tenant, known.record, known.version, time.now - 1);
      return known.record.occurredAt;
    },
    /** Replaces the first version of all records. */
    replaceAll: async (owner: string): Promise<void> => {
      for (const { record } of records) await replaceVersion(live.client, tenant, record, owner);
    },
    mark,
    kills,
    /** Receives a due message. A killed worker returns it, unless it has used up its receives. */
    receive: async (which: number, calls: number, after: boolean, isLost: boolean): Promise<void> => {
      const due = messages.filter((message) => message.due <= time.now);
      const message = due[which % Math.max(1, due.length)];
      if (message === undefined) return;
      const wasKilled = await kills(() => receive(message), calls, after);
      if (!wasKilled || isLost) messages = messages.filter((one) => one !== message);
    },
    sweep: async () => {
      const window = { since: time.now - 15 * LENGTH.minute, now: time.now };
      for (const { run } of sweep) await run(tenant, window);
    },
    drain: async () => {
      for (;;) {
        const [next] = messages.toSorted((one, other) => one.due - other.due);
        if (next === undefined) return;
        messages = messages.filter((message) => message !== next);
        time.now = Math.max(time.now, next.due);
        await receive(next);
      }
    },
    /** Compares the hours with records with the ledger. */
    checkHours: async () => {
      for (const from of hours)
        await checkTotals(tenant, { from, to: from + LENGTH.hour, isRepeated: false }, hasTime);
    },
    /** Sweeps without faults after the days have ended, and compares their hours. */
    recover: async () => {
      await world.drain();
      time.now = startOf('day', START) + LENGTH.day + 20 * LENGTH.minute;
      await world.sweep();
      await world.checkHours();
      await world.drain();
    },
    totals: async () => {
      const period = { from: startOf('day', START) - LENGTH.day, to: startOf('day', START) + 2 * LENGTH.day };
      return {
        ledger: await groupsInLedger(ledger, tenant, period, time.now),
        rollups: await groupsInRollups(tenant, period),
      };
    },
  };
  return world;
};

/** Few minutes of the present hour and of the hours before it, so that changes meet. */
const ago = fc.constantFrom(5_000, 65_000, 30 * LENGTH.minute, 3 * LENGTH.hour, 25 * LENGTH.hour);
/** Store calls until the process is killed. Most processes are not. */
const calls = fc.oneof(fc.integer({ min: 1, max: 9 }), fc.constant(1_000));
const changes = fc.array(
  fc.oneof(
    fc.record({
      kind: fc.constant('write' as const),
      ago,
      calls,
      after: fc.boolean(),
      isMarked: fc.boolean(),
    }),
    fc.record({ kind: fc.constant('correct' as const), which: fc.nat(9), calls, after: fc.boolean() }),
    fc.record({
      kind: fc.constant('receive' as const),
      which: fc.nat(9),
      calls,
      after: fc.boolean(),
      isLost: fc.boolean(),
    }),
    fc.record({ kind: fc.constant('wait' as const), minutes: fc.constantFrom(1, 4, 25) }),
    fc.record({ kind: fc.constant('sweep' as const) }),
  ),
  { maxLength: 16 },
);

describe('totals', () => {
  it('converge to the ledger when workers are killed at any step, and marks and messages are lost', async () => {
    await fc.assert(
      fc.asyncProperty(changes, fc.constantFrom([0], [0, 1]), async (all, shardBitsList) => {
        const world = startWorld(shardBitsList);
        for (const change of all) {
          if (change.kind === 'write' || change.kind === 'correct') {
            const at =
              change.kind === 'write' ? await world.write(change.ago) : await world.correct(change.which);
            const isMarked = change.kind === 'correct' || change.isMarked;
            if (at !== null && isMarked)
              await world.kills(() => world.mark([at]), change.calls, change.after);
          } else if (change.kind === 'receive') {
            await world.receive(change.which, change.calls, change.after, change.isLost);
          } else if (change.kind === 'wait') world.time.now += change.minutes * LENGTH.minute;
          else await world.sweep();
        }

        await world.recover();

        const { ledger, rollups } = await world.totals();
        expect(rollups).toEqual(ledger);
        expect(await world.pending()).toEqual([]);
        expect(await world.open()).toEqual([]);
      }),
      { numRuns: runs(8) },
    );
  });

  it('lack nothing without a pending mark, as long as marks are made', async () => {
    await fc.assert(
      fc.asyncProperty(changes, async (all) => {
        const world = startWorld([0]);
        for (const change of all) {
          if (change.kind === 'write') await world.mark([await world.write(change.ago)]);
          else if (change.kind === 'receive') {
            await world.receive(change.which, change.calls, change.after, change.isLost);
          } else if (change.kind === 'wait') world.time.now += change.minutes * LENGTH.minute;

          if ((await world.pending()).length > 0) continue;
          const { ledger, rollups } = await world.totals();
          expect(rollups).toEqual(ledger);
        }
      }),
      { numRuns: runs(8) },
    );
  });
});

describe('a lost message', () => {
  const loseMessage = async () => {
    const world = startWorld([0]);
    await world.mark([await world.write(5_000)]);
    world.time.now += LENGTH.minute;
    await world.receive(0, 1, false, true);
    return world;
  };

  it('leaves its mark, which is repeated after ten minutes', async () => {
    const world = await loseMessage();
    expect(await world.pending()).toHaveLength(1);

    world.time.now += 15 * LENGTH.minute;
    await world.sweep();
    await world.drain();

    const { ledger, rollups } = await world.totals();
    expect(rollups).toEqual(ledger);
    expect(await world.pending()).toEqual([]);
    expect(logged.join('')).toContain('pending marks were sent again');
  });
});

describe('a lost mark', () => {
  it('is found by the content of the minute, summed again, and raises the alarm only when it stays', async () => {
    const world = startWorld([0, 1]);
    await world.mark([await world.write(5_000)]);
    await world.drain();
    await world.write(5_000);
    await world.correct(0);
    const before = await world.totals();
    expect(before.rollups).not.toEqual(before.ledger);

    world.time.now = startOf('hour', START) + 2 * LENGTH.hour + LENGTH.minute;
    await world.sweep();
    expect(logged.join('')).not.toContain(REPAIRED);
    await world.drain();

    const { ledger, rollups } = await world.totals();
    expect(rollups).toEqual(ledger);
    expect(logged.filter((line) => line.includes(REPAIRED))).toHaveLength(1);
  });

  it('is found where a version was changed in place, so that the number of versions is the same', async () => {
    const world = startWorld([0]);
    await world.mark([await world.write(5_000)]);
    await world.drain();
    await world.replaceAll('another');
    const before = await world.totals();
    expect(before.rollups).not.toEqual(before.ledger);

    world.time.now = startOf('hour', START) + 2 * LENGTH.hour + LENGTH.minute;
    await world.sweep();
    await world.drain();

    const { ledger, rollups } = await world.totals();
    expect(rollups).toEqual(ledger);
    expect(logged.filter((line) => line.includes(REPAIRED))).toHaveLength(1);
  });

  it('is not reported while the change is on its way', async () => {
    const world = startWorld([0]);
    const at = await world.write(5_000);
    world.time.now = startOf('hour', START) + 2 * LENGTH.hour + LENGTH.minute;
    await world.sweep();
    // The check runs before the mark arrives, and runs again five minutes later.
    await world.receive(0, 1_000, false, false);
    await world.mark([at]);
    await world.drain();

    expect(logged.join('')).not.toContain(REPAIRED);
    const { ledger, rollups } = await world.totals();
    expect(rollups).toEqual(ledger);
  });

  it('is not looked for where a pending mark requests the sums of the minute', async () => {
    const world = startWorld([0]);
    await world.mark([await world.write(5_000)]);

    await world.checkHours();

    expect(world.messages()).toEqual([expect.objectContaining({ marks: expect.anything() })]);
    await world.drain();
    const { ledger, rollups } = await world.totals();
    expect(rollups).toEqual(ledger);
  });

  it('is not reported while the sums of the tenant are behind', async () => {
    const world = startWorld([0]);
    const at = await world.write(5_000);
    world.time.now = startOf('hour', START) + 2 * LENGTH.hour + LENGTH.minute;
    await world.sweep();
    await world.receive(0, 1_000, false, false);
    await world.mark([at]);
    // After three checks of days, the check runs again before the message of the mark is received.
    world.time.now += 6 * LENGTH.minute;
    await world.receive(3, 1_000, false, false);

    expect(await world.pending()).toHaveLength(1);
    expect(logged.join('')).not.toContain(REPAIRED);
    await world.drain();
    expect(logged.join('')).not.toContain(REPAIRED);
    const { ledger, rollups } = await world.totals();
    expect(rollups).toEqual(ledger);
  });
});
