import { type PointerEvent, useId, useState } from 'react';
import { formatAmount, type Measure, unitOf } from '../../format/amount.ts';
import type { Interval, Series, Timeline } from '../series.ts';
import { fillOf, Textures } from '../Textures.tsx';
import { useWidth } from '../useWidth.ts';
import { Axis } from './Axis.tsx';
import { brushOf } from './brush.ts';
import { ColumnTip } from './ColumnTip.tsx';
import { type ColumnShape, layoutColumns, MARGIN } from './columns.ts';
import { axisLines, type IntervalLength, labelStep } from './intervalLabels.ts';
import { spokenInterval } from './spokenInterval.ts';

interface StackedColumnsProps extends Timeline {
  readonly measure: Measure;
  readonly length: IntervalLength;
  readonly label: string;
  /** Ends the axis below outliers. */
  readonly cutsOutliers?: boolean;
  /** What happened in intervals, by their start. */
  readonly notes?: ReadonlyMap<string, string>;
  /** Called with the first and last chosen interval when a range is dragged over the columns. */
  readonly onBrush?: (first: Interval, last: Interval) => void;
}

const bracketPath = ({ x, bracket }: ColumnShape, beside: number): string => {
  if (bracket === null) return '';
  const end = bracket.isCut ? 'm-3.5,4.5l3.5,-4.5l3.5,4.5' : 'h-4';
  return `M${x + beside - 4},${bracket.from}h4V${bracket.isCut ? MARGIN.top - 6 : bracket.to}${end}`;
};

/** Amounts by time, stacked by group, with the range of each interval beside it. Each column is read by keyboard. */
export const StackedColumns = ({
  intervals,
  series,
  measure,
  length,
  label,
  cutsOutliers = false,
  notes,
  onBrush,
}: StackedColumnsProps) => {
  const id = useId();
  const [box, width] = useWidth(640);
  const [shown, setShown] = useState<number>();
  const [drag, setDrag] = useState<{ readonly from: number; readonly to: number }>();
  const isNarrow = width < 480;
  const height = isNarrow ? 268 : 384;
  const layout = layoutColumns({ intervals, series }, width, height, cutsOutliers);
  const unit = unitOf(measure, layout.ceiling);
  const step = labelStep(intervals.length, width - MARGIN.left);
  const styles = new Map<string, Series>(series.map((each) => [each.key, each]));
  const tip = shown === undefined || drag !== undefined ? undefined : intervals[shown];
  const at = (event: PointerEvent): number =>
    event.clientX - (box.current?.getBoundingClientRect().left ?? 0);
  const finish = (): void => {
    const chosen = drag && brushOf(layout, drag.from, drag.to);
    setDrag(undefined);
    const [first, last] = chosen ? [intervals[chosen[0]], intervals[chosen[1]]] : [];
    if (first !== undefined && last !== undefined) onBrush?.(first, last);
  };
  return (
    <div
      className={onBrush === undefined ? 'chart' : 'chart brushable'}
      ref={box}
      onPointerLeave={() => setShown(undefined)}
      onPointerDown={(event) => onBrush && event.button === 0 && setDrag({ from: at(event), to: at(event) })}
      onPointerMove={(event) => drag && setDrag({ ...drag, to: at(event) })}
      onPointerUp={finish}
    >
      {/* biome-ignore lint/a11y/useSemanticElements: the group of columns is drawn. */}
      <svg height={height} viewBox={`0 0 ${width} ${height}`} role="group" aria-label={label}>
        <Textures id={id} of={series} />
        <Axis ticks={layout.ticks} width={width} measure={measure} unit={unit} />
        <g className="columns">
          {layout.columns.map((column, index) => {
            const interval = intervals[index];
            if (interval === undefined) return null;
            const [strong, light] = axisLines(interval.at, length, interval.isPartial, isNarrow);
            const middle = column.x + layout.width / 2;
            return (
              // biome-ignore lint/a11y/noInteractiveElementToNoninteractiveRole: a column is read by keyboard as by pointer.
              <g
                key={interval.at}
                className="column"
                tabIndex={0}
                role="img"
                aria-label={[spokenInterval(interval, measure, length), notes?.get(interval.at)]
                  .filter((text) => text !== undefined)
                  .join('. ')}
                onPointerEnter={() => setShown(index)}
                onFocus={() => setShown(index)}
                onBlur={() => setShown(undefined)}
              >
                <rect
                  className="hit"
                  x={column.x - 6}
                  width={layout.width + 12}
                  y={MARGIN.top}
                  height={height - MARGIN.top}
                />
                {column.pieces.map((piece) => (
                  <rect
                    key={piece.key}
                    x={column.x}
                    width={layout.width}
                    y={piece.y}
                    height={piece.height}
                    fill={fillOf(styles.get(piece.key) ?? { kind: 'other', color: 'var(--c-rest)' }, id)}
                  />
                ))}
                {notes?.has(interval.at) && (
                  <path
                    className="event"
                    d={`M${middle},${MARGIN.top - 2}l-5,-8h10zV${height - MARGIN.bottom}`}
                  />
                )}
                <path className="whisker" d={bracketPath(column, layout.width + (isNarrow ? 5 : 8))} />
                {column.isBroken && (
                  <path
                    className="break"
                    d={`M${column.x - 3},${height - MARGIN.bottom - 36}l${layout.width + 6},-8v5l${-layout.width - 6},8z`}
                  />
                )}
                {(column.isBroken || (!isNarrow && intervals.length <= 10)) && interval.total !== null && (
                  <text className="total" x={middle} y={column.top - 8} textAnchor="middle">
                    {formatAmount(interval.total, measure)}
                  </text>
                )}
                <rect
                  className="ring"
                  x={column.x - 4}
                  width={layout.width + 8}
                  y={MARGIN.top - 8}
                  height={height - MARGIN.bottom - MARGIN.top + 10}
                  rx="5"
                />
                {(intervals.length - 1 - index) % step === 0 && (
                  <g className="axis">
                    <text className="strong" x={middle} y={height - MARGIN.bottom + 17} textAnchor="middle">
                      {strong}
                    </text>
                    <text x={middle} y={height - MARGIN.bottom + 32} textAnchor="middle">
                      {light}
                    </text>
                  </g>
                )}
              </g>
            );
          })}
        </g>
        {drag !== undefined && (
          <rect
            className="brush"
            x={Math.min(drag.from, drag.to)}
            width={Math.abs(drag.to - drag.from)}
            y={MARGIN.top}
            height={height - MARGIN.bottom - MARGIN.top}
          />
        )}
      </svg>
      {tip !== undefined && shown !== undefined && (
        <ColumnTip
          interval={tip}
          series={series}
          measure={measure}
          length={length}
          place={{
            isRight: shown > intervals.length / 2,
            x: layout.columns[shown]?.x ?? 0,
            column: layout.width,
            width,
          }}
        />
      )}
    </div>
  );
};
