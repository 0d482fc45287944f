import { magnitude } from '../../../../sdk/shared/decimal.ts';
import type { Timeline } from '../series.ts';
import { divideBands, roundAxis } from './axis.ts';

export const MARGIN = { top: 22, right: 4, bottom: 40, left: 46 };
/** Ranges of energy and carbon reach 20 times the value. The axis follows the stack, and longer brackets end in an arrow. */
const RANGE_LIMIT = 1.6;
/** About as many numbers are on the axis. */
const TICKS = 4;
/** A narrower piece would not be visible. */
const PIECE_MINIMUM = 0.5;

export interface Piece {
  readonly key: string;
  readonly y: number;
  readonly height: number;
}

export interface ColumnShape {
  readonly x: number;
  readonly top: number;
  readonly pieces: readonly Piece[];
  /** Null if the range is too short to be seen. */
  readonly bracket: { readonly from: number; readonly to: number; readonly isCut: boolean } | null;
  /** The column is longer than the axis. */
  readonly isBroken: boolean;
}

export interface ColumnsLayout {
  readonly width: number;
  readonly ticks: readonly { readonly value: number; readonly y: number }[];
  readonly ceiling: number;
  readonly columns: readonly ColumnShape[];
}

/** An amount this many times as large as the next smaller one flattens the others. */
const OUTLIER_FACTOR = 3;
/** At least this share of the columns has to be smaller: more than a few large ones are no outliers. */
const USUAL_SHARE = 0.7;

/** The largest amount that is no outlier. Null if there is none. */
export const usualMaximum = (intervals: Timeline['intervals']): number | null => {
  const amounts = intervals
    .map(({ total }) => magnitude(total))
    .filter((amount) => amount > 0)
    .toSorted((one, other) => one - other);
  const first = Math.ceil(amounts.length * USUAL_SHARE) - 1;
  return (
    amounts.find((amount, index) => {
      const next = amounts[index + 1];
      return index >= Math.max(first, 1) && next !== undefined && next >= OUTLIER_FACTOR * amount;
    }) ?? null
  );
};

/** Places stacked columns in a box. All amounts become doubles here, and only here. */
export const layoutColumns = (
  { intervals, series }: Timeline,
  width: number,
  height: number,
  /** Ends the axis below outliers, whose columns are then broken. */
  cutsOutliers = false,
): ColumnsLayout => {
  const bands = divideBands(intervals.length, MARGIN.left, width - MARGIN.right, {
    inner: intervals.length > 40 ? 0.2 : 0.42,
    outer: 0.21,
  });
  const largest = Math.max(
    0,
    ...intervals.map(({ total, high }) => Math.min(magnitude(high), magnitude(total) * RANGE_LIMIT)),
    ...intervals.map(({ total }) => magnitude(total)),
  );
  const usual = cutsOutliers ? usualMaximum(intervals) : null;
  const { ceiling, ticks } = roundAxis((usual === null ? largest : usual * RANGE_LIMIT) || 1, TICKS);
  const bottom = height - MARGIN.bottom;
  const y = (value: number): number =>
    bottom - (Math.min(Math.max(value, 0), ceiling) / ceiling) * (bottom - MARGIN.top);
  return {
    width: bands.width,
    ceiling,
    ticks: ticks.map((value) => ({ value, y: y(value) })),
    columns: intervals.map((interval, index) => {
      let below = 0;
      const total = magnitude(interval.total);
      // A broken column keeps the shares of its groups.
      const scale = total > ceiling ? ceiling / total : 1;
      const pieces = series.flatMap(({ key }): Piece[] => {
        const value = magnitude(interval.values.get(key)) * scale;
        if (value <= 0) return [];
        const start = y(below);
        below += value;
        const full = start - y(below);
        // The gap between neighbours is taken from pieces that can spare it.
        const gap = full > 4 ? 1.5 : 0.5;
        return [{ key, y: y(below), height: Math.max(full - gap, PIECE_MINIMUM) }];
      });
      const high = magnitude(interval.high);
      const from = y(magnitude(interval.low));
      const to = y(Math.min(high, ceiling));
      const isBroken = total > ceiling;
      return {
        isBroken,
        x: bands.at(index),
        top: y(total),
        pieces,
        bracket: from - to > 4 && !isBroken ? { from, to, isCut: high > ceiling } : null,
      };
    }),
  };
};
