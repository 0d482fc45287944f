import { type Decimal, decimal, toDecimalString } from '../../functions/platform/shared/decimal.ts';
import { AnswerState, type AttributionRecord } from '../../schemas/attribution/attributionRecord.ts';

type Quantity = 'cost_usd' | 'energy_wh' | 'carbon_gco2e';

/** The sum of the known figures. Null (not 0) if no figure is known. */
export interface Total {
  readonly known: string | null;
  /** Calls with an unknown figure, which is not in the sum. */
  readonly unknown: number;
}

export type Totals = Readonly<Record<Quantity, Total>> & { readonly records: number };

export interface Group extends Totals {
  /** Null for calls without a name. */
  readonly name: string | null;
}

/** The groups with the highest cost. `rest` sums up the others. */
export interface Ranking {
  readonly top: readonly Group[];
  readonly rest: { readonly groups: number; readonly totals: Totals } | null;
}

export interface StateShare {
  readonly state: AnswerState;
  readonly records: number;
  /** From 0 to 1. */
  readonly share: number;
}

export interface Summary {
  /** Time of the first and last call. Null without records. */
  readonly period: { readonly from: string; readonly to: string } | null;
  readonly totals: Totals;
  readonly services: Ranking;
  readonly owners: Ranking;
  /** What the answers are worth: each state with its calls, and their share of all calls. */
  readonly states: Readonly<Record<'owner' | 'service', readonly StateShare[]>>;
}

const TOP = 8;

const totalOf = (records: readonly AttributionRecord[], quantity: Quantity): Total => {
  const known = records.flatMap((record) => record[quantity] ?? []).map(decimal);
  const sum = known.reduce<Decimal | null>((so, value) => (so === null ? value : so.plus(value)), null);
  return { known: sum === null ? null : toDecimalString(sum), unknown: records.length - known.length };
};

const totalsOf = (records: readonly AttributionRecord[]): Totals => ({
  records: records.length,
  cost_usd: totalOf(records, 'cost_usd'),
  energy_wh: totalOf(records, 'energy_wh'),
  carbon_gco2e: totalOf(records, 'carbon_gco2e'),
});

/** Highest cost first, unknown costs last, then by number of calls and by name. The order is deterministic. */
const byCost = (one: Group, other: Group): number => {
  const [a, b] = [one.cost_usd.known, other.cost_usd.known];
  if (a !== null && b !== null && !decimal(a).eq(b)) return decimal(b).cmp(a);
  if ((a === null) !== (b === null)) return a === null ? 1 : -1;
  return other.records - one.records || (one.name ?? '').localeCompare(other.name ?? '', 'en');
};

const rank = (records: readonly AttributionRecord[], member: 'service' | 'owner'): Ranking => {
  const grouped = Map.groupBy(records, (record) => record[member]);
  const groups = [...grouped].map(([name, own]): Group => ({ name, ...totalsOf(own) })).sort(byCost);
  // Show a single remaining group by name instead of as "1 other".
  const top = groups.slice(0, groups.length === TOP + 1 ? groups.length : TOP);
  const others = groups.slice(top.length).flatMap(({ name }) => grouped.get(name) ?? []);
  return {
    top,
    rest: others.length === 0 ? null : { groups: groups.length - top.length, totals: totalsOf(others) },
  };
};

const periodOf = (records: readonly AttributionRecord[]): Summary['period'] => {
  const times = records.map(({ occurred_at }) => occurred_at).sort();
  const [from, to] = [times[0], times.at(-1)];
  return from === undefined || to === undefined ? null : { from, to };
};

const statesOf = (records: readonly AttributionRecord[], member: 'owner' | 'service'): StateShare[] =>
  AnswerState.options.map((state) => {
    const count = records.filter(
      ({ interpretation }) => interpretation.answers[member].state === state,
    ).length;
    return { state, records: count, share: records.length === 0 ? 0 : count / records.length };
  });

/** Summarises records by service and by owner. Sums are exact decimals. Shares are from 0 to 1. */
export const summarise = (all: Iterable<AttributionRecord>): Summary => {
  const records = [...all];
  return {
    period: periodOf(records),
    totals: totalsOf(records),
    services: rank(records, 'service'),
    owners: rank(records, 'owner'),
    states: { owner: statesOf(records, 'owner'), service: statesOf(records, 'service') },
  };
};
