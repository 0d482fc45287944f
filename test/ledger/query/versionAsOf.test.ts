import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { attribute } from '../../../functions/attribution/attribute.ts';
import type { Version } from '../../../functions/ledger/ledger.store.ts';
import { versionKeyOf } from '../../../functions/ledger/ledgerKey.ts';
import {
  keyAfter,
  keyAfterRecord,
  versionAsOfSelector,
} from '../../../functions/ledger/query/versionAsOf.ts';
import { ulidOf } from '../../../functions/shared/ulid.ts';
import { anEvent, aTenant, noFactors } from '../../attribution/events.ts';

const AS_OF = 500;
const ARRIVED = { occurredAt: 0, receivedAt: 0, residency: null };
const attribution = attribute(anEvent(), ARRIVED, aTenant(), noFactors);
const ulidAt = (index: number): string => ulidOf(1_000 + index, new Uint8Array(10).fill(index));
const versionAt = (index: number, version: number, from: number, to: number | null): Version => ({
  key: versionKeyOf(ulidAt(index), version),
  validity: { version, from, to },
  attribution,
});
/** The versions of a record that began at these instants. */
const history = (index: number, instants: readonly number[]): Version[] =>
  instants.map((from, at) => versionAt(index, at + 1, from, instants[at + 1] ?? null));
const inOrder = (versions: readonly Version[], descending: boolean): Version[] => {
  const sorted = versions.toSorted((one, other) => (one.key < other.key ? -1 : 1));
  return descending ? sorted.reverse() : sorted;
};
const numbersOf = (versions: readonly Version[]) =>
  versions.map(({ key, validity }) => [key.slice(0, 26), validity.version]);

/** Everything that is chosen from versions as they come. */
const choose = (versions: readonly Version[], descending: boolean): Version[] => {
  const choice = versionAsOfSelector(AS_OF, descending);
  return [...versions.flatMap(choice.offer), ...choice.end()];
};

const directions = [
  ['upwards', false],
  ['downwards', true],
] as const;

describe.each(directions)('of versions %s', (_, descending) => {
  it.each([
    ['the only one, whenever it was written', [900], 1],
    ['the first, while all others lie ahead', [100, 501, 502], 1],
    ['one that began at that very instant', [100, 500], 2],
    ['the newest that had begun', [100, 200, 300, 600, 700], 3],
  ])('chooses %s', (_name, instants, expected) => {
    const versions = inOrder([...history(0, [1]), ...history(1, instants), ...history(2, [1])], descending);

    const chosen = numbersOf(inOrder(choose(versions, descending), false));

    expect(chosen).toEqual([
      [ulidAt(0), 1],
      [ulidAt(1), expected],
      [ulidAt(2), 1],
    ]);
  });

  it.each([
    ['begun but not yet ended', [versionAt(1, 1, 100, null), versionAt(1, 2, 400, null)]],
    ['ended but not yet begun', [versionAt(1, 1, 100, 400)]],
    ['ended but not yet begun, among others', [versionAt(1, 1, 100, 200), versionAt(1, 2, 200, 400)]],
  ])('chooses one of a record that it meets half corrected: %s', (_name, seen) => {
    const versions = inOrder([...history(0, [1]), ...seen, ...history(2, [1])], descending);

    const records = inOrder(choose(versions, descending), false).map(({ key }) => key.slice(0, 26));

    expect(records).toEqual([ulidAt(0), ulidAt(1), ulidAt(2)]);
  });

  it('tells it as soon as it is settled, when the end of a version says so', () => {
    const choice = versionAsOfSelector(AS_OF, descending);
    const [first, second] = history(1, [100, 200]);
    if (first === undefined || second === undefined) throw new Error('two versions');
    const [near, far] = descending ? [second, first] : [first, second];

    const told = [choice.offer(near), choice.offer(far), choice.end()];

    expect(told.map(numbersOf)).toEqual(descending ? [[[ulidAt(1), 2]], [], []] : [[], [[ulidAt(1), 2]], []]);
  });
});

/** Versions from a bound on, as a read in a direction finds them. */
const leftOf = (versions: readonly Version[], bound: string | undefined, descending: boolean): Version[] =>
  inOrder(
    versions.filter(({ key }) => bound === undefined || (descending ? key <= bound : key >= bound)),
    descending,
  );

it('leaves behind a key, or a record, exactly what lies behind it', () => {
  const versions = [0, 1, 2].flatMap((index) =>
    Array.from({ length: 30 }, (_, at) => versionAt(index, at + 1, at, at + 1)),
  );
  for (const [, descending] of directions) {
    const ordered = inOrder(versions, descending);
    for (const [index, { key }] of ordered.entries()) {
      const behindRecord = ordered
        .slice(index)
        .filter((other) => other.key.slice(0, 26) !== key.slice(0, 26));

      expect(leftOf(versions, keyAfter(key, descending), descending)).toEqual(ordered.slice(index + 1));
      expect(leftOf(versions, keyAfterRecord(key, descending), descending)).toEqual(behindRecord);
    }
  }
});

it('passes each record once, wherever it stops and whatever is corrected meanwhile, also in the past', () => {
  const histories = fc.array(
    fc
      .uniqueArray(fc.nat({ max: 1_000 }), { minLength: 1, maxLength: 5 })
      .map((instants) => instants.toSorted((one, other) => one - other)),
    { minLength: 1, maxLength: 6 },
  );
  const scenes = fc.record({
    histories,
    stops: fc.array(fc.integer({ min: 2, max: 6 }), { minLength: 40, maxLength: 40 }),
    /** After which stop a record is corrected, from which instant on at the earliest. */
    corrections: fc.array(
      fc.record({
        stop: fc.nat({ max: 8 }),
        record: fc.nat({ max: 5 }),
        from: fc.constantFrom(0, 499, 500, 501),
      }),
      { maxLength: 6 },
    ),
    descending: fc.boolean(),
  });

  fc.assert(
    fc.property(scenes, ({ histories, stops, corrections, descending }) => {
      const records = histories.map((instants) => [...instants]);
      const versions = () => records.flatMap((instants, index) => history(index, instants));
      const chosen: Version[] = [];
      let bound: string | undefined;
      let finished = false;
      for (const [stop, size] of stops.entries()) {
        const choice = versionAsOfSelector(AS_OF, descending);
        const page = leftOf(versions(), bound, descending).slice(0, size);
        chosen.push(...page.flatMap(choice.offer));
        const last = page.at(-1);
        finished = last === undefined || page.length < size;
        if (finished || last === undefined) {
          chosen.push(...choice.end());
          break;
        }
        bound = choice.resume(last);
        for (const { record, from } of corrections.filter((one) => one.stop === stop)) {
          const newest = records[record]?.at(-1);
          if (newest !== undefined) records[record]?.push(Math.max(from, newest + 1));
        }
      }

      expect(finished).toBe(true);
      expect(
        numbersOf(chosen)
          .map(([ulid]) => ulid)
          .toSorted(),
      ).toEqual(histories.map((_, index) => ulidAt(index)).toSorted());
      // Corrections that begin later are never seen.
      for (const { validity } of chosen) expect(validity.version === 1 || validity.from <= AS_OF).toBe(true);
    }),
    { numRuns: 500 },
  );
});
