import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { periodOf } from '../../../functions/platform/http/periods.ts';

const START = Date.parse('2026-05-01T00:00:00Z');
const OPERATORS = ['gt', 'gte', 'lt', 'lte', 'eq'] as const;

const isAllowed = (operator: (typeof OPERATORS)[number], time: number, bound: number): boolean =>
  ({
    gt: time > bound,
    gte: time >= bound,
    lt: time < bound,
    lte: time <= bound,
    eq: time === bound,
  })[operator];

it('takes a date as the whole UTC day', () => {
  const day = { from: START, to: START + 86_400_000 };
  const unbounded = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY };

  expect(
    Object.fromEntries(OPERATORS.map((kind) => [kind, periodOf({ [`at[${kind}]`]: '2026-05-01' }, 'at')])),
  ).toEqual({
    gt: { ...unbounded, from: day.to },
    gte: { ...unbounded, from: day.from },
    lt: { ...unbounded, to: day.from },
    lte: { ...unbounded, to: day.to },
    eq: day,
  });
  expect(periodOf({ at: '2026-05-01' }, 'at')).toEqual(day);
});

/** Microseconds after the start, as producers in Python write them. */
const micros = fc.nat({ max: 5_000 });
const textOf = (offset: number): string => `2026-05-01T00:00:00.${String(offset).padStart(6, '0')}Z`;

it('allows exactly the milliseconds that all bounds of a field allow, also between two milliseconds', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.tuple(fc.constantFrom(...OPERATORS), micros), { selector: ([operator]) => operator }),
      fc.nat({ max: 6 }),
      (bounds, millisecond) => {
        const query = Object.fromEntries(bounds.map(([name, offset]) => [`at[${name}]`, textOf(offset)]));

        const { from, to } = periodOf({ ...query, 'other[gt]': textOf(5_000) }, 'at');

        const time = START + millisecond;
        expect(from <= time && time < to).toBe(
          bounds.every(([name, offset]) => isAllowed(name, millisecond * 1_000, offset)),
        );
      },
    ),
  );
});
