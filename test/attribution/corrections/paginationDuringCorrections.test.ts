import fc from 'fast-check';
import { afterAll, expect, it } from 'vitest';
import { ledgerReader } from '../../../functions/ledger/records/ledger.store.ts';
import { listAllPages, newTenant, testRecord, writeRecord } from '../../ledger/records/ledgerFixture.ts';
import { runs } from '../../support/properties.ts';
import { startTables } from '../../support/tables.ts';
import { LATER, sendCorrection } from './correctionFixture.ts';

const JUNE = Date.parse('2026-06-29T00:00:00Z');
const DAY = 24 * 60 * 60 * 1_000;
const ALWAYS = { from: 0, to: Date.parse('9999-01-01') };

const live = await startTables();
afterAll(() => live.stop());

const reader = ledgerReader('ledger', () => LATER);

/** Records in two months and several shards, some corrected before the listing, some between its pages. */
const scenes = fc.record({
  records: fc.array(fc.record({ day: fc.nat({ max: 4 }), before: fc.nat({ max: 2 }) }), {
    minLength: 1,
    maxLength: 6,
  }),
  corrections: fc.array(
    fc.record({
      page: fc.nat({ max: 4 }),
      record: fc.nat({ max: 5 }),
      kind: fc.constantFrom('override', 'dispute'),
      /** Arrival time relative to the start of the listing. A correction in progress may be written later. */
      after: fc.constantFrom(-5, 0, 1, 60_000),
    }),
    { maxLength: 6 },
  ),
  size: fc.integer({ min: 1, max: 4 }),
  shardBits: fc.constantFrom(0, 2),
  descending: fc.boolean(),
});

const correctionsBetween = async (
  { records, corrections, size, shardBits, descending }: Parameters<Parameters<typeof scenes.map>[0]>[0],
  isIncluded: (correction: { readonly after: number }) => boolean,
) => {
  const tenant = newTenant();
  const rows = records.map(({ day }, index) => testRecord(JUNE + day * DAY, index, [shardBits, 0]));
  const override = (index: number, at: number, kind: 'override' | 'dispute' = 'override') => {
    const row = rows[index];
    const body = kind === 'override' ? { owner: `${kind} at ${at}`, reason: 'why' } : { reason: 'why' };
    return row === undefined ? undefined : sendCorrection(tenant, row, kind, { body, at });
  };
  for (const row of rows) await writeRecord(tenant, row, LATER - 1_000);
  for (const [index, { before }] of records.entries()) {
    for (let count = 0; count < before; count += 1) await override(index, LATER - 100 + count);
  }

  let page = 0;
  const found = await listAllPages(reader, {
    tenant,
    period: ALWAYS,
    descending,
    size,
    asOf: LATER,
    between: async () => {
      const due = corrections.filter((one) => one.page === page && isIncluded(one));
      for (const { record, kind, after } of due) await override(record, LATER + after, kind);
      page += 1;
    },
  });
  return { tenant, rows, found };
};

it('returns every record once, in order, with corrections between pages', async () => {
  await fc.assert(
    fc.asyncProperty(scenes, async (scene) => {
      const { rows, found } = await correctionsBetween(scene, () => true);

      const keys = found.map(({ key }) => key);
      expect(found.map(({ attribution }) => attribution.record.event_id).toSorted()).toEqual(
        rows.map(({ eventId }) => eventId).toSorted(),
      );
      expect(keys).toEqual(scene.descending ? keys.toSorted().reverse() : keys.toSorted());
    }),
    { numRuns: runs(15) },
  );
});

it('returns the versions at its start on all pages, and a new listing returns the newest', async () => {
  await fc.assert(
    fc.asyncProperty(scenes, async (scene) => {
      const { tenant, rows, found } = await correctionsBetween(scene, ({ after }) => after > 0);
      const newListing = await listAllPages(reader, {
        tenant,
        period: ALWAYS,
        descending: scene.descending,
        size: 200,
        asOf: LATER + 120_000,
      });

      const versions = found.map(({ attribution: { record } }) => [record.event_id, record.version]);
      expect(versions.toSorted()).toEqual(
        rows.map(({ eventId }, index) => [eventId, 1 + (scene.records[index]?.before ?? 0)]).toSorted(),
      );
      expect(newListing.map(({ validity }) => validity.to)).toEqual(rows.map(() => null));
    }),
    { numRuns: 20 },
  );
});
