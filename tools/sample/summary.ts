import { type Decimal, decimal, toDecimalString } from '../../functions/shared/decimal.ts';
import type { AttributionRecord, Interpretation } from '../../schemas/attribution/attributionRecord.ts';

export { renderSummary } from './render.ts';

type Quantity = 'cost_usd' | 'energy_wh' | 'carbon_gco2e';
type Band = Interpretation['confidence_band'];

/** A sum over the calls whose figure is known; null when it is known of none, which is not 0. */
export interface Total {
  readonly known: string | null;
  /** Calls whose figure is unknown and therefore not in the sum. */
  readonly unknown: number;
}

export type Totals = Readonly<Record<Quantity, Total>> & { readonly records: number };

export interface Group extends Totals {
  /** Null for the calls that name nobody. */
  readonly name: string | null;
}

/** The dearest groups; what the others come to is in `rest`. */
export interface Ranking {
  readonly top: readonly Group[];
  readonly rest: { readonly groups: number; readonly totals: Totals } | null;
}

export interface Summary {
  /** First and last instant of a call; null without records. */
  readonly period: { readonly from: string; readonly to: string } | null;
  readonly totals: Totals;
  readonly services: Ranking;
  readonly owners: Ranking;
  readonly bands: readonly { readonly band: Band; readonly records: number; readonly share: number }[];
}

const TOP = 8;
const BANDS = ['chargeback_ready', 'provisional', 'estimated'] as const satisfies readonly Band[];

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

/** Dearest first, unknown costs last; then by number of calls and by name, so that the order is always the same. */
const byCost = (one: Group, other: Group): number => {
  const [a, b] = [one.cost_usd.known, other.cost_usd.known];
  if (a !== null && b !== null && !decimal(a).eq(b)) return decimal(b).cmp(a);
  if ((a === null) !== (b === null)) return a === null ? 1 : -1;
  return other.records - one.records || (one.name ?? '').localeCompare(other.name ?? '', 'en');
};

const rank = (records: readonly AttributionRecord[], member: 'service' | 'owner'): Ranking => {
  const grouped = Map.groupBy(records, (record) => record[member]);
  const groups = [...grouped].map(([name, own]): Group => ({ name, ...totalsOf(own) })).sort(byCost);
  // One group left over says more by its name than as "1 other".
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

/** Sums records up by service and by owner. Exact: every sum is decimal. Shares are parts of 1. */
export const summarise = (all: Iterable<AttributionRecord>): Summary => {
  const records = [...all];
  return {
    period: periodOf(records),
    totals: totalsOf(records),
    services: rank(records, 'service'),
    owners: rank(records, 'owner'),
    bands: BANDS.map((band) => {
      const count = records.filter(({ interpretation }) => interpretation.confidence_band === band).length;
      return { band, records: count, share: records.length === 0 ? 0 : count / records.length };
    }),
  };
};
