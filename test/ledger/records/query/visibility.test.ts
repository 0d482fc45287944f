import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  isVisibleAt,
  isWritten,
  type Validity,
} from '../../../../functions/ledger/records/query/visibility.ts';

it.each([
  ['the only version, whenever it was written', { version: 1, from: 900, to: null }, true],
  ['a first version closed later', { version: 1, from: 100, to: 501 }, true],
  ['a first version closed at that instant', { version: 1, from: 100, to: 500 }, false],
  ['a later version from that instant', { version: 2, from: 500, to: null }, true],
  ['a later version that began after it', { version: 2, from: 501, to: null }, false],
  ['a later version closed before it', { version: 2, from: 300, to: 400 }, false],
])('isVisibleAt, for %s', (_, validity: Validity, expected) => {
  expect(isVisibleAt(validity, 500)).toBe(expected);
});

it('isVisibleAt returns true for exactly one version of a record at any instant', () => {
  const histories = fc
    .uniqueArray(fc.nat({ max: 1_000 }), { minLength: 1, maxLength: 6 })
    .map((instants) =>
      instants
        .toSorted((one, other) => one - other)
        .map((from, index, all): Validity => ({ version: index + 1, from, to: all[index + 1] ?? null })),
    );

  fc.assert(
    fc.property(histories, fc.nat({ max: 1_200 }), (versions, asOf) => {
      expect(versions.filter((version) => isVisibleAt(version, asOf))).toHaveLength(1);
    }),
  );
});

it('shows the newest version at any instant up to the read, whatever the clocks of its writers said', () => {
  // Writers whose clocks were right, some seconds off, or ahead by up to a month.
  const ahead = fc.constantFrom(0, 0, 0, 1, 4_000, 60_000, 3_600_000, 86_400_000 * 30);
  const READ = 1_000_000_000;
  const SLACK = 5_000;

  fc.assert(
    fc.property(fc.array(ahead, { minLength: 1, maxLength: 5 }), (clocks) => {
      // The start of a version is never earlier than that of the version before.
      const starts: number[] = [];
      for (const [index, by] of clocks.entries()) {
        starts.push(Math.max((starts.at(-1) ?? 0) + 1, READ - 100 + index + by));
      }
      const versions = starts.map(
        (from, index): Validity => ({
          version: index + 1,
          from,
          to: starts[index + 1] ?? null,
          readAt: READ,
        }),
      );
      const hidden = versions.filter(
        ({ version, from }) => version > 1 && from > READ && from <= READ + SLACK,
      );

      // Two clocks that are ahead, one of them by less than the slack: the versions of both count until the first has passed.
      fc.pre(hidden.length === 0 || versions.every(({ from }) => from <= READ + SLACK));

      expect(versions.filter((version) => isVisibleAt(version, READ))).toHaveLength(1);
      if (hidden.length === 0) {
        expect(isVisibleAt(versions.at(-1) ?? { version: 0, from: 0, to: 0 }, READ)).toBe(true);
        expect(versions.slice(1).every((version) => isWritten(version, READ))).toBe(true);
      }
    }),
  );
});
