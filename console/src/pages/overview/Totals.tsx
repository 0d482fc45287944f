import type { UsageReport } from '../../../../sdk/typescript/src/types.ts';
import type { Series } from '../../charts/series.ts';
import { Loaded } from '../../components/reading/Loaded.tsx';
import type { Measure } from '../../format/amount.ts';
import { ForecastFigure } from './ForecastFigure.tsx';
import { OwnerChangeFigure } from './OwnerChangeFigure.tsx';
import type { OverviewState } from './overviewState.ts';
import { SpendFigure } from './SpendFigure.tsx';
import { UnownedFigure } from './UnownedFigure.tsx';

interface TotalsProps {
  readonly usage: { data: UsageReport | undefined; error: Error | null; refetch: () => unknown };
  readonly period: { readonly from: number; readonly to: number };
  readonly days: OverviewState['days'];
  readonly measure: Measure;
  readonly owners: readonly Series[];
}

/** What was spent, what comes, who must act, and what changed. */
export const Totals = ({ usage, period, days, measure, owners }: TotalsProps) => (
  <section className="kpis" aria-label="Totals">
    <div className="card kpi">
      <Loaded of={usage} height={114}>
        {(report) => <SpendFigure report={report} days={days} />}
      </Loaded>
    </div>
    <div className="card kpi">
      <ForecastFigure />
    </div>
    <div className="card kpi">
      <Loaded of={usage} height={114}>
        {(report) => <UnownedFigure report={report} />}
      </Loaded>
    </div>
    <div className="card kpi">
      <OwnerChangeFigure period={period} days={days} measure={measure} owners={owners} />
    </div>
  </section>
);
