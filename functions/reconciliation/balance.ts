import type { Balance } from '../../schemas/reconciliation.ts';
import type { Figures } from '../../schemas/rollup.ts';
import { decimal } from '../shared/decimal.ts';
import { type Billed, sumOf } from './bill.ts';

/** What the ledger says of a model's day: its figures, and when they were computed (epoch milliseconds). */
export interface Recorded {
  readonly figures: Figures;
  readonly asOf: number;
}

/** A balance, with how far its bills reach (epoch milliseconds). */
export interface Weighed extends Balance {
  readonly until: number | null;
}

const minus = (one: string, other: string): string => decimal(one).minus(other).toFixed();
const isLess = (one: string, other: string): boolean => decimal(one).lt(other);

/** What nothing recorded and nothing billed weigh. */
export const nothing: Weighed = {
  invocations: 0,
  attributed_usd: '0',
  billed_usd: null,
  difference_usd: null,
  unattributed_usd: '0',
  not_seen_usd: '0',
  under_recorded_usd: '0',
  over_attributed_usd: '0',
  not_billed_usd: '0',
  other_charges_usd: '0',
  unpriced_invocations: 0,
  changed_since_bill: false,
  until: null,
};

type Gap = Pick<Balance, 'not_seen_usd' | 'under_recorded_usd' | 'over_attributed_usd' | 'not_billed_usd'>;

/** Where a model's day differs: in one way only. */
const gapOf = (recorded: string, invocations: number, billed: string | null): Partial<Gap> => {
  if (billed === null) return { not_billed_usd: recorded };
  if (invocations === 0) return { not_seen_usd: billed };
  return isLess(recorded, billed)
    ? { under_recorded_usd: minus(billed, recorded) }
    : { over_attributed_usd: minus(recorded, billed) };
};

/** One day of one model: what was recorded against what was billed. */
export const weigh = (recorded: Recorded | null, billed: Billed | null): Weighed => {
  const figures = recorded?.figures;
  const total = figures?.cost_usd.central ?? '0';
  const unattributed = figures?.states.unresolved?.cost_usd ?? '0';
  const attributed = minus(total, unattributed);
  const invocations = figures?.invocations ?? 0;
  const usage = billed?.usage ?? null;
  return {
    ...nothing,
    invocations,
    attributed_usd: attributed,
    unattributed_usd: unattributed,
    billed_usd: usage,
    difference_usd: usage === null ? null : minus(usage, attributed),
    ...gapOf(total, invocations, usage),
    other_charges_usd: billed?.other ?? '0',
    unpriced_invocations: figures?.cost_usd.unknown ?? 0,
    changed_since_bill: recorded !== null && billed !== null && recorded.asOf > billed.at,
    until: billed?.until ?? null,
  };
};

/** The exact sum of two balances of different days or models. */
export const addBalances = (one: Weighed, other: Weighed): Weighed => {
  const sum = (name: keyof Gap | 'attributed_usd' | 'unattributed_usd' | 'other_charges_usd') =>
    sumOf([one[name], other[name]]);
  const billed = [one.billed_usd, other.billed_usd].filter((amount) => amount !== null);
  const attributed = sum('attributed_usd');
  const total = billed.length === 0 ? null : sumOf(billed);
  const until = Math.max(one.until ?? 0, other.until ?? 0);
  return {
    invocations: one.invocations + other.invocations,
    attributed_usd: attributed,
    billed_usd: total,
    difference_usd: total === null ? null : minus(total, attributed),
    unattributed_usd: sum('unattributed_usd'),
    not_seen_usd: sum('not_seen_usd'),
    under_recorded_usd: sum('under_recorded_usd'),
    over_attributed_usd: sum('over_attributed_usd'),
    not_billed_usd: sum('not_billed_usd'),
    other_charges_usd: sum('other_charges_usd'),
    unpriced_invocations: one.unpriced_invocations + other.unpriced_invocations,
    changed_since_bill: one.changed_since_bill || other.changed_since_bill,
    until: until === 0 ? null : until,
  };
};
