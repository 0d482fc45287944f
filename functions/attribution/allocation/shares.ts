import {
  type AllocationSetting,
  type AllocationShares,
  type Bases,
  OWNERS_NAMED_MAXIMUM,
} from '../../../schemas/attribution/allocation.ts';
import { formatFixedPoint, parseFixedPoint } from '../../../schemas/fixedPoint.ts';
import { sha256Of } from '../../platform/shared/hash.ts';
import { compareKeys } from '../../platform/shared/largestRemainder.ts';
import type { Amounts } from './allocate.ts';

/** Spend in units of 1e-12 (USD, Wh, gCO2e). */
export interface Spend {
  readonly cost_usd: bigint;
  readonly energy_wh: bigint;
  readonly carbon_gco2e: bigint;
}

/** Attributed spend by owner. Updated in place, since a tenant has many records and few owners. */
export type ShareTotals = Map<string, Spend>;

/** The members of a record that the totals depend on. */
export interface SpendingRecord extends Amounts {
  readonly owner: string | null;
}

const NO_SPEND: Spend = { cost_usd: 0n, energy_wh: 0n, carbon_gco2e: 0n };

const addSpend = (one: Spend, other: Spend): Spend => ({
  cost_usd: one.cost_usd + other.cost_usd,
  energy_wh: one.energy_wh + other.energy_wh,
  carbon_gco2e: one.carbon_gco2e + other.carbon_gco2e,
});

/**
 * Whether all quantities are known to be 0, as for structural spans. Such records do not count their owner for an even
 * allocation.
 */
const hasNoSpend = (record: Amounts): boolean =>
  [record.cost_usd, record.energy_wh, record.carbon_gco2e].every((amount) => amount === '0');

/**
 * Adds a record to the spend of its owner, exactly. An allocated record has no owner, so allocations never depend on
 * earlier allocations. An unknown quantity adds nothing.
 */
export const addToTotals = (totals: ShareTotals, record: SpendingRecord): void => {
  const { owner } = record;
  if (owner === null) return;
  if (hasNoSpend(record)) return;
  const spent: Spend = {
    cost_usd: parseFixedPoint(record.cost_usd ?? '0'),
    energy_wh: parseFixedPoint(record.energy_wh ?? '0'),
    carbon_gco2e: parseFixedPoint(record.carbon_gco2e ?? '0'),
  };
  totals.set(owner, addSpend(totals.get(owner) ?? NO_SPEND, spent));
};

const formatSpend = (spent: Spend): Bases => ({
  cost_usd: formatFixedPoint(spent.cost_usd),
  energy_wh: formatFixedPoint(spent.energy_wh),
  carbon_gco2e: formatFixedPoint(spent.carbon_gco2e),
});

/** Descending by amount, then by owner. */
const compareBySize = (one: bigint, other: bigint, owners: readonly [string, string]): number =>
  one === other ? compareKeys(...owners) : one > other ? -1 : 1;

/** Digest of the shares. The content is sorted, so equal shares always have the same version. */
const sharesVersion = (content: unknown): string =>
  `allocation-${sha256Of('allocation shares', JSON.stringify(content)).toString('hex').slice(0, 12)}`;

/**
 * Computes the shares under a tenant's setting. Up to 50 owners with the largest attributed cost are named. The others
 * are combined, and their part stays unallocated and visible.
 */
export const computeShares = (
  totals: ReadonlyMap<string, Spend>,
  setting: AllocationSetting,
): AllocationShares => {
  if (setting.method === 'fixed') {
    const entries = setting.fixed
      .map(({ owner, share }) => ({ owner, share: formatFixedPoint(parseFixedPoint(share)) }))
      .toSorted((a, b) =>
        compareBySize(parseFixedPoint(a.share), parseFixedPoint(b.share), [a.owner, b.owner]),
      );
    const content = { method: setting.method, entries };
    return { ...content, version: sharesVersion(content) };
  }
  const ranked = [...totals].toSorted(([a, left], [b, right]) =>
    compareBySize(left.cost_usd, right.cost_usd, [a, b]),
  );
  const unnamed = ranked.slice(OWNERS_NAMED_MAXIMUM);
  const content = {
    method: setting.method,
    entries: ranked
      .slice(0, OWNERS_NAMED_MAXIMUM)
      .map(([owner, spent]) => ({ owner, ...formatSpend(spent) })),
    others: {
      owners: unnamed.length,
      ...formatSpend(unnamed.map(([, spent]) => spent).reduce(addSpend, NO_SPEND)),
    },
  };
  return { ...content, version: sharesVersion(content) };
};
