import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { ledgerReader, type Version } from '../../../../functions/ledger/records/ledger.store.ts';
import { type ScanPosition, scanMonth } from '../../../../functions/ledger/records/query/scanRecords.ts';
import { runs } from '../../../support/properties.ts';
import { startTables } from '../../../support/tables.ts';
import {
  countingReader,
  eventsOf,
  newTenant,
  type TestRecord,
  testRecord,
  writeRecord,
  writeVersion,
} from '../ledgerFixture.ts';

const MONTH = '2026-03';
const MARCH = Date.parse('2026-03-01');
const APRIL = Date.parse('2026-04-01');
const MIDDLE = Date.parse('2026-03-17T11:11:11.111Z');
/** Start time of the scans: after the time of every record. */
const START = Date.parse('2026-07-01');

const reader = ledgerReader('ledger', () => START);
const live = await startTables();
afterAll(() => live.stop());

const moments = fc.oneof(
  fc.constantFrom(MARCH - 1, MARCH, MIDDLE - 1, MIDDLE, APRIL - 1, APRIL),
  fc.integer({ min: MARCH, max: APRIL - 1 }),
);
/** The number of shard bits of records, in turn. */
const shardBitsLists = fc.array(fc.constantFrom(0, 1, 2), { minLength: 1, maxLength: 3 });
const periods = fc
  .tuple(moments, moments)
  .filter(([one, other]) => one !== other)
  .map(([one, other]) => ({ from: Math.max(MARCH, Math.min(one, other)), to: Math.max(one, other) }))
  .filter(({ from, to }) => from < to && to <= APRIL);

describe('scanMonth', () => {
  it('returns each record once, as of the start, across resumes and concurrent writes', async () => {
    const scenes = fc.record({
      shardBitsList: shardBitsLists,
      before: fc.array(fc.record({ at: moments, versions: fc.integer({ min: 1, max: 3 }) }), {
        maxLength: 25,
      }),
      concurrentWrites: fc.array(moments, { maxLength: 8 }),
      pageVersions: fc.integer({ min: 2, max: 6 }),
      period: periods,
    });

    await fc.assert(
      fc.asyncProperty(scenes, async ({ shardBitsList, before, concurrentWrites, pageVersions, period }) => {
        const tenant = newTenant();
        const initial = before.map(({ at, versions }, index) => ({
          ...testRecord(at, index, shardBitsList),
          versions,
        }));
        for (const one of initial) {
          await writeRecord(tenant, one, START - 10);
          for (let version = 2; version <= one.versions; version += 1) {
            await writeVersion(live.client, tenant, one, version, START - 10 + version);
          }
        }
        const later = concurrentWrites.map((at, index) =>
          testRecord(at, initial.length + index, shardBitsList),
        );

        const found: Version[] = [];
        let position: ScanPosition | null = { shard: 0, after: null };
        while (position !== null) {
          const pages = scanMonth(reader, {
            tenant,
            month: MONTH,
            period,
            position,
            asOf: START,
            pageVersions,
          });
          for await (const { items, resume } of pages) {
            found.push(...items.filter(({ validity }) => validity.from <= START));
            position = resume;
            const [next] = later.splice(0, 1);
            if (next === undefined) continue;
            await writeRecord(tenant, next, START + 1);
            break;
          }
        }

        const inside = ({ occurredAt }: TestRecord) => occurredAt >= period.from && occurredAt < period.to;
        const expected = initial.filter(inside);
        expect(eventsOf(found).toSorted()).toEqual(expected.map(({ eventId }) => eventId).toSorted());
        expect(
          new Map(found.map(({ attribution: { record }, validity }) => [record.event_id, validity.version])),
        ).toEqual(new Map(expected.map(({ eventId, versions }) => [eventId, versions])));
      }),
      { numRuns: runs(30) },
    );
  });

  it('reads every version once, with one read per partition', async () => {
    const tenant = newTenant();
    const records = Array.from({ length: 120 }, (_, index) => testRecord(MARCH + index, index, [2]));
    for (const record of records) await writeRecord(tenant, record, START - 1);
    const counting = countingReader(reader);

    const found: Version[] = [];
    const period = { from: MARCH, to: APRIL };
    const position = { shard: 0, after: null };
    for await (const { items } of scanMonth(counting.reader, {
      tenant,
      month: MONTH,
      period,
      position,
      asOf: START,
    })) {
      found.push(...items);
    }

    expect(found).toHaveLength(120);
    expect(counting.take()).toEqual({ listed: 1, reads: 4, versions: 120, partitions: 4, months: 1 });
  });
});
