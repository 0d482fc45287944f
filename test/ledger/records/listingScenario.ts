import fc from 'fast-check';
import { expect } from 'vitest';
import type { SelectionStores } from '../../../functions/ledger/records/query/selectRecords.ts';
import {
  changes,
  expectedOf,
  immutableFields,
  type ListingFixture,
  laterMoments,
  moments,
  pagesOf,
  START,
  someFilters,
  sortRecords,
} from './listingFixture.ts';

const ALWAYS = { from: 0, to: Date.parse('9999-01-01') };
const periods = fc.oneof(
  { weight: 3, arbitrary: fc.constant(ALWAYS) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(moments, moments)
      .filter(([one, other]) => one !== other)
      .map(([one, other]) => ({ from: Math.min(one, other), to: Math.max(one, other) })),
  },
);
const orders = fc.constantFrom('occurred_at' as const, 'cost_usd' as const, 'confidence' as const);

const queries = fc.record({
  field: orders,
  descending: fc.boolean(),
  filters: someFilters,
  period: periods,
  residency: fc.oneof(
    { weight: 3, arbitrary: fc.constant(null) },
    { weight: 1, arbitrary: fc.constant('eu') },
  ),
});

/** Corrections before the listing, some within the visibility lag of listings by cost or confidence. */
const earlierCorrections = fc.record({
  to: changes,
  ago: fc.constantFrom(60_000, 5_001, 5_000, 4_999, 1, 0),
});

/** A tenant's records with corrections, a query with its page sizes, and the writes between its pages. */
export const scenarios = fc.record({
  shardBits: fc.constantFrom(0, 2),
  /** Whether the sort entries of the initial records are in blocks. */
  isCompacted: fc.boolean(),
  records: fc.array(
    fc.record({
      at: moments,
      fixed: immutableFields,
      to: changes,
      corrections: fc.array(earlierCorrections, { maxLength: 2 }),
    }),
    {
      minLength: 1,
      maxLength: 14,
    },
  ),
  /** Parts of the days that are archived before and after the corrections. */
  archived: fc.array(fc.record({ part: fc.nat({ max: 2 }), expires: fc.boolean() }), { maxLength: 2 }),
  /** Writes between the pages. */
  concurrentChanges: fc.array(
    fc.oneof(
      fc.record({
        kind: fc.constant('insert' as const),
        at: laterMoments,
        fixed: immutableFields,
        to: changes,
      }),
      fc.record({ kind: fc.constant('correct' as const), record: fc.nat({ max: 13 }), to: changes }),
      fc.record({
        kind: fc.constant('finish' as const),
        record: fc.nat({ max: 13 }),
        to: changes,
        ago: fc.constantFrom(4_999, 1_000),
      }),
      fc.record({ kind: fc.constant('compact' as const) }),
      fc.record({ kind: fc.constant('archive' as const), part: fc.nat({ max: 2 }), expires: fc.boolean() }),
      fc.record({ kind: fc.constant('grow' as const), shardBits: fc.constantFrom(1, 3) }),
    ),
    { maxLength: 10 },
  ),
  sizes: fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 3 }),
  query: queries,
  /** Factor for the reported number of examined versions. A high factor exhausts the read budget on every page. */
  examinedTimes: fc.constantFrom(1, 1, 400),
});
export type Scenario = typeof scenarios extends fc.Arbitrary<infer Value> ? Value : never;

const inflateExaminedCounts = (stores: SelectionStores, times: number): SelectionStores => ({
  ...stores,
  ledger: {
    ...stores.ledger,
    read: async (tenantId, range) => {
      const read = await stores.ledger.read(tenantId, range);
      return { ...read, examined: (read.examined ?? 0) * times };
    },
  },
});

/** Writes a part of the tenant's days to files, and deletes their rows when `expires`. */
export type ArchiveDays = (fixture: ListingFixture, part: number, expires: boolean) => Promise<void>;

/** Runs a scenario on an empty tenant. Without `archiveDays`, nothing is archived. */
const runScenario = async (scene: Scenario, fixture: ListingFixture, archiveDays?: ArchiveDays) => {
  const rows = await Promise.all(
    scene.records.map(({ at, fixed, to }) => fixture.insert(at, fixed, to, START - 100_000)),
  );
  const [before, after] = scene.archived;
  if (before !== undefined) await archiveDays?.(fixture, before.part, before.expires);
  const corrections = scene.records.flatMap(({ corrections }, index) =>
    corrections.map((one) => ({ ...one, row: rows[index] })),
  );
  for (const { row, to, ago } of corrections.toSorted((one, other) => other.ago - one.ago)) {
    if (row !== undefined) await fixture.correct(row, to, START - ago);
  }
  if (scene.isCompacted) await fixture.compact();
  if (after !== undefined) await archiveDays?.(fixture, after.part, after.expires);
  const initialEvents = fixture.events();
  const expected = expectedOf(fixture, initialEvents, scene.query);
  const changesToApply = [...scene.concurrentChanges];
  const { field } = scene.query;
  const stores = inflateExaminedCounts(fixture.stores, scene.examinedTimes);
  const found = await pagesOf(stores, fixture.tenant, scene.query, scene.sizes, async (page) => {
    for (const change of changesToApply.splice(0, 3)) {
      if (change.kind === 'compact') await fixture.compact();
      if (change.kind === 'archive') await archiveDays?.(fixture, change.part, change.expires);
      if (change.kind === 'grow') fixture.raiseShardBits(change.shardBits);
      if (change.kind === 'insert') {
        await fixture.insert(change.at, change.fixed, change.to, START + 1_000 + page);
      }
      if (change.kind === 'correct' || change.kind === 'finish') {
        const corrected = rows[change.record];
        // A listing by time may or may not include a correction that was in progress at its start. Both are correct.
        if (corrected === undefined || (change.kind === 'finish' && field === 'occurred_at')) continue;
        const at = change.kind === 'finish' ? START - change.ago : START + 1_000 + page;
        await fixture.correct(corrected, change.to, at);
      }
    }
  });
  return { initialEvents: new Set(initialEvents), expected, found };
};

/** Runs a scenario, and expects that its pages show every initial record exactly once, in its version at the start. */
export const expectExact = async (
  scene: Scenario,
  fixture: ListingFixture,
  archiveDays?: ArchiveDays,
): Promise<void> => {
  const { initialEvents, expected, found } = await runScenario(scene, fixture, archiveDays);
  expect(found.filter(({ event_id }) => initialEvents.has(event_id))).toEqual(expected);
  expect(new Set(found.map(({ event_id }) => event_id)).size).toBe(found.length);
  // Records that arrive during the listing may be included, at their position in the order.
  expect(found).toEqual(sortRecords(scene.query, found));
  const allowed = expectedOf(fixture, fixture.events(), scene.query).map(({ event_id }) => event_id);
  expect(found.filter(({ event_id }) => !allowed.includes(event_id))).toEqual([]);
};
