import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  addToTotals,
  computeShares,
  type ShareTotals,
  type SpendingRecord,
} from '../../../functions/attribution/allocation/shares.ts';
import { AllocationSetting, AllocationShares } from '../../../schemas/attribution/allocation.ts';

const record = (owner: string | null, change: Partial<SpendingRecord> = {}): SpendingRecord => ({
  owner,
  cost_usd: '1',
  energy_wh: '2',
  carbon_gco2e: '3',
  ...change,
});
const totalsOf = (...records: readonly SpendingRecord[]): ShareTotals => {
  const totals: ShareTotals = new Map();
  for (const each of records) addToTotals(totals, each);
  return totals;
};
const PROPORTIONAL: AllocationSetting = { method: 'proportional' };
const NO_OTHERS = { owners: 0, cost_usd: '0', energy_wh: '0', carbon_gco2e: '0' };

describe('addToTotals', () => {
  it('sums exactly by owner, and ignores unknown quantities', () => {
    const totals = totalsOf(
      record('search', { cost_usd: '0.1' }),
      record('search', { cost_usd: '0.2', energy_wh: null }),
      record('chat', { cost_usd: null, carbon_gco2e: '0.000000000001' }),
    );

    expect(computeShares(totals, PROPORTIONAL)).toMatchObject({
      method: 'proportional',
      entries: [
        { owner: 'search', cost_usd: '0.3', energy_wh: '2', carbon_gco2e: '6' },
        { owner: 'chat', cost_usd: '0', energy_wh: '2', carbon_gco2e: '0.000000000001' },
      ],
      others: NO_OTHERS,
    });
  });

  it.each([
    ['ignores a record with all quantities 0, such as a structural span', '0', 0],
    ['counts the owner of a record with unknown quantities', null, 1],
  ])('%s', (_, amount, owners) => {
    const amounts = { cost_usd: amount, energy_wh: amount, carbon_gco2e: amount };

    expect(totalsOf(record('search', amounts)).size).toBe(owners);
  });

  it('ignores a record without an owner', () => {
    expect(totalsOf(record(null)).size).toBe(0);
  });

  it.each(['__proto__', 'constructor'])('accepts an owner called %s', (owner) => {
    expect(computeShares(totalsOf(record(owner)), PROPORTIONAL).entries).toMatchObject([{ owner }]);
  });
});

describe('computeShares', () => {
  it('names the 50 owners with the largest cost, and combines the others', () => {
    const padded = (index: number) => `team-${String(index).padStart(2, '0')}`;
    const equals = Array.from({ length: 60 }, (_, index) => record(padded(59 - index)));
    const totals = totalsOf(...equals, record('zebra', { cost_usd: '1.000000000001' }));

    const shares = computeShares(totals, PROPORTIONAL);

    expect(shares.entries.map(({ owner }) => owner)).toEqual([
      'zebra',
      ...Array.from({ length: 49 }, (_, index) => padded(index)),
    ]);
    expect(shares).toMatchObject({
      others: { owners: 11, cost_usd: '11', energy_wh: '22', carbon_gco2e: '33' },
    });
  });

  it('sorts and normalizes fixed shares', () => {
    const setting = AllocationSetting.parse({
      method: 'fixed',
      fixed: [
        { owner: 'b', share: '0.20' },
        { owner: 'c', share: '0.5' },
        { owner: 'a', share: '0.2' },
      ],
    });

    expect(computeShares(totalsOf(record('search')), setting)).toMatchObject({
      method: 'fixed',
      entries: [
        { owner: 'c', share: '0.5' },
        { owner: 'a', share: '0.2' },
        { owner: 'b', share: '0.2' },
      ],
    });
  });

  it('derives the version from the content, regardless of order', () => {
    const [one, two] = [record('search'), record('chat')];
    const versions = [
      computeShares(totalsOf(one, two), PROPORTIONAL),
      computeShares(totalsOf(two, one), PROPORTIONAL),
      computeShares(totalsOf(one, two), { method: 'even' }),
      computeShares(totalsOf(one, two, one), PROPORTIONAL),
    ].map(({ version }) => version);

    expect(versions[0]).toMatch(/^allocation-[0-9a-f]{12}$/);
    expect(versions[1]).toBe(versions[0]);
    expect(new Set(versions).size).toBe(3);
  });

  it('supports sums larger than the maximum of a single record', () => {
    const most = record('search', { cost_usd: '999999999999999999.999999999999' });

    const shares = computeShares(totalsOf(most, most), PROPORTIONAL);

    expect(AllocationShares.parse(shares).entries).toMatchObject([
      { cost_usd: '1999999999999999999.999999999998' },
    ]);
  });

  it('returns shares that can be stored and read again', () => {
    const owners = fc.array(fc.tuple(fc.string({ minLength: 1, maxLength: 8 }), fc.nat()), {
      maxLength: 300,
    });

    fc.assert(
      fc.property(owners, fc.constantFrom('proportional', 'even'), (entries, method) => {
        const totals = totalsOf(...entries.map(([owner, cost]) => record(owner, { cost_usd: String(cost) })));
        const shares = computeShares(totals, { method });

        expect(AllocationShares.parse(JSON.parse(JSON.stringify(shares)))).toEqual(shares);
      }),
    );
  });
});
