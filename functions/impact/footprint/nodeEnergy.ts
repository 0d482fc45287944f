import type { EnergyExplanation } from '../../../schemas/attribution/explanation.ts';
import type { NodeHourShare } from '../../../schemas/attribution/nodeHours.ts';
import { decimal } from '../../platform/shared/decimal.ts';
import { ENERGY_UNCERTAINTY, rangeAround } from './uncertainty.ts';

/** Method of calls whose energy is their part of that of own nodes. */
export const NODE_ENERGY_METHOD = 'node-hours';

const lesser = (one: string, other: string): string => (decimal(one).lt(other) ? one : other);
const greater = (one: string, other: string): string => (decimal(one).gt(other) ? one : other);

/**
 * The energy of a call on own nodes, divided as their cost is. The range is that of a measurement, and that of the weights of
 * the division. Null if the power of the nodes is not stated.
 */
export const nodeEnergy = ({
  pool,
  energy,
}: Pick<NodeHourShare, 'pool' | 'energy'>): EnergyExplanation | null => {
  if (energy === undefined) return null;
  const measured = rangeAround(decimal(energy.wh), ENERGY_UNCERTAINTY.A);
  return {
    method: NODE_ENERGY_METHOD,
    version: `node-pool:${pool}`,
    class: 'A',
    ...measured,
    low: lesser(measured.low, energy.low),
    high: greater(measured.high, energy.high),
    components: null,
  };
};
