import { magnitude, sum } from '../../../sdk/shared/decimal.ts';
import type { UsageRow } from '../../../sdk/typescript/src/types.ts';
import type { Measure } from '../format/amount.ts';
import { HIDDEN } from '../format/words.ts';
import { type Palette, REST, type Texture } from './palette.ts';
import { type Dimension, estimateOf, type Group, groupOf, nameOfValue } from './usage.ts';

export interface Series {
  readonly key: string;
  readonly kind: Group['kind'];
  readonly values: Group['values'];
  readonly label: string;
  readonly color: string;
  readonly texture: Texture;
  readonly total: string | null;
}

/** One column: the amounts of each series in an interval of time. */
export interface Interval {
  readonly at: string;
  readonly values: ReadonlyMap<string, string | null>;
  readonly total: string | null;
  readonly low: string | null;
  readonly high: string | null;
  readonly unknown: number;
  /** The interval has begun and not ended. */
  readonly isPartial: boolean;
}

export interface Timeline {
  readonly intervals: readonly Interval[];
  readonly series: readonly Series[];
}

/** What is no single group lies on top of the stack, always in this order. */
const ON_TOP: readonly Group['kind'][] = ['named', 'folded', 'nobody', 'other'];
const special = {
  other: { label: 'All others', color: 'var(--c-rest)', texture: 'solid' },
  folded: { label: HIDDEN, color: 'var(--c-folded)', texture: 'solid' },
  nobody: { label: 'Nobody named', color: 'var(--c-nobody)', texture: 'solid' },
} as const;

const labelOf = (dimensions: readonly Dimension[], values: readonly (string | null)[]): string =>
  dimensions.map((dimension, index) => nameOfValue(dimension, values[index] ?? null)).join(' · ');

/**
 * The series of a report, largest first, and what is no single group last. Colours go by name, not by rank: a group
 * keeps its colour when the measure or the period changes.
 */
export const seriesOf = (
  rows: readonly UsageRow[],
  dimensions: readonly Dimension[],
  measure: Measure,
  palette: Palette,
): Series[] => {
  const groups = [...Map.groupBy(rows, (row) => groupOf(row, dimensions).key)]
    .flatMap(([key, members]) => {
      const [first] = members;
      if (first === undefined) return [];
      const total = sum(members.map((row) => estimateOf(row, measure).central));
      return [{ ...groupOf(first, dimensions), key, total }];
    })
    .sort(
      (a, b) => ON_TOP.indexOf(a.kind) - ON_TOP.indexOf(b.kind) || magnitude(b.total) - magnitude(a.total),
    );
  const styles = palette(groups.filter(({ kind }) => kind === 'named').map(({ values }) => nameOf(values)));
  return groups.map((group): Series => {
    const { kind, values } = group;
    if (kind !== 'named') return { ...group, ...special[kind] };
    return { ...group, label: labelOf(dimensions, values), ...(styles.get(nameOf(values)) ?? REST) };
  });
};

/** The name under which the palette remembers a group. */
export const nameOf = (values: Group['values']): string => values.map((value) => value ?? '').join('\n');

/** The starts of the intervals of a period, whose end is exclusive. */
export const startsOf = (from: number, to: number, interval: 'hour' | 'day' | 'month'): number[] => {
  const starts: number[] = [];
  for (let at = from; at < to; at = nextStart(at, interval)) starts.push(at);
  return starts;
};

/** The end of the interval that starts at an instant. */
export const nextStart = (at: number, interval: 'hour' | 'day' | 'month'): number => {
  if (interval === 'hour') return at + 3_600_000;
  if (interval === 'day') return at + 86_400_000;
  const date = new Date(at);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1);
};

/** The columns of a report. Intervals without calls are columns too: a gap in time must look like one. */
export const timelineOf = (
  rows: readonly UsageRow[],
  dimensions: readonly Dimension[],
  measure: Measure,
  period: { readonly from: number; readonly to: number; readonly interval: 'hour' | 'day' | 'month' },
  now: number,
  palette: Palette,
): Timeline => {
  const byStart = Map.groupBy(rows, (row) => Date.parse(row.interval_start ?? ''));
  const intervals = startsOf(period.from, period.to, period.interval).map((at): Interval => {
    const members = byStart.get(at) ?? [];
    const estimates = members.map((row) => estimateOf(row, measure));
    const groups = Map.groupBy(members, (row) => groupOf(row, dimensions).key);
    return {
      at: new Date(at).toISOString(),
      values: new Map(
        [...groups].map(([key, own]) => [key, sum(own.map((row) => estimateOf(row, measure).central))]),
      ),
      total: sum(estimates.map(({ central }) => central)),
      low: sum(estimates.map(({ low }) => low)),
      high: sum(estimates.map(({ high }) => high)),
      unknown: estimates.reduce((count, { unknown }) => count + unknown, 0),
      isPartial: at <= now && nextStart(at, period.interval) > now,
    };
  });
  return { intervals, series: seriesOf(rows, dimensions, measure, palette) };
};
