import type { UsageRow } from '../../../../sdk/typescript/src/types.ts';
import { Legend } from '../../charts/Legend.tsx';
import { StackedColumns } from '../../charts/StackedColumns.tsx';
import { timelineOf } from '../../charts/series.ts';
import { TimelineTable } from '../../charts/TimelineTable.tsx';
import { measureNames } from '../../charts/usage.ts';
import { usePalette } from '../../charts/usePalette.ts';
import { Empty } from '../../components/Empty.tsx';
import type { ExplorePeriod, ExploreState } from './exploreState.ts';
import { keepLargest } from './regroup.ts';

/** As many groups as there are colours that stay apart. */
const SHOWN = 6;

interface TimeViewProps {
  readonly rows: readonly UsageRow[];
  readonly state: ExploreState;
  readonly period: ExplorePeriod;
  readonly onBrush: (first: string, last: string) => void;
}

export const TimeView = ({ rows, state: { group, measure }, period, onBrush }: TimeViewProps) => {
  const palette = usePalette(group);
  if (rows.length === 0)
    return (
      <Empty title="No calls in this period">
        Choose other days, or remove a filter. Groups of fewer than five people cannot be chosen.
      </Empty>
    );
  const timeline = timelineOf(
    keepLargest(rows, group, measure, SHOWN),
    group,
    measure,
    period,
    Date.now(),
    palette,
  );
  return (
    <>
      <StackedColumns
        {...timeline}
        measure={measure}
        length={period.interval}
        label={`${measureNames[measure]} over time. Drag over columns to choose a period`}
        onBrush={(first, last) => onBrush(first.at, last.at)}
      />
      <Legend series={timeline.series} measure={measure} />
      <TimelineTable {...timeline} measure={measure} length={period.interval} />
    </>
  );
};
