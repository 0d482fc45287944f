import { lazy, Suspense } from 'react';
import { readUsage } from '../../api/usageReport.ts';
import { useRead } from '../../api/useRead.ts';
import { Page } from '../../components/Page.tsx';
import { Later } from '../../components/reading/Later.tsx';
import { Skeleton } from '../../components/reading/Loaded.tsx';
import { Segments } from '../../components/Segments.tsx';
import { formatClock, formatDay } from '../../format/time.ts';
import { useUrlState } from '../../url/useUrlState.ts';
import { Dashboard } from './Dashboard.tsx';
import { overviewCodec, periodOf } from './overviewState.ts';

const FirstRun = lazy(async () => ({ default: (await import('./FirstRun.tsx')).FirstRun }));

const PERIODS = [
  { value: '7', label: '7 days' },
  { value: '14', label: '14 days' },
  { value: '30', label: '30 days' },
] as const;
const TOP = 6;

/** What was spent, how certain that is, and what needs attention. */
export const Overview = () => {
  const [{ days, measure }, change] = useUrlState(overviewCodec);
  const shown = periodOf(Number(days), Date.now());
  const usage = useRead(['usage', 'overview', days], (client, options) =>
    readUsage(client, { ...shown, interval: 'day', groupBy: ['owner'], top: TOP, compare: true }, options),
  );
  const report = usage.data;
  return (
    <Page
      title="Overview"
      lead={
        <>
          {formatDay(shown.from)} – {formatDay(Date.now())}, in UTC.{' '}
          <Later
            text={report && `Complete up to ${formatClock(report.as_of)} UTC.`}
            sample="Complete up to 00:00 UTC."
          />
        </>
      }
      actions={
        <Segments label="Period" options={PERIODS} value={days} onChange={(next) => change({ days: next })} />
      }
    >
      {report?.totals.invocations === 0 && (
        <Suspense fallback={<Skeleton height={420} />}>
          <FirstRun />
        </Suspense>
      )}
      {report?.totals.invocations !== 0 && (
        <Dashboard
          usage={usage}
          period={shown}
          days={days}
          measure={measure}
          choose={(next) => change({ measure: next })}
        />
      )}
    </Page>
  );
};
