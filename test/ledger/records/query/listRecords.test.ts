import fc from 'fast-check';
import { afterAll, expect, it } from 'vitest';
import { ledgerReader } from '../../../../functions/ledger/records/ledger.store.ts';
import { runs } from '../../../support/properties.ts';
import { startTables } from '../../../support/tables.ts';
import {
  countingReader,
  eventsOf,
  listAllPages,
  newTenant,
  type TestRecord,
  testRecord,
  writeRecord,
  writeVersion,
} from '../ledgerFixture.ts';

const JANUARY = Date.parse('2026-01-01');
const JUNE = Date.parse('2026-06-01');
/** Start time of the listings: after the time of every record. */
const START = Date.parse('2026-07-01');
const ALWAYS = { from: 0, to: Date.parse('9999-01-01') };

const reader = ledgerReader('ledger', () => START);

const live = await startTables();
afterAll(() => live.stop());

/** Month boundaries, the milliseconds before them, one frequent millisecond, and any time between. */
const moments = fc.oneof(
  fc.constantFrom('2026-02-01', '2026-03-01', '2026-04-01').map(Date.parse),
  fc.constantFrom('2026-02-01', '2026-03-01', '2026-04-01').map((date) => Date.parse(date) - 1),
  fc.constant(Date.parse('2026-02-14T09:00:00Z')),
  fc.integer({ min: JANUARY, max: JUNE }),
);
/** The number of shard bits of records, in turn. */
const shardBitsLists = fc.array(fc.constantFrom(0, 1, 2), { minLength: 1, maxLength: 3 });
const periods = fc.oneof(
  fc.constant(ALWAYS),
  fc
    .tuple(moments, moments)
    .filter(([one, other]) => one !== other)
    .map(([one, other]) => ({ from: Math.min(one, other), to: Math.max(one, other) })),
);

it('returns every initial record exactly once, in order, with concurrent writes', async () => {
  const scenes = fc.record({
    shardBitsList: shardBitsLists,
    before: fc.array(moments, { maxLength: 30 }),
    concurrentWrites: fc.array(moments, { maxLength: 12 }),
    size: fc.integer({ min: 1, max: 7 }),
    descending: fc.boolean(),
    period: periods,
  });

  await fc.assert(
    fc.asyncProperty(
      scenes,
      async ({ shardBitsList, before, concurrentWrites, size, descending, period }) => {
        const tenant = newTenant();
        const initial = before.map((at, index) => testRecord(at, index, shardBitsList));
        const later = concurrentWrites.map((at, index) =>
          testRecord(at, before.length + index, shardBitsList),
        );
        const inside = (records: readonly TestRecord[]) =>
          records.filter(({ occurredAt }) => occurredAt >= period.from && occurredAt < period.to);
        await Promise.all(initial.map((record) => writeRecord(tenant, record, START - 1)));

        const counter = countingReader(reader);
        const found = await listAllPages(counter.reader, {
          tenant,
          period,
          descending,
          size,
          asOf: START,
          between: async (page) => {
            const { listed, reads, partitions, months, versions } = counter.take();
            const shardsAtMost = 2 ** Math.max(...shardBitsList);
            // One read of the months, one read per shard, and a further read only after a whole chunk was used.
            expect(listed).toBe(1);
            expect(reads).toBeLessThanOrEqual(partitions + shardsAtMost);
            expect(partitions).toBeLessThanOrEqual(months * shardsAtMost);
            // Only months with records are read. At most three of them give no records: at the page start and at both ends.
            expect(months).toBeLessThanOrEqual(page.length + 3);
            expect(versions).toBeLessThanOrEqual(months * (size + 1 + 5 * shardsAtMost) + size + 1);

            const arriving = later.splice(0, 2);
            for (const record of arriving) await writeRecord(tenant, record, START + 1);
          },
        });

        const events = eventsOf(found);
        const keys = found.map(({ key }) => key);
        expect(new Set(events).size).toBe(events.length);
        expect(keys).toEqual(descending ? keys.toSorted().reverse() : keys.toSorted());
        const old = new Set(initial.map((record) => record.eventId));
        expect(events.filter((event) => old.has(event)).toSorted()).toEqual(
          inside(initial)
            .map((record) => record.eventId)
            .toSorted(),
        );
        // Records that arrive during the listing may be included, but only within the period.
        const allowed = new Set(
          inside(before.concat(concurrentWrites).map((at, index) => testRecord(at, index))).map(
            (record) => record.eventId,
          ),
        );
        expect(events.filter((event) => !allowed.has(event))).toEqual([]);
      },
    ),
    { numRuns: runs(20) },
  );
});

it('returns each record once, in its version at the start, while versions are added', async () => {
  const scenes = fc.record({
    shardBitsList: shardBitsLists,
    /** Number of versions of each record at the start, and of versions added during the listing. */
    records: fc.array(
      fc.record({ at: moments, before: fc.integer({ min: 1, max: 4 }), more: fc.nat({ max: 2 }) }),
      {
        minLength: 1,
        maxLength: 8,
      },
    ),
    size: fc.integer({ min: 1, max: 4 }),
    descending: fc.boolean(),
  });

  await fc.assert(
    fc.asyncProperty(scenes, async ({ shardBitsList, records, size, descending }) => {
      const tenant = newTenant();
      const rows = records.map(({ at, before, more }, index) => ({
        ...testRecord(at, index, shardBitsList),
        before,
        more,
      }));
      const addVersions = async (row: (typeof rows)[number], from: number, to: number, at: number) => {
        for (let version = from; version <= to; version += 1) {
          await writeVersion(live.client, tenant, row, version, at + version);
        }
      };
      for (const row of rows) {
        await writeRecord(tenant, row, START - 1_000);
        await addVersions(row, 2, row.before, START - 500);
      }

      let pages = 0;
      const found = await listAllPages(reader, {
        tenant,
        period: ALWAYS,
        descending,
        size,
        asOf: START,
        between: async () => {
          pages += 1;
          if (pages > 1) return;
          for (const row of rows) await addVersions(row, row.before + 1, row.before + row.more, START);
        },
      });

      const versions = found.map(({ attribution: { record } }) => [record.event_id, record.version]);
      expect(versions.toSorted()).toEqual(rows.map((row) => [row.eventId, row.before]).toSorted());
    }),
    { numRuns: 20 },
  );
});
