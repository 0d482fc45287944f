import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { attribute } from '../../../functions/attribution/engine/attribute.ts';
import { loadFactors } from '../../../functions/impact/factors.ts';
import { hashOfPerson } from '../../../functions/ledger/records/person.ts';
import { addFigures, noFigures, personCount } from '../../../functions/ledger/rollups/figures.ts';
import { countedGroups, groupOf, sumGroups, totalOf } from '../../../functions/ledger/rollups/rollup.ts';
import { addDecimals } from '../../../functions/platform/shared/decimal.ts';
import { Figures, PERSONS_MAXIMUM, RollupGroup } from '../../../schemas/ledger/rollup.ts';
import { anEvent, anyEvent, aTenant } from '../../attribution/engine/events.ts';

const factors = await loadFactors();
const instants = {
  occurredAt: Date.parse('2026-07-15T12:00:00Z'),
  receivedAt: Date.parse('2026-07-15T12:00:01Z'),
};
const metadata = { ...instants, residency: null };
const noTags = { watched: new Set<string>(), costAllocation: [] };
const groups = fc.array(
  anyEvent.map((event) => groupOf(attribute(event, metadata, aTenant(), factors), noTags)),
  { maxLength: 12 },
);
const personOf = (name: number): string => hashOfPerson('acme', String(name));
const withPersons = (names: readonly number[]): Figures => ({
  ...noFigures,
  persons: [...new Set(names.map(personOf))].sort().slice(0, PERSONS_MAXIMUM),
});

describe('sums of figures', () => {
  it('are exact for values that a float cannot represent', () => {
    expect(addDecimals('0.1', '0.2')).toBe('0.3');
    expect(addDecimals('999999999999999999.999999999999', '0.000000000001')).toBe('1000000000000000000');
  });

  it('do not depend on the order or grouping of the additions', () => {
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

  it('count unknown quantities instead of adding zero', () => {
    fc.assert(
      fc.property(groups, (all) => {
        const total = totalOf(all);
        expect(total.invocations).toBe(all.length);
        expect(total.cost_usd.unknown).toBe(
          all.filter(({ figures }) => figures.cost_usd.unknown === 1).length,
        );
      }),
      { numRuns: 30 },
    );
  });
});

it('counts calls whose reported cost is set aside among those of unknown cost', () => {
  const costs = ['1', '999999', undefined];
  const calls = costs.map((estimated_cost_usd) =>
    attribute(anEvent({ estimated_cost_usd, requested_model: 'unpriced' }), metadata, aTenant(), factors),
  );
  const total = totalOf(calls.map((call) => groupOf(call, noTags)));

  expect(total).toMatchObject({ invocations: 3, implausible: 1, cost_usd: { central: '1', unknown: 2 } });
  const { implausible: _, ...stored } = total;
  expect(Figures.parse(stored).implausible).toBe(0);
});

it('counts the calls of each status that is not ok, and knows nothing of sums without a status', () => {
  const statuses = ['ok', 'error', 'error', 'incomplete', undefined] as const;
  const calls = statuses.map((status, index) =>
    attribute(
      anEvent({ status, estimated_cost_usd: String(index), requested_model: 'unpriced' }),
      metadata,
      aTenant(),
      factors,
    ),
  );
  const total = totalOf(calls.map((call) => groupOf(call, noTags)));

  expect(total.outcomes).toMatchObject({
    examined: 5,
    error: { invocations: 2, paid: 2, cost_usd: { central: '3', unknown: 0 } },
    incomplete: { invocations: 1, paid: 1, cost_usd: { central: '3' } },
  });
  const { outcomes: _, ...stored } = total;
  expect(Figures.parse(stored).outcomes.examined).toBe(0);
});

it('counts the calls above each length at which prices rise, with the tokens and cost of those just above it', () => {
  const calls = [100_000, 128_000, 128_001, 160_000, 250_000, 250_001].map((input_tokens) =>
    attribute(
      anEvent({
        input_tokens,
        cached_input_tokens: 1_000,
        estimated_cost_usd: '2',
        requested_model: 'unpriced',
      }),
      metadata,
      aTenant(),
      factors,
    ),
  );
  const total = totalOf(calls.map((call) => groupOf(call, noTags)));

  expect(total.long_calls).toMatchObject({
    examined: 6,
    above: {
      '128000': {
        invocations: 4,
        just_above: {
          invocations: 2,
          input_tokens: 288_001,
          cached_input_tokens: 2_000,
          cost_usd: { central: '4' },
        },
      },
      '200000': { invocations: 2, just_above: { invocations: 1, input_tokens: 250_000 } },
    },
  });
  expect(Object.keys(total.long_calls.above)).toEqual(['128000', '200000']);
  const { long_calls: _, ...stored } = total;
  expect(Figures.parse(stored).long_calls).toEqual({ examined: 0, above: {} });
});

it('counts no call and no tokens for a span whose usage is that of the calls below it', () => {
  const spans = [
    attribute(anEvent({ operation: 'invoke_agent' }), metadata, aTenant(), factors),
    attribute(anEvent(), metadata, aTenant(), factors, { trace: { source: null, repeatsUsage: true } }),
  ];

  expect(totalOf(spans.map((span) => groupOf(span, noTags)))).toEqual(noFigures);
  expect(countedGroups(spans, noTags)).toEqual([]);
});

describe('the count of distinct persons', () => {
  it('is exact up to the size of the sketch', () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 60 })), fc.array(fc.nat({ max: 60 })), (one, other) => {
        const both = addFigures(withPersons(one), withPersons(other));

        expect(personCount(both)).toEqual({ count: new Set([...one, ...other]).size, exact: true });
      }),
    );
  });

  it.each([500, 5_000, 100_000])('is estimated beyond that size: %d persons', (persons) => {
    const all = withPersons(Array.from({ length: persons }, (_, index) => index));

    const { count, exact } = personCount(all);

    expect(exact).toBe(false);
    // Three standard errors.
    expect(Math.abs(count / persons - 1)).toBeLessThan(3 / Math.sqrt(PERSONS_MAXIMUM - 2));
  });

  it('distinguishes five from four persons after any number of merges', () => {
    fc.assert(
      fc.property(fc.array(fc.array(fc.nat({ max: 9 }), { maxLength: 4 }), { maxLength: 8 }), (sets) => {
        const merged = sets.map(withPersons).reduce(addFigures, noFigures);

        expect(personCount(merged).count >= 5).toBe(new Set(sets.flat()).size >= 5);
      }),
    );
  });
});
