import { afterAll, describe, expect, it } from 'vitest';
import { ledgerReader } from '../../../../functions/ledger/records/ledger.store.ts';
import { pendingMarkStore } from '../../../../functions/ledger/rollups/marks/pendingMark.store.ts';
import { type RollupMessage, RollupsQueueMessage } from '../../../../schemas/ledger/rollup.ts';
import { startTables } from '../../../support/tables.ts';
import { newTenant, testRecord, writeRecord } from '../../records/ledgerFixture.ts';
import { minuteOf, testSummer } from '../rollupFixture.ts';

const CALLED_AT = Date.parse('2026-03-15T12:00:10Z');
/** The end of the time slot that the messages cover. */
const UNTIL = CALLED_AT + 20_000;
/** So many that each shard has some. */
const RECORDS_PER_SHARD = 16;
const HOUR = 3_600_000;
/** When the messages arrive. */
const NOW = UNTIL + 6_000;

const live = await startTables();
afterAll(() => live.stop());

/** A tenant with records in shards, and how often a partition of its ledger was read. */
const startScene = async (shardBitsList: readonly number[]) => {
  const tenant = newTenant();
  const time = { now: NOW };
  const clock = () => time.now;
  for (let index = 0; index < RECORDS_PER_SHARD * 2 ** (shardBitsList[0] ?? 0); index += 1) {
    await writeRecord(tenant, testRecord(CALLED_AT, index, shardBitsList), CALLED_AT + 1_000);
  }
  const reader = ledgerReader('ledger', clock);
  let reads = 0;
  const ledger = {
    ...reader,
    read: (...args: Parameters<typeof reader.read>) => {
      reads += 1;
      return reader.read(...args);
    },
  };
  const pendingMarks = pendingMarkStore('counters');
  const toShards: RollupMessage[] = [];
  const afterSum = { fails: false };
  let ids = 0;
  const newId = () => {
    ids += 1;
    return `${tenant.tenant_id}-${ids}`;
  };
  const queue = {
    send: async (message: RollupsQueueMessage) => {
      const parsed = RollupsQueueMessage.parse(message);
      if ('minutes' in parsed) toShards.push(parsed);
    },
  };
  const { sumMarks } = testSummer({
    ledger,
    onSummed: async () => {
      if (afterSum.fails) throw new Error('the process was killed');
    },
    pendingMarks,
    queue,
    clock,
    newId,
  });
  const receive = (message: RollupMessage, isRedelivered: boolean) =>
    sumMarks(tenant, [{ ...message, isRedelivered }], () => true);
  const addMark = async (
    process: string,
    minutes: readonly number[],
    coversUntil?: number,
  ): Promise<string> => {
    const key = `${new Date(CALLED_AT).toISOString()}#${process}`;
    await pendingMarks.add(tenant.tenant_id, { key, minutes, coversUntil });
    return key;
  };
  /** The message of a process for the minute of the calls, with its pending mark. */
  const messageOf = async (process: string, isAhead = false): Promise<RollupMessage> => {
    const minutes = [minuteOf(CALLED_AT)];
    const key = await addMark(process, minutes, isAhead ? undefined : UNTIL);
    return { tenant_id: tenant.tenant_id, minutes, marks: [key] };
  };
  return {
    tenant,
    time,
    afterSum,
    messageOf,
    addMark,
    receiveAgain: async (message: RollupMessage): Promise<number> => {
      const before = reads;
      await receive(message, true);
      return reads - before;
    },
    /** Receives messages one after the other, with those for single shards. Returns the reads of partitions. */
    receive: async (...messages: readonly RollupMessage[]): Promise<number> => {
      const before = reads;
      for (const message of messages) await receive(message, false);
      for (let next = toShards.shift(); next !== undefined; next = toShards.shift()) {
        await receive(next, false);
      }
      return reads - before;
    },
    pending: () => pendingMarks.list(tenant.tenant_id),
  };
};

describe('messages of several processes for one minute and time slot', () => {
  it.each([
    ['one shard', [0], 1],
    ['four shards', [2], 4],
  ])('sum it once in %s, and remove all marks', async (_, shardBitsList, reads) => {
    const { receive, messageOf, pending } = await startScene(shardBitsList);
    const first = await messageOf('a');
    const others = [await messageOf('b'), await messageOf('c')];

    expect(await receive(first)).toBe(reads);
    expect(await pending()).toEqual([]);
    expect(await receive(...others)).toBe(0);
  });
});

describe('a message sums its minute', () => {
  it('when its writes may go on after the last sum', async () => {
    const { receive, messageOf, time } = await startScene([0]);
    const [one, other] = [await messageOf('a'), await messageOf('b')];
    time.now = UNTIL + 4_000;
    await receive(one);
    expect(await receive(other)).toBe(1);
  });

  // Whatever the clock showed at the last sum, that sum did not know of the mark.
  it.each([
    ['earlier', -HOUR],
    ['at the same time', 0],
    ['by a clock that was ahead', 6_000],
    ['by a clock that was an hour ahead', HOUR],
  ])('when the last sum is made before its mark, %s', async (_, offset) => {
    const { receive, messageOf, time } = await startScene([0]);
    time.now = NOW + offset;
    await receive(await messageOf('a'));
    time.now = NOW;
    expect(await receive(await messageOf('b'))).toBe(1);
  });

  it('when it comes again, because it may have stopped after its own sum', async () => {
    const { receive, receiveAgain, messageOf, afterSum } = await startScene([0]);
    const message = await messageOf('a');
    afterSum.fails = true;
    await expect(receive(message)).rejects.toThrow('killed');
    afterSum.fails = false;

    expect(await receiveAgain(message)).toBe(1);
    expect(await receiveAgain(message)).toBe(0);
  });

  it('when it stands for a write that has not happened yet', async () => {
    const { receive, messageOf, pending } = await startScene([0]);
    const [one, ahead] = [await messageOf('a'), await messageOf('b', true)];
    await receive(one);
    expect(await pending()).toHaveLength(1);
    expect(await receive(ahead)).toBe(1);
  });
});

it('a sum keeps the other minutes of a mark that it settles in part', async () => {
  const { receive, messageOf, pending, addMark } = await startScene([0]);
  const [minute, next] = [minuteOf(CALLED_AT), minuteOf(CALLED_AT) + 1];
  await addMark('wide', [minute, next], UNTIL);
  await receive(await messageOf('a'));
  expect(await pending()).toMatchObject([{ minutes: [next], turn: 0 }]);
});
