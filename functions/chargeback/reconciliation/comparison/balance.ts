import type { DifferenceParts } from '../../../../schemas/chargeback/differenceParts.ts';
import type { Balance } from '../../../../schemas/chargeback/reconciliation.ts';
import { decimal, sumDecimals } from '../../../platform/shared/decimal.ts';
import type { BilledAmounts } from '../rows/bill.ts';
import { addParts, noParts } from './differenceParts.ts';
import type { Recorded } from './recorded.ts';

/** A balance with the end of its newest charge (epoch milliseconds). */
export interface DatedBalance extends Balance {
  readonly until: number | null;
}

const minus = (one: string, other: string): string => decimal(one).minus(other).toFixed();
const isLess = (one: string, other: string): boolean => decimal(one).lt(other);

/** The balance of no records and no bills. */
export const zeroBalance: DatedBalance = {
  invocations: 0,
  recorded_usd: '0',
  attributed_usd: '0',
  billed_usd: null,
  difference_usd: null,
  unattributed_usd: '0',
  mixed_usd: '0',
  not_seen_usd: '0',
  under_recorded_usd: '0',
  over_attributed_usd: '0',
  not_billed_usd: '0',
  difference_parts: noParts,
  other_charges_usd: '0',
  unpriced_invocations: 0,
  implausible_invocations: 0,
  changed_since_bill: false,
  until: null,
};

/** A cost of which nothing is known is unknown, not zero. */
const nullWhenUnknown = (cost: string, invocations: number, unpriced: number): string | null =>
  invocations > 0 && unpriced === invocations ? null : cost;

type Gap = Pick<Balance, 'not_seen_usd' | 'under_recorded_usd' | 'over_attributed_usd' | 'not_billed_usd'>;

/** Assigns the difference of a block to exactly one category. */
const classifyDifference = (recorded: string, invocations: number, billed: string | null): Partial<Gap> => {
  if (billed === null) return { not_billed_usd: recorded };
  if (invocations === 0) return { not_seen_usd: billed };
  return isLess(recorded, billed)
    ? { under_recorded_usd: minus(billed, recorded) }
    : { over_attributed_usd: minus(recorded, billed) };
};

/**
 * Compares recorded with billed cost. Both must be complete. `isChanged` is true when records were added or changed after
 * the bill arrived. `parts` explain the difference of the two.
 */
export const compareWithBill = (
  recorded: Recorded,
  billed: BilledAmounts | null,
  isChanged: boolean,
  parts: DifferenceParts,
): DatedBalance => {
  const { invocations, cost, unattributed, mixed, unpriced, implausible } = recorded;
  const attributed = minus(minus(cost, unattributed), mixed);
  const usage = billed?.usage ?? null;
  return {
    ...zeroBalance,
    invocations,
    recorded_usd: nullWhenUnknown(cost, invocations, unpriced),
    attributed_usd: attributed,
    unattributed_usd: unattributed,
    mixed_usd: mixed,
    billed_usd: usage,
    difference_usd: usage === null ? null : minus(usage, attributed),
    ...classifyDifference(cost, invocations, usage),
    difference_parts: parts,
    other_charges_usd: billed?.other ?? '0',
    unpriced_invocations: unpriced,
    implausible_invocations: implausible,
    changed_since_bill: isChanged,
    until: billed?.until ?? null,
  };
};

/** The exact sum of two balances of different days or models. */
export const addBalances = (one: DatedBalance, other: DatedBalance): DatedBalance => {
  const sum = (name: keyof Gap | 'attributed_usd' | 'unattributed_usd' | 'mixed_usd' | 'other_charges_usd') =>
    sumDecimals([one[name], other[name]]);
  const billed = [one.billed_usd, other.billed_usd].filter((amount) => amount !== null);
  const attributed = sum('attributed_usd');
  const total = billed.length === 0 ? null : sumDecimals(billed);
  const until = Math.max(one.until ?? 0, other.until ?? 0);
  const [unattributed, mixed] = [sum('unattributed_usd'), sum('mixed_usd')];
  const invocations = one.invocations + other.invocations;
  const unpriced = one.unpriced_invocations + other.unpriced_invocations;
  return {
    invocations,
    recorded_usd: nullWhenUnknown(sumDecimals([attributed, unattributed, mixed]), invocations, unpriced),
    attributed_usd: attributed,
    billed_usd: total,
    difference_usd: total === null ? null : minus(total, attributed),
    unattributed_usd: unattributed,
    mixed_usd: mixed,
    not_seen_usd: sum('not_seen_usd'),
    under_recorded_usd: sum('under_recorded_usd'),
    over_attributed_usd: sum('over_attributed_usd'),
    not_billed_usd: sum('not_billed_usd'),
    difference_parts: addParts(one.difference_parts, other.difference_parts),
    other_charges_usd: sum('other_charges_usd'),
    unpriced_invocations: unpriced,
    implausible_invocations: one.implausible_invocations + other.implausible_invocations,
    changed_since_bill: one.changed_since_bill || other.changed_since_bill,
    until: until === 0 ? null : until,
  };
};
