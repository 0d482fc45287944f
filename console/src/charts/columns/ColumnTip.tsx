import { magnitude } from '../../../../sdk/shared/decimal.ts';
import { formatAmount, formatRange, type Measure, plural } from '../../format/amount.ts';
import type { Interval, Series } from '../series.ts';
import { Swatch } from '../Textures.tsx';
import { type IntervalLength, intervalName } from './intervalLabels.ts';

interface ColumnTipProps {
  readonly interval: Interval;
  readonly series: readonly Series[];
  readonly measure: Measure;
  readonly length: IntervalLength;
  readonly place: {
    readonly isRight: boolean;
    readonly x: number;
    readonly column: number;
    readonly width: number;
  };
}

/** The amounts of one column, in the order of the stack. */
export const ColumnTip = ({ interval, series, measure, length, place }: ColumnTipProps) => (
  <div
    className="tip"
    style={{
      top: 8,
      ...(place.isRight
        ? { right: Math.max(0, place.width - place.x + 10) }
        : { left: Math.min(place.x + place.column + 14, Math.max(0, place.width - 220)) }),
    }}
  >
    <h3>
      <span>{intervalName(interval.at, length)}</span>
      <span className="num">{formatAmount(interval.total, measure)}</span>
    </h3>
    <ul>
      {series
        .toReversed()
        .filter(({ key }) => magnitude(interval.values.get(key)) > 0)
        .map((each) => (
          <li key={each.key}>
            <Swatch of={each} />
            <span>{each.label}</span>
            <span className="num">{formatAmount(interval.values.get(each.key), measure)}</span>
          </li>
        ))}
    </ul>
    <p>
      Range {formatRange(interval.low, interval.high, measure)}
      {interval.unknown > 0 && (
        <>
          <br />
          and {plural(interval.unknown, 'call')} of unknown amount
        </>
      )}
    </p>
  </div>
);
