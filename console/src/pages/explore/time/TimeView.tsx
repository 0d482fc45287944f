import { priceChangeText } from '../../../../../sdk/shared/priceChange.ts';
import type { Annotation, PriceChange, UsageRow } from '../../../../../sdk/typescript/src/types.ts';
import { usualMaximum } from '../../../charts/columns/columns.ts';
import { notesByInterval } from '../../../charts/columns/notes.ts';
import { StackedColumns } from '../../../charts/columns/StackedColumns.tsx';
import { TimelineTable } from '../../../charts/columns/TimelineTable.tsx';
import { Legend } from '../../../charts/Legend.tsx';
import { nextStart, timelineOf } from '../../../charts/series.ts';
import { measureNames } from '../../../charts/usage.ts';
import { usePalette } from '../../../charts/usePalette.ts';
import { Empty } from '../../../components/reading/Empty.tsx';
import { Segments } from '../../../components/Segments.tsx';
import { formatUsd } from '../../../format/amount.ts';
import { DAY_MS } from '../../../format/time.ts';
import { PriceChanges } from '../change/PriceChanges.tsx';
import type { ExplorePeriod, ExploreState } from '../exploreState.ts';
import { keepLargest } from '../groups/regroup.ts';
import { Annotations } from './Annotations.tsx';

/** As many groups as there are colours that stay apart. */
const SHOWN = 6;

interface TimeViewProps {
  readonly rows: readonly UsageRow[];
  readonly notes: readonly Annotation[];
  /** Those of the period before, too. */
  readonly priceChanges: readonly PriceChange[];
  readonly state: ExploreState;
  readonly period: ExplorePeriod;
  readonly change: (members: Partial<ExploreState>) => void;
  /** Called with a chosen part of the period. Epoch milliseconds, `to` excluded. */
  readonly onBrush: (range: { readonly from: number; readonly to: number }) => void;
}

const AXES = [
  { value: 'whole', label: 'Whole axis' },
  { value: 'cut', label: 'Cut outliers' },
] as const;

export const TimeView = ({ rows, notes, priceChanges, state, period, change, onBrush }: TimeViewProps) => {
  const { group, measure, axis } = state;
  const palette = usePalette(group);
  if (rows.length === 0)
    return (
      <Empty title="No calls in this period">
        Choose other days, or remove a filter. Groups of fewer than five people cannot be chosen.
      </Empty>
    );
  const isShown = (at: string): boolean => period.from <= Date.parse(at) && Date.parse(at) < period.to;
  const inPeriod = notes.filter(({ date }) => isShown(date));
  const prices = priceChanges.filter(({ at }) => isShown(at));
  const marks = [
    ...inPeriod,
    ...prices.map((one) => ({ date: one.at, text: priceChangeText(one, formatUsd) })),
  ];
  const timeline = timelineOf(
    keepLargest(rows, group, measure, SHOWN),
    group,
    measure,
    period,
    Date.now(),
    palette,
  );
  // Periods are whole days, so the hours of a single day cannot be chosen.
  const canBrush = period.to - period.from > DAY_MS;
  return (
    <>
      <StackedColumns
        {...timeline}
        cutsOutliers={axis === 'cut'}
        measure={measure}
        length={period.interval}
        notes={notesByInterval(marks, timeline.intervals, period.interval)}
        label={`${measureNames[measure]} over time${canBrush ? '. Drag over columns to choose a period' : ''}`}
        {...(canBrush && {
          onBrush: (first, last) =>
            onBrush({
              from: Date.parse(first.at),
              to: Math.min(nextStart(Date.parse(last.at), period.interval), period.to),
            }),
        })}
      />
      {usualMaximum(timeline.intervals) !== null && (
        <div className="controls below-chart">
          <Segments label="Axis" options={AXES} value={axis} onChange={(next) => change({ axis: next })} />
        </div>
      )}
      <PriceChanges changes={prices} />
      <Annotations notes={inPeriod} period={period} />
      <Legend series={timeline.series} measure={measure} />
      <TimelineTable {...timeline} source={rows} measure={measure} length={period.interval} />
    </>
  );
};
