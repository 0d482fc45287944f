import { getTenant, listAnnotations } from '../../../../sdk/typescript/src/operations.ts';
import { readUsage } from '../../api/usageReport.ts';
import { useRead } from '../../api/useRead.ts';
import { PAGE_ROWS } from '../../api/wholeReport.ts';
import { Page } from '../../components/Page.tsx';
import { PhoneFold, useIsWide } from '../../components/PhoneFold.tsx';
import { Later } from '../../components/reading/Later.tsx';
import { Loaded } from '../../components/reading/Loaded.tsx';
import { plural } from '../../format/amount.ts';
import { formatClock, formatDays, isoDay } from '../../format/time.ts';
import { SavedViews } from '../../savedViews/SavedViews.tsx';
import { useSettled } from '../../url/useSettled.ts';
import { useUrlState } from '../../url/useUrlState.ts';
import { ChangeView } from './change/ChangeView.tsx';
import { useChanges } from './change/useChanges.ts';
import { GroupControls, MeasureControl, PeriodControl } from './controls/ExploreControls.tsx';
import { ExploreFilters } from './controls/ExploreFilters.tsx';
import { earlierPeriod, exploreCodec, filtersOf, isMonth, periodOf } from './exploreState.ts';
import { FlowView } from './FlowView.tsx';
import { ForecastView } from './ForecastView.tsx';
import { GroupTable } from './groups/GroupTable.tsx';
import { Summary } from './Summary.tsx';
import { TreemapView } from './TreemapView.tsx';
import { TimeView } from './time/TimeView.tsx';
import { BusinessMetrics } from './unitCosts/BusinessMetrics.tsx';
import { UnitCostView } from './unitCosts/UnitCostView.tsx';
import { ViewCard, ViewControl } from './ViewCard.tsx';
import './explore.css';

/** Who, what and when: one report by any grouping, as columns in time, areas, flows and a table. */
export const Explore = () => {
  const [state, change] = useUrlState(exploreCodec);
  const isWide = useIsWide();
  const settled = useSettled(state);
  const period = periodOf(settled, Date.now());
  const chosen = periodOf(state, Date.now());
  const filters = filtersOf(settled);
  const tags = (useRead(['tenant'], getTenant).data?.cost_allocation_tags ?? []).map(
    (key) => `tag:${key}` as const,
  );
  const { group: groupBy } = settled;
  const key = [period.from, period.to, groupBy.join(), ...[...filters].flat()];
  const timeline = useRead(
    ['usage', 'explore', ...key, period.interval],
    (client, options) => readUsage(client, { ...period, groupBy, filters }, options),
    { enabled: settled.view === 'time' },
  );
  const notes = useRead(['annotations'], (client, options) =>
    listAnnotations(client, { limit: PAGE_ROWS }, options),
  );
  const { interval: _, ...range } = period;
  const priceChanges = useChanges(settled, range, settled.view === 'time').data?.price_changes ?? [];
  const previous = earlierPeriod(range, settled.since, Date.now());
  const totals = useRead(['usage', 'groups', ...key, settled.since], (client, options) =>
    readUsage(client, { ...range, groupBy, filters, compare: true, previous }, options),
  );
  return (
    <Page
      title="Explore"
      lead={
        <>
          {formatDays(period)}, in UTC.{' '}
          <Later
            text={totals.data && `Complete up to ${formatClock(totals.data.as_of)} UTC.`}
            sample="Complete up to 00:00 UTC."
          />
        </>
      }
      actions={
        <>
          <PeriodControl state={state} change={change} />
          {isWide && <SavedViews page="explore" />}
        </>
      }
    >
      <PhoneFold
        summary={`Filters and view${filters.size === 0 ? '' : `: ${plural(filters.size, 'filter')}`}`}
      >
        <section className="explore-bar" aria-label="Filters and view">
          {!isWide && (
            <>
              <ViewControl state={state} change={change} />
              <MeasureControl state={state} change={change} />
            </>
          )}
          <ExploreFilters state={state} period={chosen} tags={tags} change={change} />
          <GroupControls state={state} period={chosen} tags={tags} change={change} />
          {!isWide && <SavedViews page="explore" />}
        </section>
      </PhoneFold>
      <Summary
        totals={totals}
        before={
          previous !== null
            ? formatDays(previous)
            : isMonth(settled)
              ? 'the same days of the month before'
              : 'the period before'
        }
      />
      <ViewCard state={settled} change={change}>
        {settled.view === 'time' && (
          <Loaded of={timeline} height={420}>
            {({ data }) => (
              <TimeView
                rows={data}
                notes={notes.data?.data ?? []}
                priceChanges={priceChanges}
                state={settled}
                period={period}
                change={change}
                onBrush={({ from, to }) => change({ from: isoDay(from), to: isoDay(to - 1) })}
              />
            )}
          </Loaded>
        )}
        {settled.view === 'treemap' && <TreemapView state={settled} range={range} change={change} />}
        {settled.view === 'flow' && <FlowView state={settled} range={range} />}
        {settled.view === 'change' && <ChangeView state={settled} range={range} />}
        {settled.view === 'forecast' && <ForecastView state={settled} />}
        {settled.view === 'unit' && <UnitCostView state={settled} range={range} change={change} />}
      </ViewCard>
      {settled.view === 'unit' && <BusinessMetrics range={range} />}
      <GroupTable state={settled} totals={totals} change={change} />
    </Page>
  );
};
