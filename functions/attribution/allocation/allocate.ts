import type { AllocationShares, Bases } from '../../../schemas/attribution/allocation.ts';
import { parseFixedPoint } from '../../../schemas/fixedPoint.ts';
import { apportion, type Weight } from '../../platform/shared/largestRemainder.ts';

/** Quantities of one record as decimal strings; null when unknown. */
export interface Amounts {
  readonly cost_usd: string | null;
  readonly energy_wh: string | null;
  readonly carbon_gco2e: string | null;
}

/** The part of a record that is allocated to one owner. */
export interface AllocatedPart extends Amounts {
  /** Null for the unallocated part. */
  readonly owner: string | null;
  /** Part of the cost as a decimal string. The ratios of a record sum to exactly 1. */
  readonly ratio: string;
}

const WHOLE = parseFixedPoint('1');

/**
 * Weights for one quantity: the attributed spend in that quantity. With method `even`, or without any spend, the number of
 * owners.
 */
const weightsOf = (quantity: keyof Bases, shares: AllocationShares): readonly Weight[] => {
  if (shares.method === 'fixed') {
    const fixed = shares.entries.map(({ owner, share }) => ({ key: owner, weight: parseFixedPoint(share) }));
    return [...fixed, { key: null, weight: fixed.reduce((rest, { weight }) => rest - weight, WHOLE) }];
  }
  const { entries, others, method } = shares;
  const candidates = [
    ...entries.map((entry) => ({ key: entry.owner, owners: 1n, spent: parseFixedPoint(entry[quantity]) })),
    { key: null, owners: BigInt(others.owners), spent: parseFixedPoint(others[quantity]) },
  ];
  const isPerOwner = method === 'even' || candidates.every(({ spent }) => spent === 0n);
  return candidates.map(({ key, owners, spent }) => ({ key, weight: isPerOwner ? owners : spent }));
};

const apportionByKey = (
  amount: string | null,
  weights: readonly Weight[],
): ReadonlyMap<string | null, string> =>
  new Map(amount === null ? [] : apportion(amount, weights).map((part) => [part.key, part.amount]));

const isEmptyPart = ({ ratio, cost_usd, energy_wh, carbon_gco2e }: AllocatedPart): boolean =>
  [ratio, cost_usd, energy_wh, carbon_gco2e].every((amount) => amount === '0' || amount === null);

/**
 * Stage C: divides the quantities of one record among owners. Each quantity is conserved exactly: its parts sum to the
 * whole. An unknown quantity stays unknown in every part. The parts are in the order of the shares. The unallocated part
 * comes last, if there is one.
 */
export const allocate = (amounts: Amounts, shares: AllocationShares): readonly AllocatedPart[] => {
  const byCost = weightsOf('cost_usd', shares);
  const ratios = apportionByKey('1', byCost);
  const cost = apportionByKey(amounts.cost_usd, byCost);
  const energy = apportionByKey(amounts.energy_wh, weightsOf('energy_wh', shares));
  const carbon = apportionByKey(amounts.carbon_gco2e, weightsOf('carbon_gco2e', shares));
  return byCost
    .map(({ key }) => ({
      owner: key,
      cost_usd: cost.get(key) ?? null,
      energy_wh: energy.get(key) ?? null,
      carbon_gco2e: carbon.get(key) ?? null,
      ratio: ratios.get(key) ?? '0',
    }))
    .filter((part) => part.owner !== null || !isEmptyPart(part));
};
