import { type AllocationShares, type Bases, picoOf } from '../../schemas/attribution/allocation.ts';
import { divide, type Weight } from '../shared/largestRemainder.ts';

/** What one record spent, as decimal strings; null where it is not known. */
export interface Amounts {
  readonly cost_usd: string | null;
  readonly energy_wh: string | null;
  readonly carbon_gco2e: string | null;
}

/** What one owner bears of a record. */
export interface AllocatedPart extends Amounts {
  /** Null for what stays unallocated. */
  readonly owner: string | null;
  /** Part of the cost as a decimal string; over the parts of a record it sums to exactly 1. */
  readonly ratio: string;
}

const WHOLE = picoOf('1');

/** The weights of one quantity: its own basis, or a count of heads where that is the rule or nobody has any of it. */
const weightsBy = (quantity: keyof Bases, shares: AllocationShares): readonly Weight[] => {
  if (shares.method === 'fixed') {
    const fixed = shares.entries.map(({ owner, share }) => ({ key: owner, weight: picoOf(share) }));
    return [...fixed, { key: null, weight: fixed.reduce((rest, { weight }) => rest - weight, WHOLE) }];
  }
  const { entries, others, method } = shares;
  const bearers = [
    ...entries.map((entry) => ({ key: entry.owner, heads: 1n, spent: picoOf(entry[quantity]) })),
    { key: null, heads: BigInt(others.owners), spent: picoOf(others[quantity]) },
  ];
  const byHead = method === 'even' || bearers.every(({ spent }) => spent === 0n);
  return bearers.map(({ key, heads, spent }) => ({ key, weight: byHead ? heads : spent }));
};

const amountsByKey = (
  amount: string | null,
  weights: readonly Weight[],
): ReadonlyMap<string | null, string> =>
  new Map(amount === null ? [] : divide(amount, weights).map((part) => [part.key, part.amount]));

const isNothing = ({ ratio, cost_usd, energy_wh, carbon_gco2e }: AllocatedPart): boolean =>
  [ratio, cost_usd, energy_wh, carbon_gco2e].every((amount) => amount === '0' || amount === null);

/**
 * Stage C: divides what one record spent among owners. Each quantity is conserved exactly: its parts sum to the whole.
 * An unknown quantity stays unknown in every part. The owners come in the order of the shares, and behind them what
 * stays unallocated, where there is any.
 */
export const allocate = (amounts: Amounts, shares: AllocationShares): readonly AllocatedPart[] => {
  const byCost = weightsBy('cost_usd', shares);
  const ratios = amountsByKey('1', byCost);
  const cost = amountsByKey(amounts.cost_usd, byCost);
  const energy = amountsByKey(amounts.energy_wh, weightsBy('energy_wh', shares));
  const carbon = amountsByKey(amounts.carbon_gco2e, weightsBy('carbon_gco2e', shares));
  return byCost
    .map(({ key }) => ({
      owner: key,
      cost_usd: cost.get(key) ?? null,
      energy_wh: energy.get(key) ?? null,
      carbon_gco2e: carbon.get(key) ?? null,
      ratio: ratios.get(key) ?? '0',
    }))
    .filter((part) => part.owner !== null || !isNothing(part));
};
