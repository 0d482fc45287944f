import { describe, expect, it } from 'vitest';
import {
  jointEstimateRange,
  jointPriceRange,
  type SumByModel,
} from '../../../functions/ledger/cohorts/jointRange.ts';
import { mulberry32 } from '../../../functions/platform/shared/mulberry32.ts';

const Z = 1.645;

/** A sum with a log-normal error around a median. */
const estimate = (central: number, gsd: number) => ({
  low: (central * gsd ** -Z).toFixed(6),
  central: String(central),
  high: (central * gsd ** Z).toFixed(6),
});

const sums = (...all: readonly { low: string; central: string; high: string }[]): SumByModel =>
  new Map(all.map((sum, at) => [`model-${at}`, sum]));

describe('jointEstimateRange', () => {
  it('keeps the range of a single model, because its calls share their error', () => {
    const { low, high, mean } = jointEstimateRange(sums({ low: '2', central: '4', high: '8' }));

    expect([low, high]).toEqual(['2', '8']);
    expect(Number(mean)).toBeGreaterThan(4);
  });

  it('holds about nine of ten totals of models with independent errors, and gives their mean', () => {
    const models = [
      { central: 50, gsd: 2.5 },
      { central: 30, gsd: 2 },
      { central: 15, gsd: 2.5 },
      { central: 5, gsd: 4 },
    ];
    const { low, high, mean } = jointEstimateRange(
      sums(...models.map(({ central, gsd }) => estimate(central, gsd))),
    );
    const draw = mulberry32(7);
    const normal = () => Math.sqrt(-2 * Math.log(1 - draw())) * Math.cos(2 * Math.PI * draw());
    const totals = Array.from({ length: 20_000 }, () =>
      models.reduce((total, { central, gsd }) => total + central * gsd ** normal(), 0),
    );
    const within = totals.filter((total) => total >= Number(low) && total <= Number(high)).length;

    expect(within / totals.length).toBeGreaterThan(0.88);
    expect(within / totals.length).toBeLessThan(0.95);
    const drawn = totals.reduce((sum, total) => sum + total, 0) / totals.length;
    expect(Math.abs(Number(mean) / drawn - 1)).toBeLessThan(0.03);
  });

  it('is narrower than the added ends', () => {
    const parts = [estimate(10, 2.5), estimate(12, 2.5), estimate(8, 2.5)];
    const { low, high } = jointEstimateRange(sums(...parts));

    expect(Number(low)).toBeGreaterThan(parts.reduce((sum, part) => sum + Number(part.low), 0));
    expect(Number(high)).toBeLessThan(parts.reduce((sum, part) => sum + Number(part.high), 0));
  });

  it('adds the range of calls whose model is not shown without a reduction', () => {
    const shown = estimate(10, 2);
    const { low, high } = jointEstimateRange(
      new Map([
        ['model-a', shown],
        [null, { low: '1', central: '2', high: '4' }],
      ]),
    );

    expect(Number(low)).toBeCloseTo(Number(shown.low) + 1, 9);
    expect(Number(high)).toBeCloseTo(Number(shown.high) + 4, 9);
  });

  it('is zero for no energy', () => {
    expect(jointEstimateRange(sums({ low: '0', central: '0', high: '0' }))).toEqual({
      low: '0',
      high: '0',
      mean: '0',
    });
    expect(jointEstimateRange(new Map())).toEqual({ low: '0', high: '0', mean: '0' });
  });
});

describe('jointPriceRange', () => {
  it('combines the deviations of models as the root of the sum of squares', () => {
    const range = jointPriceRange(
      sums({ low: '7', central: '10', high: '13' }, { low: '16', central: '20', high: '24' }),
    );

    expect(range).toEqual({ low: '25', high: '35' });
  });

  it('is the exact cost where all prices are known', () => {
    const exact = { low: '0.100000000001', central: '0.100000000001', high: '0.100000000001' };

    expect(jointPriceRange(sums(exact, exact))).toEqual({ low: '0.200000000002', high: '0.200000000002' });
  });
});
