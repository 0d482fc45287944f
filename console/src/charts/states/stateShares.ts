import { shareOf, sum } from '../../../../sdk/shared/decimal.ts';
import type { UsageTotals } from '../../../../sdk/typescript/src/types.ts';
import { formatRange, formatShareRange, type ShareRange } from '../../format/amount.ts';
import { wordFor } from '../../format/words.ts';

type Totals = NonNullable<UsageTotals['owner_states'][string]>;

/** A state that a chart shows. `mixed` are calls whose state is hidden: they can belong to any other state. */
export interface ShownState {
  readonly state: string;
  readonly note?: string;
  readonly kind: 'named' | 'nobody' | 'folded' | 'other';
  readonly color: string;
}

export const HIDDEN: ShownState = {
  state: 'mixed',
  note: 'Can belong to any of the others',
  kind: 'folded',
  color: 'var(--c-folded)',
};

/** What the owners of calls are worth, the surest first. */
export const OWNER_STATES: readonly ShownState[] = [
  {
    state: 'confirmed',
    note: 'An owner is named, with enough confidence to charge',
    kind: 'named',
    color: 'var(--sure-3)',
  },
  {
    state: 'provisional',
    note: 'An owner is named, not surely enough to charge',
    kind: 'named',
    color: 'var(--sure-2)',
  },
  {
    state: 'allocated',
    note: 'Nobody is named, divided among owners',
    kind: 'other',
    color: 'var(--c-rest)',
  },
  { state: 'unassigned', note: 'Nobody is named', kind: 'nobody', color: 'var(--c-nobody)' },
  HIDDEN,
];

export interface StateShare {
  readonly state: string;
  readonly label: string;
  readonly note: string | undefined;
  /** Calls that are known to have the state. */
  readonly invocations: number;
  readonly cost: string;
  readonly shareText: string;
  readonly range: ShareRange;
  /** The least share, for a bar in which the hidden part is a part of its own. */
  readonly share: number;
  readonly fill: { readonly kind: ShownState['kind']; readonly color: string };
}

const isUnpriced = ({ invocations, unpriced_invocations: unpriced }: Totals): boolean =>
  invocations > 0 && invocations === unpriced;

/**
 * The spend of each state and its share of the whole. Where privacy hides the state of calls, both are ranges: what is hidden
 * is not zero. An amount of which no call has a known price is unknown.
 */
export const stateShares = (
  totals: Partial<Readonly<Record<string, Totals>>>,
  states: readonly ShownState[],
): StateShare[] => {
  const whole = sum(Object.values(totals).map((one) => one?.cost_usd));
  const hidden = totals[HIDDEN.state];
  return states.map(({ state, note, kind, color }) => {
    const own = totals[state];
    const low = own?.cost_usd ?? '0';
    const high = state === HIDDEN.state ? low : (sum([low, hidden?.cost_usd]) ?? low);
    const range = { least: shareOf(low, whole), most: shareOf(high, whole) };
    const isNone = own === undefined && (hidden === undefined || state === HIDDEN.state);
    const isUnknown = own !== undefined && isUnpriced(own) && (hidden === undefined || isUnpriced(hidden));
    return {
      state,
      label: wordFor(state),
      note,
      invocations: own?.invocations ?? 0,
      cost: isNone ? 'none' : isUnknown ? 'unknown' : formatRange(low, high, 'cost'),
      shareText: isUnknown ? 'unknown' : formatShareRange(range),
      range,
      share: range.least,
      fill: { kind, color },
    };
  });
};

/** The share of the spend that has a state. */
export const shareOfState = (
  totals: Partial<Readonly<Record<string, Totals>>>,
  state: string,
): StateShare | undefined => stateShares(totals, [{ state, kind: 'named', color: '' }])[0];
