import { DeleteItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, describe, expect, it } from 'vitest';
import { shardOfRecord } from '../../../../functions/ledger/records/ledgerKey.ts';
import { sortIndexCompactor } from '../../../../functions/ledger/records/sortIndex/compactSortIndex.ts';
import { type SortEntry, sortEntryValues } from '../../../../functions/ledger/records/sortIndex/sortEntry.ts';
import { sortEntriesIn } from '../../../../functions/ledger/records/sortIndex/sortIndexBlock.ts';
import {
  type SortIndexCompactionStore,
  sortIndexCompactionStore,
} from '../../../../functions/ledger/records/sortIndex/sortIndexCompaction.store.ts';
import { stateKey } from '../../../../functions/ledger/records/sortIndex/sortIndexItem.store.ts';
import { sortIndexLog } from '../../../../functions/ledger/records/sortIndex/sortIndexLog.store.ts';
import { sortIndexReader } from '../../../../functions/ledger/records/sortIndex/sortIndexReader.store.ts';
import { dynamodb } from '../../../../functions/platform/shared/aws/dynamodb.client.ts';
import { recordUlid } from '../../../../functions/platform/shared/ids.ts';
import { startTables } from '../../../support/tables.ts';

const JUNE = Date.parse('2026-06-01');
const JULY = Date.parse('2026-07-01');
const months = ['2026-06', '2026-07'];

const live = await startTables();
afterAll(() => live.stop());

const store = sortIndexCompactionStore('ledger');
const compact = sortIndexCompactor(store);
const sortEntryAt = (at: number, shardBits = 0): SortEntry => ({
  ulid: recordUlid('tenant', String(at), at, shardBits),
  version: 1,
  values: sortEntryValues(() => 'value'),
});
const log = (tenant: string, at: number) => sortIndexLog('ledger').append(tenant, sortEntryAt(at));

/** The ULIDs of a tenant's sort entries in these months, and the number of blocks or rows that hold them. */
const read = async (tenant: string, within: readonly string[] = months) => {
  const blocks = await sortIndexReader('ledger').blocks(tenant, within);
  return {
    ulids: blocks.flatMap((block) => sortEntriesIn(block).map(({ ulid }) => ulid)).toSorted(),
    blocks: blocks.length,
  };
};
const ulidsOf = (...instants: number[]): string[] => instants.map((at) => sortEntryAt(at).ulid).toSorted();

describe('sortIndexLog', () => {
  it('puts sort entries that arrive together into one row', async () => {
    const writer = sortIndexLog('ledger');
    await writer.append('together', sortEntryAt(JUNE));

    await Promise.all([1, 2, 3, 4, 5].map((at) => writer.append('together', sortEntryAt(JUNE + at))));

    // The first one, the second one, and one row for those that arrived meanwhile.
    expect((await read('together')).blocks).toBeLessThanOrEqual(3);
  });

  it('logs again when the generation was closed meanwhile', async () => {
    const writer = sortIndexLog('ledger');
    await writer.append('stale', sortEntryAt(JUNE));
    await compact('stale');
    await log('stale', JUNE + 1);
    await compact('stale');

    await writer.append('stale', sortEntryAt(JUNE + 2));
    await compact('stale');

    expect((await read('stale')).ulids).toEqual(ulidsOf(JUNE, JUNE + 1, JUNE + 2));
  });

  it('logs again when the log was erased meanwhile, and has one shard again', async () => {
    const writer = sortIndexLog('ledger');
    await writer.append('erased', sortEntryAt(JUNE, 2));
    await compact('erased');
    await writer.append('erased', sortEntryAt(JUNE + 1, 2));
    await dynamodb.send(new DeleteItemCommand({ TableName: 'ledger', Key: stateKey('erased') }));
    const after = Array.from({ length: 16 }, (_, index) => sortEntryAt(JULY + index, 2)).find(
      ({ ulid }) => shardOfRecord(ulid) > 0,
    );
    if (after === undefined) throw new Error('no entry is outside of the first shard');

    await writer.append('erased', after);

    expect((await read('erased')).ulids).toContain(after.ulid);
  });
});

describe('sortIndexCompactor', () => {
  it('spreads the log as widely as the ledger, and never less again', async () => {
    const busy = Array.from({ length: 24 }, (_, index) => JUNE + index);
    const append = (at: number, shardBits: number) =>
      sortIndexLog('ledger').append('busy', sortEntryAt(at, shardBits));
    const rowsOf = async (shardBits: number) => {
      const { open, cut } = await store.state('busy');
      let count = 0;
      for await (const page of store.rows('busy', { open, cut, shardBits }, open)) count += page.length;
      return count;
    };
    await append(JULY, 2);
    await compact('busy');
    for (const at of busy) await append(at, 2);

    expect(await rowsOf(2)).toBe(24);
    // About a quarter of the rows are in each of the four partitions.
    expect(await rowsOf(0)).toBeLessThan(14);
    await compact('busy');
    await append(JULY + 1, 0);
    await compact('busy');
    expect((await store.state('busy')).shardBits).toBe(2);
    expect((await read('busy')).ulids).toEqual(
      [...busy, JULY]
        .map((at) => sortEntryAt(at, 2).ulid)
        .concat(sortEntryAt(JULY + 1).ulid)
        .toSorted(),
    );
  });

  it('moves the log into one block for each month', async () => {
    for (const at of [JUNE, JUNE + 1, JULY]) await log('moving', at);

    await compact('moving');

    expect(await read('moving')).toEqual({ ulids: ulidsOf(JUNE, JUNE + 1, JULY), blocks: 2 });
    expect((await read('moving', ['2026-06'])).ulids).toEqual(ulidsOf(JUNE, JUNE + 1));
  });

  it('writes nothing without new rows', async () => {
    await log('idle', JUNE);
    await compact('idle');
    const before = await store.state('idle');

    await compact('idle');

    expect(await store.state('idle')).toEqual(before);
  });

  it('moves at least one generation when the time is over, and goes on there', async () => {
    const failing = sortIndexCompactor({ ...store, moveCut: () => Promise.reject(new Error('an outage')) });
    const instants = [JUNE, JUNE + 1, JULY];
    for (const at of instants) {
      await log('hurried', at);
      await expect(failing('hurried')).rejects.toThrow();
    }
    const left: boolean[] = [];
    for (let call = 0; call < instants.length; call += 1) {
      await compact('hurried', () => false);
      left.push((await store.firstRow('hurried', await store.state('hurried'))) !== undefined);
    }

    expect(left).toEqual([true, true, false]);
    expect(new Set((await read('hurried')).ulids)).toEqual(new Set(ulidsOf(...instants)));
  });

  it('merges the small blocks of a month after 64 compactions', async () => {
    const instants = Array.from({ length: 64 }, (_, index) => JUNE + index);

    for (const at of instants) {
      await log('merging', at);
      await compact('merging');
    }

    expect(await read('merging')).toEqual({ ulids: ulidsOf(...instants), blocks: 1 });
  });

  it('leaves each sort entry once when another compaction moved the cut first', async () => {
    await log('racing', JUNE);
    let isOvertaken = false;
    const overtaken: SortIndexCompactionStore = {
      ...store,
      moveCut: async (...args) => {
        if (!isOvertaken) {
          isOvertaken = true;
          await compact('racing');
        }
        return store.moveCut(...args);
      },
    };

    await sortIndexCompactor(overtaken)('racing');

    expect(await read('racing')).toEqual({ ulids: ulidsOf(JUNE), blocks: 1 });
  });
});
