import { describe, expect, it } from 'vitest';
import {
  CARBON_UNCERTAINTY,
  classOfDeviation,
  ENERGY_UNCERTAINTY,
  type EstimateClass,
  estimateClass,
  type LocationClass,
  rangeAround,
} from '../../../functions/impact/footprint/uncertainty.ts';
import { decimal } from '../../../functions/platform/shared/decimal.ts';

const CLASSES: readonly (readonly [EstimateClass, number])[] = [
  ['A', 1.1],
  ['B', 2],
  ['C', 2.5],
  ['prefill', 3],
  ['D', 4],
];
const PLACES: readonly (readonly [LocationClass, number])[] = [
  ['region', 1.15],
  ['country', 1.3],
  ['area', 1.6],
];

describe('the uncertainty range', () => {
  it.each(CLASSES)(
    'of energy in class %s is the 90 % interval of a geometric standard deviation of %d',
    (evidence, gsd) => {
      const { down, up, gsd: stated } = ENERGY_UNCERTAINTY[evidence];

      expect(stated).toBe(gsd);
      expect(Number(up.toFixed()) / gsd ** 1.645).toBeCloseTo(1, 12);
      expect(Number(down.toFixed()) * gsd ** 1.645).toBeCloseTo(1, 12);
    },
  );

  it.each(
    CLASSES.flatMap(([evidence, gsd]) =>
      PLACES.map(([place, grid]) => [evidence, place, gsd, grid] as const),
    ),
  )('of carbon in class %s with a known %s combines both uncertainties', (evidence, place, gsd, grid) => {
    const combined = Math.exp(Math.hypot(Math.log(gsd), Math.log(grid)));

    const { down, up, gsd: stated } = CARBON_UNCERTAINTY[evidence][place];

    expect(stated).toBeCloseTo(combined, 4);
    expect(Number(up.toFixed()) / combined ** 1.645).toBeCloseTo(1, 12);
    expect(Number(down.toFixed()) * combined ** 1.645).toBeCloseTo(1, 12);
  });

  it('of zero is zero', () => {
    expect(rangeAround(decimal('0'), ENERGY_UNCERTAINTY.D)).toEqual({
      gsd: 4,
      low: '0',
      central: '0',
      high: '0',
    });
  });
});

describe('the class of an estimate', () => {
  const shape = (read: number, generated: number, inputWh = '0.1') => ({
    inputWh: decimal(inputWh),
    outputWh: decimal('1'),
    read: decimal(String(read)),
    generated: decimal(String(generated)),
  });

  it.each([
    ['B', shape(1_000, 500), 'B'],
    ['C', shape(1_000, 2_000), 'C'],
    ['B', shape(1_000, 2_001), 'C'],
    ['C', shape(1_000, 2_001), 'prefill'],
    ['B', shape(4_000, 500), 'prefill'],
    ['B', shape(3_999, 500), 'B'],
    ['C', shape(100, 500, '1.1'), 'prefill'],
    ['A', shape(100_000, 9_000, '2'), 'A'],
    ['D', shape(100_000, 9_000, '2'), 'D'],
  ] as const)('with evidence %s and %j is %s', (evidence, call, expected) => {
    expect(estimateClass(evidence, call)).toBe(expected);
  });

  it.each(CLASSES)('%s follows from its deviation', (name, gsd) => {
    expect(classOfDeviation(gsd)).toBe(name);
  });
});
