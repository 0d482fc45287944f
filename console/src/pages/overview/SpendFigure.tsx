import { Link } from 'wouter';
import { changeSince } from '../../../../sdk/shared/comparison.ts';
import type { UsageReport } from '../../../../sdk/typescript/src/types.ts';
import { changeText } from '../../charts/comparison.ts';
import { RangeBar } from '../../charts/RangeBar.tsx';
import { estimateOf, measureNames } from '../../charts/usage.ts';
import { formatAmount, formatCount, formatRange, formatUsd } from '../../format/amount.ts';
import { exploreLink } from '../explore/exploreState.ts';
import { Kpi } from './Kpi.tsx';
import type { OverviewState } from './overviewState.ts';

/** What was spent, beside the same part of the period before. */
export const SpendFigure = ({ report, days }: { report: UsageReport; days: OverviewState['days'] }) => {
  const { central, low, high, unknown } = estimateOf(report.totals, 'cost');
  const change = changeSince(report, central, report.previous?.totals.cost_usd);
  return (
    <Kpi
      label={measureNames.cost}
      note={
        change === null ? (
          'no full period before'
        ) : (
          <>
            {changeText(change, 'cost')}
            <span className="visually-hidden"> to the same part of the period before</span>
          </>
        )
      }
      value={formatAmount(central, 'cost')}
      isUnknown={central === null}
    >
      <RangeBar low={low} central={central} high={high} label={`Range ${formatRange(low, high, 'cost')}`} />
      <span className="foot num">
        <span>{formatRange(low, high, 'cost')}</span>
        {unknown > 0 && <span className="unknown">{formatCount(unknown)} unknown</span>}
      </span>
      <span className="foot num">
        <Link href={exploreLink({ days, view: 'unit' })}>Unit costs</Link>
        {report.idle_nodes !== undefined && (
          <span>and {formatUsd(report.idle_nodes.cost_usd)} of idle nodes</span>
        )}
      </span>
    </Kpi>
  );
};
