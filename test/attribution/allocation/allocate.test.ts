import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type AllocatedPart,
  type Amounts,
  allocate,
} from '../../../functions/attribution/allocation/allocate.ts';
import {
  computeShares,
  type ShareTotals,
  type Spend,
} from '../../../functions/attribution/allocation/shares.ts';
import type { AllocationSetting, AllocationShares } from '../../../schemas/attribution/allocation.ts';
import { formatFixedPoint, parseFixedPoint } from '../../../schemas/fixedPoint.ts';

const QUANTITIES = ['cost_usd', 'energy_wh', 'carbon_gco2e'] as const;
const PROPORTIONAL: AllocationSetting = { method: 'proportional' };
const AMOUNTS: Amounts = { cost_usd: '10', energy_wh: '20', carbon_gco2e: '40' };

const spent = (cost: bigint, energy = cost, carbon = cost): Spend => ({
  cost_usd: cost,
  energy_wh: energy,
  carbon_gco2e: carbon,
});
const sharesBy = (
  totals: Record<string, Spend>,
  setting: AllocationSetting = PROPORTIONAL,
): AllocationShares => computeShares(new Map(Object.entries(totals)), setting);
const sumOf = (amounts: readonly (string | null)[]): bigint =>
  amounts.reduce((sum, amount) => sum + parseFixedPoint(amount ?? 'unknown'), 0n);

describe('allocate', () => {
  it('divides each quantity in proportion to its own totals', () => {
    const shares = sharesBy({ search: spent(3n, 1n, 0n), chat: spent(1n, 1n, 5n) });

    expect(allocate(AMOUNTS, shares)).toEqual([
      { owner: 'search', cost_usd: '7.5', energy_wh: '10', carbon_gco2e: '0', ratio: '0.75' },
      { owner: 'chat', cost_usd: '2.5', energy_wh: '10', carbon_gco2e: '40', ratio: '0.25' },
    ]);
  });

  it('divides a quantity evenly when no owner has any of it', () => {
    const shares = sharesBy({ search: spent(3n, 0n, 0n), chat: spent(1n, 0n, 0n) });

    expect(allocate(AMOUNTS, shares)).toMatchObject([
      { owner: 'search', cost_usd: '7.5', energy_wh: '10', carbon_gco2e: '20' },
      { owner: 'chat', cost_usd: '2.5', energy_wh: '10', carbon_gco2e: '20' },
    ]);
  });

  it('divides evenly with method even', () => {
    const shares = sharesBy({ search: spent(3n), chat: spent(1n) }, { method: 'even' });

    expect(allocate(AMOUNTS, shares)).toMatchObject([
      { owner: 'search', cost_usd: '5', ratio: '0.5' },
      { owner: 'chat', cost_usd: '5', ratio: '0.5' },
    ]);
  });

  it('leaves the rest of fixed shares unallocated', () => {
    const fixed = [
      { owner: 'a', share: '0.5' },
      { owner: 'b', share: '0.2' },
    ];

    expect(allocate(AMOUNTS, sharesBy({}, { method: 'fixed', fixed }))).toEqual([
      { owner: 'a', cost_usd: '5', energy_wh: '10', carbon_gco2e: '20', ratio: '0.5' },
      { owner: 'b', cost_usd: '2', energy_wh: '4', carbon_gco2e: '8', ratio: '0.2' },
      { owner: null, cost_usd: '3', energy_wh: '6', carbon_gco2e: '12', ratio: '0.3' },
    ]);
  });

  it('leaves everything unallocated when nothing is attributed', () => {
    expect(allocate(AMOUNTS, sharesBy({}))).toEqual([{ owner: null, ...AMOUNTS, ratio: '1' }]);
  });

  it.each(['proportional', 'even'] as const)(
    'leaves the part of owners after the fiftieth unallocated, %s',
    (method) => {
      const totals = new Map(
        Array.from({ length: 200 }, (_, index) => [`team-${index}`, spent(7n)] as const),
      );

      const parts = allocate(AMOUNTS, computeShares(totals, { method }));

      expect(parts).toHaveLength(51);
      expect(parts.at(-1)).toEqual({
        owner: null,
        cost_usd: '7.5',
        energy_wh: '15',
        carbon_gco2e: '30',
        ratio: '0.75',
      });
    },
  );

  it('shows the unallocated part of a single quantity', () => {
    const named = Array.from({ length: 50 }, (_, index) => [`team-${index}`, spent(1n)] as const);
    const totals = new Map([...named, ['uncharged', spent(0n, 50n, 0n)] as const]);

    const rest = allocate(AMOUNTS, computeShares(totals, PROPORTIONAL)).at(-1);

    expect(rest).toEqual({ owner: null, cost_usd: '0', energy_wh: '10', carbon_gco2e: '0', ratio: '0' });
  });

  it('keeps an unknown quantity unknown in every part', () => {
    const parts = allocate({ ...AMOUNTS, cost_usd: null }, sharesBy({ a: spent(1n), b: spent(1n) }));

    expect(parts).toMatchObject([
      { cost_usd: null, energy_wh: '10', ratio: '0.5' },
      { cost_usd: null, energy_wh: '10', ratio: '0.5' },
    ]);
  });
});

