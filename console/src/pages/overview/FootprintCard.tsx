import { changeSince } from '../../../../sdk/shared/comparison.ts';
import type { UsageReport } from '../../../../sdk/typescript/src/types.ts';
import { changeText } from '../../charts/comparison.ts';
import { RangeBar } from '../../charts/RangeBar.tsx';
import { centralOf, estimateOf, measureNames } from '../../charts/usage.ts';
import { Card } from '../../components/Card.tsx';
import { Loaded } from '../../components/reading/Loaded.tsx';
import { formatAmount, formatCount, formatRange, type Measure, unitOfEstimate } from '../../format/amount.ts';

interface FootprintCardProps {
  readonly usage: { data: UsageReport | undefined; error: Error | null; refetch: () => unknown };
}

const Line = ({ report, measure }: { report: UsageReport; measure: Measure }) => {
  const { central, low, high, unknown } = estimateOf(report.totals, measure);
  const unit = unitOfEstimate(measure, central, high);
  const change = changeSince(report, central, report.previous && centralOf(report.previous.totals, measure));
  const range = formatRange(low, high, measure, unit);
  return (
    <div className="stack">
      <div className="line num">
        <span>{measureNames[measure]}</span>
        <strong className={central === null ? 'unknown' : ''}>{formatAmount(central, measure, unit)}</strong>
      </div>
      <RangeBar low={low} central={central} high={high} label={`Range ${range}`} />
      <div className="line sub num">
        <span>{range}</span>
        {unknown > 0 && <span className="unknown">{formatCount(unknown)} unknown</span>}
        {change !== null && <span>{changeText(change, measure)}</span>}
      </div>
    </div>
  );
};

/** Energy and carbon of the period, as ranges. */
export const FootprintCard = ({ usage }: FootprintCardProps) => (
  <Card title="Energy and carbon">
    <Loaded of={usage} height={150}>
      {(report) => (
        <div className="rows">
          <Line report={report} measure="energy" />
          <Line report={report} measure="carbon" />
        </div>
      )}
    </Loaded>
  </Card>
);
