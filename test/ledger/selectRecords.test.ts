import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SelectionStores } from '../../functions/ledger/query/selectRecords.ts';
import { type LiveTables, startTables } from '../shared/tables.ts';
import {
  changes,
  expectedOf,
  immutableFields,
  laterMoments,
  listingFixture,
  moments,
  pagesOf,
  START,
  someFilters,
  sortRecords,
} from './listingFixture.ts';

let live: LiveTables;
beforeAll(async () => {
  live = await startTables();
});
afterAll(() => live.stop());

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

const askedFor = fc.record({
  field: orders,
  descending: fc.boolean(),
  filters: someFilters,
  period: periods,
  residency: fc.oneof(
    { weight: 3, arbitrary: fc.constant(null) },
    { weight: 1, arbitrary: fc.constant('eu') },
  ),
});

/** Corrections before the walk: long ago, and so shortly before that a walk by cost or confidence looks past them. */
const earlier = fc.record({ to: changes, ago: fc.constantFrom(60_000, 5_001, 5_000, 4_999, 1, 0) });

const scenarios = fc.record({
  shards: fc.constantFrom(1, 3),
  records: fc.array(
    fc.record({
      at: moments,
      cause: immutableFields,
      to: changes,
      corrections: fc.array(earlier, { maxLength: 2 }),
    }),
    {
      minLength: 1,
      maxLength: 14,
    },
  ),
  /** What happens between the pages. */
  meanwhile: fc.array(
    fc.oneof(
      fc.record({
        kind: fc.constant('insert' as const),
        at: laterMoments,
        cause: immutableFields,
        to: changes,
      }),
      fc.record({ kind: fc.constant('correct' as const), record: fc.nat({ max: 13 }), to: changes }),
      fc.record({
        kind: fc.constant('finish' as const),
        record: fc.nat({ max: 13 }),
        to: changes,
        ago: fc.constantFrom(4_999, 1_000),
      }),
      fc.record({ kind: fc.constant('grow' as const), count: fc.constantFrom(2, 5) }),
    ),
    { maxLength: 10 },
  ),
  sizes: fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 3 }),
  asked: askedFor,
  /** How much more a read is said to have looked at: so that budgets end on every page. */
  examinedTimes: fc.constantFrom(1, 1, 400),
});
type Scenario = typeof scenarios extends fc.Arbitrary<infer Value> ? Value : never;

const inflateTraceCounts = (stores: SelectionStores, times: number): SelectionStores => ({
  ...stores,
  ledger: {
    ...stores.ledger,
    read: async (tenantId, stretch) => {
      const read = await stores.ledger.read(tenantId, stretch);
      return { ...read, examined: (read.examined ?? 0) * times };
    },
  },
});

const runScenario = async (scene: Scenario) => {
  const here = listingFixture([{ from: 0, count: scene.shards }]);
  const rows = await Promise.all(
    scene.records.map(({ at, cause, to }) => here.insert(at, cause, to, START - 100_000)),
  );
  const corrections = scene.records.flatMap(({ corrections }, index) =>
    corrections.map((one) => ({ ...one, row: rows[index] })),
  );
  for (const { row, to, ago } of corrections.toSorted((one, other) => other.ago - one.ago)) {
    if (row !== undefined) await here.correct(row, to, START - ago);
  }
  const there = here.events();
  const expected = expectedOf(here, there, scene.asked);
  const happenings = [...scene.meanwhile];
  const { field } = scene.asked;
  const stores = inflateTraceCounts(here.stores, scene.examinedTimes);
  const found = await pagesOf(stores, here.tenant, scene.asked, scene.sizes, async (page) => {
    for (const happening of happenings.splice(0, 3)) {
      if (happening.kind === 'grow') here.grow(happening.count);
      if (happening.kind === 'insert') {
        await here.insert(happening.at, happening.cause, happening.to, START + 1_000 + page);
      }
      if (happening.kind === 'correct' || happening.kind === 'finish') {
        const corrected = rows[happening.record];
        // A walk in order of time shows a correction that was under way when it began, or not: both are right.
        if (corrected === undefined || (happening.kind === 'finish' && field === 'occurred_at')) continue;
        const at = happening.kind === 'finish' ? START - happening.ago : START + 1_000 + page;
        await here.correct(corrected, happening.to, at);
      }
    }
  });
  return { here, there: new Set(there), expected, found };
};

describe('following pages while others write', () => {
  it('returns what was there at the start exactly once, in order and as it was', async () => {
    await fc.assert(
      fc.asyncProperty(scenarios, async (scene) => {
        const { here, there, expected, found } = await runScenario(scene);

        expect(found.filter(({ event_id }) => there.has(event_id))).toEqual(expected);
        expect(new Set(found.map(({ event_id }) => event_id)).size).toBe(found.length);
        // What arrived meanwhile may be seen, where it belongs.
        expect(found).toEqual(sortRecords(scene.asked, found));
        const allowed = expectedOf(here, here.events(), scene.asked).map(({ event_id }) => event_id);
        expect(found.filter(({ event_id }) => !allowed.includes(event_id))).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });
});
