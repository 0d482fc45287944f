import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { attribute } from '../../functions/attribution/attribute.ts';
import { loadFactors } from '../../functions/impact/factors.ts';
import {
  addDecimals,
  addFigures,
  noFigures,
  personCount,
  personHash,
} from '../../functions/rollups/figures.ts';
import { groupOf, sumGroups, totalOf } from '../../functions/rollups/rollup.ts';
import { sha256Of } from '../../functions/shared/hash.ts';
import { type Figures, PERSONS_MAXIMUM, RollupGroup } from '../../schemas/rollup.ts';
import { anyEvent, aTenant } from '../attribution/events.ts';

const factors = await loadFactors();
const instants = {
  occurredAt: Date.parse('2026-07-15T12:00:00Z'),
  receivedAt: Date.parse('2026-07-15T12:00:01Z'),
};
const groups = fc.array(
  anyEvent.map((event) => groupOf(attribute(event, { ...instants, residency: null }, aTenant(), factors))),
  { maxLength: 12 },
);
const personOf = (name: number): string => personHash(sha256Of('person', String(name)));
const withPersons = (names: readonly number[]): Figures => ({
  ...noFigures,
  persons: [...new Set(names.map(personOf))].sort().slice(0, PERSONS_MAXIMUM),
});

describe('sums', () => {
  it('are exact where a float would not be', () => {
    expect(addDecimals('0.1', '0.2')).toBe('0.3');
    expect(addDecimals('999999999999999999.999999999999', '0.000000000001')).toBe('1000000000000000000');
  });

  it('do not depend on the order or the grouping of what is added', () => {
    fc.assert(
      fc.property(groups, fc.nat(), (all, cut) => {
        const at = all.length === 0 ? 0 : cut % all.length;
        const [left, right] = [all.slice(0, at), all.slice(at)];

        const whole = sumGroups(all);

        expect(sumGroups([...sumGroups(right), ...sumGroups(left)])).toEqual(whole);
        expect(addFigures(totalOf(left), totalOf(right))).toEqual(totalOf(all));
        for (const group of whole) expect(RollupGroup.parse(group)).toEqual(group);
      }),
      { numRuns: 50 },
    );
  });

  it('count what is unknown instead of adding it as zero', () => {
    fc.assert(
      fc.property(groups, (all) => {
        const total = totalOf(all);
        expect(total.invocations).toBe(all.length);
        expect(total.cost_usd.unknown).toBe(
          all.filter(({ figures }) => figures.cost_usd.unknown === 1).length,
        );
        expect(Object.values(total.states).reduce((n, { invocations }) => n + invocations, 0)).toBe(
          all.length,
        );
        expect(Object.values(total.bands).reduce((n, { invocations }) => n + invocations, 0)).toBe(
          all.length,
        );
      }),
      { numRuns: 30 },
    );
  });
});

describe('persons', () => {
  it('are counted once, and exactly, up to the room of the set', () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 60 })), fc.array(fc.nat({ max: 60 })), (one, other) => {
        const both = addFigures(withPersons(one), withPersons(other));

        expect(personCount(both)).toEqual({ count: new Set([...one, ...other]).size, exact: true });
      }),
    );
  });

  it.each([500, 5_000, 100_000])('beyond it are estimated: %d', (persons) => {
    const all = withPersons(Array.from({ length: persons }, (_, index) => index));

    const { count, exact } = personCount(all);

    expect(exact).toBe(false);
    // Three standard errors of the estimate.
    expect(Math.abs(count / persons - 1)).toBeLessThan(3 / Math.sqrt(PERSONS_MAXIMUM - 2));
  });

  it('tell five from four however often sets are merged', () => {
    fc.assert(
      fc.property(fc.array(fc.array(fc.nat({ max: 9 }), { maxLength: 4 }), { maxLength: 8 }), (sets) => {
        const merged = sets.map(withPersons).reduce(addFigures, noFigures);

        expect(personCount(merged).count >= 5).toBe(new Set(sets.flat()).size >= 5);
      }),
    );
  });
});
