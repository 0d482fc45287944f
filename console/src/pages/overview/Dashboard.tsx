import { Link } from 'wouter';
import type { UsageReport } from '../../../../sdk/typescript/src/types.ts';
import { RangeKey } from '../../charts/columns/RangeKey.tsx';
import { StackedColumns } from '../../charts/columns/StackedColumns.tsx';
import { TimelineTable } from '../../charts/columns/TimelineTable.tsx';
import { timelineOf } from '../../charts/series.ts';
import { measureNames } from '../../charts/usage.ts';
import { usePalette } from '../../charts/usePalette.ts';
import { Callout } from '../../components/Callout.tsx';
import { Card } from '../../components/Card.tsx';
import { Failure } from '../../components/reading/Failure.tsx';
import { Loaded } from '../../components/reading/Loaded.tsx';
import { Segments } from '../../components/Segments.tsx';
import { formatCount, type Measure } from '../../format/amount.ts';
import { useCan } from '../../session/session.ts';
import { daysOf, recordsLink } from '../records/recordFilters.ts';
import { Attention } from './Attention.tsx';
import { BudgetsCard } from './BudgetsCard.tsx';
import { Confidence } from './Confidence.tsx';
import { CoverageCard } from './CoverageCard.tsx';
import { FootprintCard } from './FootprintCard.tsx';
import { Owners } from './Owners.tsx';
import type { OverviewState } from './overviewState.ts';
import { Totals } from './Totals.tsx';

const MEASURES = (['cost', 'energy', 'carbon'] as const).map((value) => ({
  value,
  label: measureNames[value],
}));

interface DashboardProps {
  readonly usage: { data: UsageReport | undefined; error: Error | null; refetch: () => unknown };
  readonly period: { readonly from: number; readonly to: number };
  readonly days: OverviewState['days'];
  readonly measure: Measure;
  readonly choose: (measure: Measure) => void;
}

/** The figures, charts and lists of the overview. */
export const Dashboard = ({ usage, period, days, measure, choose }: DashboardProps) => {
  const report = usage.data;
  const canReadRecords = useCan('read:attribution');
  const canMap = useCan('finance:config');
  const palette = usePalette(['owner']);
  const timeline =
    report &&
    timelineOf(report.data, ['owner'], measure, { ...period, interval: 'day' }, Date.now(), palette);
  const title = `${measureNames[measure]} by day and owner`;
  if (report === undefined && usage.error !== null)
    return (
      <>
        <Card title={title}>
          <Failure error={usage.error} retry={usage.refetch} />
        </Card>
        <Attention />
        <div className="halves">
          <BudgetsCard />
          {canReadRecords && <CoverageCard />}
        </div>
      </>
    );
  return (
    <>
      <Totals usage={usage} period={period} days={days} measure={measure} owners={timeline?.series ?? []} />
      {report !== undefined && report.totals.unpriced_invocations > 0 && (
        <Callout
          action={
            <>
              <Link href={`/explore?group=served_model&days=${days}`}>By model</Link>
              {canReadRecords && (
                <Link href={recordsLink({ ...daysOf(report.period), price: 'unknown' })}>See the calls</Link>
              )}
            </>
          }
        >
          <strong>
            {formatCount(report.totals.unpriced_invocations)} of {formatCount(report.totals.invocations)}{' '}
            calls have no known price.
          </strong>{' '}
          No sum of cost includes them.
        </Callout>
      )}
      {report !== undefined &&
        report.totals.owner_states['mixed']?.invocations === report.totals.invocations && (
          <Callout action={canMap ? <Link href="/identity">Map people to teams</Link> : undefined}>
            <strong>Fewer than five people were seen.</strong> Their calls are shown together, so that
            nobody's use can be read from them. Names and states appear from five people on, and for calls
            without a person.
          </Callout>
        )}
      <Attention />
      <div className="two">
        <Card
          title={title}
          aside={
            <span className="controls">
              <RangeKey />
              <Segments label="Measure" options={MEASURES} value={measure} onChange={choose} />
            </span>
          }
        >
          <Loaded of={usage} height={420}>
            {({ data }) =>
              timeline && (
                <>
                  <StackedColumns {...timeline} measure={measure} length="day" label={title} />
                  <TimelineTable {...timeline} source={data} measure={measure} length="day" />
                </>
              )
            }
          </Loaded>
        </Card>
        <Card title="Owners" aside={<Link href={`/explore?days=${days}&measure=${measure}`}>Explore</Link>}>
          <Loaded of={usage} height={420}>
            {({ data, period: shown }) =>
              timeline && <Owners timeline={timeline} rows={data} measure={measure} period={shown} />
            }
          </Loaded>
        </Card>
      </div>
      <div className="halves">
        <div className="pile">
          <Card title="How certain this is" aside={<Link href="/quality">Quality</Link>}>
            <Loaded of={usage} height={240}>
              {({ totals }) => <Confidence totals={totals} />}
            </Loaded>
          </Card>
          <FootprintCard usage={usage} />
        </div>
        <div className="pile">
          <BudgetsCard />
          {canReadRecords && <CoverageCard />}
        </div>
      </div>
    </>
  );
};
