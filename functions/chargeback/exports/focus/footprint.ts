import type { EnergyExplanation } from '../../../../schemas/attribution/explanation.ts';
import { parseFixedPoint } from '../../../../schemas/fixedPoint.ts';
import { apportion, type Weight } from '../../../platform/shared/largestRemainder.ts';
import { type Charge, sideOf } from './charge.ts';

const tokensOn = (charges: readonly Charge[], side: 'read' | 'written'): bigint =>
  charges.reduce((sum, charge) => (sideOf(charge) === side ? sum + charge.consumed : sum), 0n);

const atLeastOne = (count: bigint): bigint => (count === 0n ? 1n : count);

/**
 * Weights that divide a call's energy among its charges. When the energy method gives separate figures for input and output,
 * each figure is divided by tokens. Otherwise the weights are the costs. Weights are scaled to integers, since only their
 * ratio matters.
 */
const weightsOf = (charges: readonly Charge[], energy: EnergyExplanation | null): readonly bigint[] => {
  const parts = energy?.components ?? null;
  if (parts === null) return charges.map(({ cost }) => cost);
  const read = atLeastOne(tokensOn(charges, 'read'));
  const written = atLeastOne(tokensOn(charges, 'written'));
  return charges.map((charge) => {
    switch (sideOf(charge)) {
      case 'read':
        return parseFixedPoint(parts.input_wh) * charge.consumed * written;
      case 'written':
        return parseFixedPoint(parts.output_wh) * charge.consumed * read;
      default:
        return 0n;
    }
  });
};

/**
 * Divides the energy and carbon of a call among its charges, in units of 1e-12. Each quantity sums to the whole exactly.
 * Carbon uses the weights of energy. An unknown quantity is zero here. The line key has no method then.
 */
export const footprintsOf = (
  charges: readonly Charge[],
  whole: { readonly energy_wh: string | null; readonly carbon_gco2e: string | null },
  energy: EnergyExplanation | null,
): readonly { readonly energy: bigint; readonly carbon: bigint }[] => {
  const { energy_wh, carbon_gco2e } = whole;
  if (charges.length === 1) {
    return [{ energy: parseFixedPoint(energy_wh ?? '0'), carbon: parseFixedPoint(carbon_gco2e ?? '0') }];
  }
  const weights = weightsOf(charges, energy).map((weight, index): Weight => ({ key: String(index), weight }));
  const energies = apportion(energy_wh ?? '0', weights);
  const carbons = apportion(carbon_gco2e ?? '0', weights);
  return charges.map((_, index) => ({
    energy: parseFixedPoint(energies[index]?.amount ?? '0'),
    carbon: parseFixedPoint(carbons[index]?.amount ?? '0'),
  }));
};