const units = fc.oneof(
  fc.constantFrom(0n, 1n, 10n ** 30n - 1n),
  fc.bigInt({ min: 0n, max: 100n }),
  fc.bigInt({ min: 0n, max: 10n ** 30n - 1n }),
);
const known = fc.option(units.map(formatFixedPoint));
const amounts = fc.record({ cost_usd: known, energy_wh: known, carbon_gco2e: known });
const spending = fc.record({ cost_usd: units, energy_wh: units, carbon_gco2e: units });
const owners = fc.oneof(
  fc.array(spending, { minLength: 1, maxLength: 300 }),
  // Only equal amounts, and only zeros
  fc.nat({ max: 300 }).map((count) => Array.from({ length: count }, () => spent(1n))),
  fc.nat({ max: 300 }).map((count) => Array.from({ length: count }, () => spent(0n))),
);
const totals = owners.map(
  (list): ShareTotals => new Map(list.map((each, index) => [`owner-${index}`, each])),
);
const fixed = fc
  .array(fc.bigInt({ min: 1n, max: 10n ** 12n / 50n }), { minLength: 1, maxLength: 50 })
  .map((list) => list.map((share, index) => ({ owner: `owner-${index}`, share: formatFixedPoint(share) })));
const settings: fc.Arbitrary<AllocationSetting> = fc.oneof(
  fc.constantFrom(PROPORTIONAL, { method: 'even' } as const),
  fixed.map((shares) => ({ method: 'fixed' as const, fixed: shares })),
);
const divisions = fc.tuple(
  amounts,
  fc.tuple(totals, settings).map(([spends, setting]) => computeShares(spends, setting)),
);

describe('allocate, for any shares', () => {
  it('conserves every quantity exactly', () => {
    fc.assert(
      fc.property(divisions, ([whole, shares]) => {
        const parts = allocate(whole, shares);

        for (const quantity of QUANTITIES) {
          const amount = whole[quantity];
          const divided = parts.map((part) => part[quantity]);
          if (amount === null) expect(divided.every((part) => part === null)).toBe(true);
          else expect(sumOf(divided)).toBe(parseFixedPoint(amount));
        }
        expect(sumOf(parts.map(({ ratio }) => ratio))).toBe(parseFixedPoint('1'));
      }),
    );
  });

  it('names at most 50 owners, each once, and the unallocated part last', () => {
    fc.assert(
      fc.property(divisions, ([whole, shares]) => {
        const named = allocate(whole, shares).map(({ owner }) => owner);

        expect(new Set(named).size).toBe(named.length);
        expect(named.filter((owner) => owner !== null).length).toBeLessThanOrEqual(50);
        expect([-1, named.length - 1]).toContain(named.indexOf(null));
      }),
    );
  });

  it('has ratios that match the cost of each part, to 1e-12', () => {
    fc.assert(
      fc.property(divisions, ([whole, shares]) => {
        const cost = whole.cost_usd;
        fc.pre(cost !== null && parseFixedPoint(cost) <= parseFixedPoint('1000000'));

        const off = ({ ratio, cost_usd }: AllocatedPart): bigint => {
          const expected = (parseFixedPoint(ratio) * parseFixedPoint(cost)) / parseFixedPoint('1');
          return parseFixedPoint(cost_usd ?? 'unknown') - expected;
        };
        for (const part of allocate(cost === null ? whole : { ...whole, cost_usd: cost }, shares)) {
          expect(off(part) <= 1_000_001n && off(part) >= -1_000_001n).toBe(true);
        }
      }),
    );
  });
});
