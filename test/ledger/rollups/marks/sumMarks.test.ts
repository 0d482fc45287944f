import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ledgerReader } from '../../../../functions/ledger/records/ledger.store.ts';
import { pendingMarkStore } from '../../../../functions/ledger/rollups/marks/pendingMark.store.ts';
import { type RollupMessage, RollupsQueueMessage } from '../../../../schemas/ledger/rollup.ts';
import { type LiveTables, startTables } from '../../../support/tables.ts';
import { newTenant, testRecord, writeRecord } from '../../records/ledgerFixture.ts';
import { minuteOf, testSummer } from '../rollupFixture.ts';

const CALLED_AT = Date.parse('2026-03-15T12:00:10Z');
/** The end of the time slot that the messages cover. */
const UNTIL = CALLED_AT + 20_000;
/** So many that each of four shards has some. */
const RECORDS = 64;
/** When the messages arrive. */
const NOW = UNTIL + 6_000;

let live: LiveTables;
beforeAll(async () => {
  live = await startTables();
});
afterAll(() => live.stop());

/** A tenant with records in shards, and how often a partition of its ledger was read. */
const startScene = async (shardBitsList: readonly number[]) => {
  const tenant = newTenant();
  const time = { now: NOW };
  const clock = () => time.now;
  for (let index = 0; index < RECORDS; index += 1) {
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
  /** The message of a process for the minute of the calls, with its pending mark. */
  const messageOf = async (process: string): Promise<RollupMessage> => {
    const key = `${new Date(CALLED_AT).toISOString()}#${process}`;
    await pendingMarks.add(tenant.tenant_id, { key, minutes: [minuteOf(CALLED_AT)] });
    return {
      tenant_id: tenant.tenant_id,
      minutes: [minuteOf(CALLED_AT)],
      marks: [key],
      covers_until: UNTIL,
    };
  };
  return {
    tenant,
    time,
    afterSum,
    messageOf,
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
    pending: () => pendingMarks.list(tenant.tenant_id, NOW),
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
    expect(await receive(...others)).toBe(0);
    expect(await pending()).toEqual([]);
  });
});

describe('a message sums its minute', () => {
  it('when the last sum is not later than what it stands for', async () => {
    const { receive, messageOf, time } = await startScene([0]);
    time.now = UNTIL + 4_000;
    await receive(await messageOf('a'));
    expect(await receive(await messageOf('b'))).toBe(1);
  });

  it('when the last sum is of a clock that was ahead, and so may lack what was written since', async () => {
    const { receive, messageOf, time } = await startScene([0]);
    time.now = NOW + 3_600_000;
    await receive(await messageOf('a'));
    time.now = NOW;
    expect(await receive(await messageOf('b'))).toBe(1);
    expect(await receive(await messageOf('c'))).toBe(0);
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

  it('when the message beside it must be summed', async () => {
    const { receive, messageOf } = await startScene([0]);
    await receive(await messageOf('a'));
    const { covers_until: _, ...repeated } = await messageOf('b');
    expect(await receive(repeated)).toBe(1);
  });
});
