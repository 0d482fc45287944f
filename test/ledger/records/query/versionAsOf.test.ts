import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { attribute } from '../../../../functions/attribution/engine/attribute.ts';
import type { Version } from '../../../../functions/ledger/records/ledger.store.ts';
import { versionKeyOf } from '../../../../functions/ledger/records/ledgerKey.ts';
import {
  keyAfter,
  keyAfterRecord,
  versionAsOfSelector,
} from '../../../../functions/ledger/records/query/versionAsOf.ts';
import { ulidOf } from '../../../../functions/platform/shared/ulid.ts';
import { anEvent, aTenant, noFactors } from '../../../attribution/engine/events.ts';

const AS_OF = 500;
const ARRIVED = { occurredAt: 0, receivedAt: 0, residency: null };
const attribution = attribute(anEvent(), ARRIVED, aTenant(), noFactors);
const ulidAt = (index: number): string => ulidOf(1_000 + index, new Uint8Array(10).fill(index));
const versionAt = (index: number, version: number, from: number, to: number | null): Version => ({
  key: versionKeyOf(ulidAt(index), version),
  validity: { version, from, to },
  attribution,
});
/** The versions of a record that start at these instants. */
const history = (index: number, instants: readonly number[]): Version[] =>
  instants.map((from, at) => versionAt(index, at + 1, from, instants[at + 1] ?? null));
const inOrder = (versions: readonly Version[], descending: boolean): Version[] => {
  const sorted = versions.toSorted((one, other) => (one.key < other.key ? -1 : 1));
  return descending ? sorted.reverse() : sorted;
};
const numbersOf = (versions: readonly Version[]) =>
  versions.map(({ key, validity }) => [key.slice(0, 26), validity.version]);

/** All versions selected from the input. */
const selectAll = (versions: readonly Version[], descending: boolean): Version[] => {
  const selector = versionAsOfSelector(AS_OF, descending);
  return [...versions.flatMap(selector.add), ...selector.end()];
};

const directions = [
  ['ascending', false],
  ['descending', true],
] as const;

describe.each(directions)('versionAsOfSelector, %s', (_, descending) => {
  it.each([
    ['the only version, whenever it was written', [900], 1],
    ['the first version when all others start later', [100, 501, 502], 1],
    ['a version that starts exactly at the instant', [100, 500], 2],
    ['the newest version that had begun', [100, 200, 300, 600, 700], 3],
  ])('selects %s', (_name, instants, expected) => {
    const versions = inOrder([...history(0, [1]), ...history(1, instants), ...history(2, [1])], descending);

    const selected = numbersOf(inOrder(selectAll(versions, descending), false));

    expect(selected).toEqual([
      [ulidAt(0), 1],
      [ulidAt(1), expected],
      [ulidAt(2), 1],
    ]);
  });

  it.each([
    ['started, previous version not ended', [versionAt(1, 1, 100, null), versionAt(1, 2, 400, null)]],
    ['previous version ended, next one missing', [versionAt(1, 1, 100, 400)]],
    [
      'previous version ended, next one missing, with older versions',
      [versionAt(1, 1, 100, 200), versionAt(1, 2, 200, 400)],
    ],
  ])('selects one version of a partly written correction: %s', (_name, partial) => {
    const versions = inOrder([...history(0, [1]), ...partial, ...history(2, [1])], descending);

    const records = inOrder(selectAll(versions, descending), false).map(({ key }) => key.slice(0, 26));

    expect(records).toEqual([ulidAt(0), ulidAt(1), ulidAt(2)]);
  });

  it('returns a version as soon as its validity decides the selection', () => {
    const selector = versionAsOfSelector(AS_OF, descending);
    const [first, second] = history(1, [100, 200]);
    if (first === undefined || second === undefined) throw new Error('expected two versions');
    const [near, far] = descending ? [second, first] : [first, second];

    const selected = [selector.add(near), selector.add(far), selector.end()];

    expect(selected.map(numbersOf)).toEqual(
      descending ? [[[ulidAt(1), 2]], [], []] : [[], [[ulidAt(1), 2]], []],
    );
  });
});

/** Versions from a bound on, in list order. */
const remainingFrom = (
  versions: readonly Version[],
  bound: string | undefined,
  descending: boolean,
): Version[] =>
  inOrder(
    versions.filter(({ key }) => bound === undefined || (descending ? key <= bound : key >= bound)),
    descending,
  );

it('keyAfter and keyAfterRecord leave exactly the keys after a version or record', () => {
  const versions = [0, 1, 2].flatMap((index) =>
    Array.from({ length: 30 }, (_, at) => versionAt(index, at + 1, at, at + 1)),
  );
  for (const [, descending] of directions) {
    const ordered = inOrder(versions, descending);
    for (const [index, { key }] of ordered.entries()) {
      const afterRecord = ordered.slice(index).filter((other) => other.key.slice(0, 26) !== key.slice(0, 26));

      expect(remainingFrom(versions, keyAfter(key, descending), descending)).toEqual(
        ordered.slice(index + 1),
      );
      expect(remainingFrom(versions, keyAfterRecord(key, descending), descending)).toEqual(afterRecord);
    }
  }
});

it('selects each record once, for any page sizes and concurrent corrections, also in the past', () => {
  const histories = fc.array(
    fc
      .uniqueArray(fc.nat({ max: 1_000 }), { minLength: 1, maxLength: 5 })
      .map((instants) => instants.toSorted((one, other) => one - other)),
    { minLength: 1, maxLength: 6 },
  );
  const scenes = fc.record({
    histories,
    pageSizes: fc.array(fc.integer({ min: 2, max: 6 }), { minLength: 40, maxLength: 40 }),
    /** After which page a record is corrected, and the earliest start of the new version. */
    corrections: fc.array(
      fc.record({
        page: fc.nat({ max: 8 }),
        record: fc.nat({ max: 5 }),
        from: fc.constantFrom(0, 499, 500, 501),
      }),
      { maxLength: 6 },
    ),
    descending: fc.boolean(),
  });

  fc.assert(
    fc.property(scenes, ({ histories, pageSizes, corrections, descending }) => {
      const records = histories.map((instants) => [...instants]);
      const versions = () => records.flatMap((instants, index) => history(index, instants));
      const selected: Version[] = [];
      let bound: string | undefined;
      let finished = false;
      for (const [pageIndex, size] of pageSizes.entries()) {
        const selector = versionAsOfSelector(AS_OF, descending);
        const page = remainingFrom(versions(), bound, descending).slice(0, size);
        selected.push(...page.flatMap(selector.add));
        const last = page.at(-1);
        finished = last === undefined || page.length < size;
        if (finished || last === undefined) {
          selected.push(...selector.end());
          break;
        }
        bound = selector.resume(last);
        for (const { record, from } of corrections.filter((one) => one.page === pageIndex)) {
          const newest = records[record]?.at(-1);
          if (newest !== undefined) records[record]?.push(Math.max(from, newest + 1));
        }
      }

      expect(finished).toBe(true);
      expect(
        numbersOf(selected)
          .map(([ulid]) => ulid)
          .toSorted(),
      ).toEqual(histories.map((_, index) => ulidAt(index)).toSorted());
      // Versions that start later are never selected.
      for (const { validity } of selected)
        expect(validity.version === 1 || validity.from <= AS_OF).toBe(true);
    }),
    { numRuns: 500 },
  );
});
