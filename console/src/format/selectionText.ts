import { sum } from '../../../sdk/shared/decimal.ts';
import { formatAmount, formatCount, formatRange, type Measure, plural } from './amount.ts';

/** What a selected row adds. */
export interface Addend {
  /** Null: unknown, which is not zero. */
  readonly central: string | null;
  readonly low: string | null;
  readonly high: string | null;
  readonly invocations: number;
  /** Calls of which none of the amounts includes anything. */
  readonly unknown: number;
}

/** How many rows are selected, with their exact sum, its range, and the calls that no sum includes. */
export const selectionText = (rows: readonly Addend[], measure: Measure): string => {
  const central = sum(rows.map((row) => row.central));
  const [low, high] = [sum(rows.map((row) => row.low)), sum(rows.map((row) => row.high))];
  const calls = rows.reduce((count, { invocations }) => count + invocations, 0);
  const unknown = rows.reduce((count, row) => count + row.unknown, 0);
  return [
    `${plural(rows.length, 'row')} selected: ${formatAmount(central, measure)}`,
    ...(central !== null && low !== high ? [`range ${formatRange(low, high, measure)}`] : []),
    ...(calls === rows.length && rows.every(({ invocations }) => invocations === 1)
      ? []
      : [plural(calls, 'call')]),
    ...(unknown === 0 ? [] : [`${formatCount(unknown)} of unknown amount`]),
  ].join(' · ');
};
