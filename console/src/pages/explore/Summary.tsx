import type { UsageReport, UsageTotals } from '../../../../sdk/typescript/src/types.ts';
import { estimateOf, measureNames } from '../../charts/usage.ts';
import { Loaded } from '../../components/Loaded.tsx';
import { formatAmount, formatCount, formatRange, formatShare, unitOfEstimate } from '../../format/amount.ts';
import { magnitude } from '../../format/decimal.ts';

interface SummaryProps {
  readonly now: { data: UsageReport | undefined; error: Error | null; refetch: () => unknown };
  readonly before: UsageReport | undefined;
}

const changeText = (now: string | null, before: string | null): string => {
  if (now === null || magnitude(before) <= 0) return 'no comparable period before';
  const change = magnitude(now) / magnitude(before) - 1;
  return `${change >= 0 ? '+' : '−'}${formatShare(Math.abs(change))} to the period before`;
};

/** The sums of the chosen calls, beside the period before. */
export const Summary = ({ now, before }: SummaryProps) => (
  <Loaded of={now} height={62}>
    {(report) => (
      <>
        <Sums totals={report.totals} earlier={before?.totals} />
        <Remarks report={report} />
      </>
    )}
  </Loaded>
);

const Sums = ({ totals, earlier }: { totals: UsageTotals; earlier: UsageTotals | undefined }) => (
  <dl className="summary">
    {(['cost', 'energy', 'carbon'] as const).map((measure) => (
      <Sum key={measure} measure={measure} totals={totals} earlier={earlier} />
    ))}
    <div>
      <dt>Calls</dt>
      <dd>
        <strong className="num">{formatCount(totals.invocations)}</strong>
        <span className="sub num">{formatCount(totals.input_tokens + totals.output_tokens)} tokens</span>
      </dd>
    </div>
  </dl>
);

/** What privacy leaves out of the sums, or moves across the ends of the period. */
const Remarks = ({ report: { period, undetermined_invocations: left } }: { report: UsageReport }) => {
  if (period.exact && left === 0) return null;
  return (
    <p className="quiet small">
      {!period.exact && 'Calls near the ends may be missing or added, for privacy. '}
      {left > 0 &&
        `${formatCount(left)} calls in groups of fewer than five people are left out: they may or may not match the filter.`}
    </p>
  );
};

const Sum = ({
  measure,
  totals,
  earlier,
}: {
  measure: 'cost' | 'energy' | 'carbon';
  totals: UsageTotals;
  earlier: UsageTotals | undefined;
}) => {
  const { central, low, high, unknown } = estimateOf(totals, measure);
  const unit = unitOfEstimate(measure, central, high);
  const range = formatRange(low, high, measure, unit);
  return (
    <div>
      <dt>{measureNames[measure]}</dt>
      <dd>
        <strong className="num">
          {totals.invocations === 0 ? 'no calls' : formatAmount(central, measure, unit)}
        </strong>
        {unknown > 0 && <span className="unknown small num"> {formatCount(unknown)} unknown</span>}
        <span className="sub num">{range}</span>
        <span className="sub num">
          {changeText(central, earlier === undefined ? null : estimateOf(earlier, measure).central)}
        </span>
      </dd>
    </div>
  );
};
