import { Link } from 'wouter';
import { readUsage } from '../../api/usageReport.ts';
import { useRead } from '../../api/useRead.ts';
import { RangeKey } from '../../charts/RangeKey.tsx';
import { StackedColumns } from '../../charts/StackedColumns.tsx';
import { timelineOf } from '../../charts/series.ts';
import { TimelineTable } from '../../charts/TimelineTable.tsx';
import { measureNames } from '../../charts/usage.ts';
import { Callout } from '../../components/Callout.tsx';
import { Card } from '../../components/Card.tsx';
import { Loaded } from '../../components/Loaded.tsx';
import { Page } from '../../components/Page.tsx';
import { Segments } from '../../components/Segments.tsx';
import { formatCount } from '../../format/amount.ts';
import { formatClock, formatDay } from '../../format/time.ts';
import { useUrlState } from '../../url/useUrlState.ts';
import { Attention } from './Attention.tsx';
import { BudgetsCard } from './BudgetsCard.tsx';
import { Confidence } from './Confidence.tsx';
import { CoverageCard } from './CoverageCard.tsx';
import { Owners } from './Owners.tsx';
import { overviewCodec, periodsOf } from './overviewState.ts';
import { Totals } from './Totals.tsx';

const PERIODS = [
  { value: '7', label: '7 days' },
  { value: '14', label: '14 days' },
  { value: '30', label: '30 days' },
] as const;
const TOP = 6;

/** What was spent, how certain that is, and what needs attention. */
export const Overview = () => {
  const [{ days, measure }, change] = useUrlState(overviewCodec);
  const { shown, before } = periodsOf(Number(days), Date.now());
  const usage = useRead(['usage', 'overview', days], (client, options) =>
    readUsage(client, { ...shown, interval: 'day', groupBy: ['owner'], top: TOP }, options),
  );
  const earlier = useRead(['usage', 'before', days], (client, options) =>
    readUsage(client, { ...before, interval: 'day', groupBy: [] }, options),
  );
  const report = usage.data;
  const timeline =
    report && timelineOf(report.data, ['owner'], measure, { ...shown, interval: 'day' }, Date.now());
  const title = `${measureNames[measure]} by day and owner`;
  return (
    <Page
      title="Overview"
      lead={
        report
          ? `${formatDay(shown.from)} – ${formatDay(Date.now())}, in UTC. Complete up to ${formatClock(report.as_of)} UTC.`
          : 'Reading the report'
      }
      actions={
        <Segments label="Period" options={PERIODS} value={days} onChange={(next) => change({ days: next })} />
      }
    >
      <Totals
        usage={usage}
        before={earlier.data}
        period={shown}
        measure={measure}
        choose={(next) => change({ measure: next })}
      />
      {report !== undefined && report.totals.unpriced_invocations > 0 && (
        <Callout action={<Link href="/records?price=unknown">See the calls</Link>}>
          <strong>
            {formatCount(report.totals.unpriced_invocations)} of {formatCount(report.totals.invocations)}{' '}
            calls have no known price.
          </strong>{' '}
          No sum of cost includes them.
        </Callout>
      )}
      <Attention />
      <div className="two">
        <Card title={title} aside={<RangeKey />}>
          <Loaded of={usage} height={420}>
            {() =>
              timeline && (
                <>
                  <StackedColumns {...timeline} measure={measure} length="day" label={title} />
                  <TimelineTable {...timeline} measure={measure} length="day" />
                </>
              )
            }
          </Loaded>
        </Card>
        <Card title="Owners" aside={<Link href={`/explore?days=${days}&measure=${measure}`}>Explore</Link>}>
          <Loaded of={usage} height={420}>
            {({ data }) => timeline && <Owners timeline={timeline} rows={data} measure={measure} />}
          </Loaded>
        </Card>
      </div>
      <div className="thirds">
        <Card title="How certain this is" aside={<Link href="/quality">Quality</Link>}>
          <Loaded of={usage} height={240}>
            {({ totals }) => <Confidence bands={totals.confidence_bands} />}
          </Loaded>
        </Card>
        <BudgetsCard />
        <CoverageCard />
      </div>
    </Page>
  );
};
