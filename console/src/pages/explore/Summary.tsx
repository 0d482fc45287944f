import { changeSince, type HiddenAmounts } from '../../../../sdk/shared/comparison.ts';
import type { UsageReport } from '../../../../sdk/typescript/src/types.ts';
import { changeText } from '../../charts/comparison.ts';
import { centralOf, estimateOf, measureNames } from '../../charts/usage.ts';
import { Loaded } from '../../components/reading/Loaded.tsx';
import { formatAmount, formatCount, formatRange, type Measure, unitOfEstimate } from '../../format/amount.ts';
import { Remarks } from './Remarks.tsx';

interface SummaryProps {
  readonly totals: { data: UsageReport | undefined; error: Error | null; refetch: () => unknown };
  /** What the sums are compared with. */
  readonly before: string;
}

/** The sums of the chosen calls, beside the period before. */
export const Summary = ({ totals, before }: SummaryProps) => (
  <Loaded of={totals} height={62}>
    {(report) => (
      <>
        <Sums report={report} before={before} />
        <Remarks report={report} />
      </>
    )}
  </Loaded>
);

interface SumsProps {
  readonly report: UsageReport;
  readonly before: string;
}

const Sums = ({ report, report: { totals }, before }: SumsProps) => (
  <section aria-label="Sums">
    <dl className="summary">
      {(['cost', 'energy', 'carbon'] as const).map((measure) => (
        <Sum key={measure} measure={measure} report={report} before={before} />
      ))}
      <div>
        <dt>Calls</dt>
        <dd>
          <strong className="num">{formatCount(totals.invocations)}</strong>
          <span className="sub num">{formatCount(totals.input_tokens + totals.output_tokens)} tokens</span>
        </dd>
      </div>
    </dl>
  </section>
);

/** Calls of which privacy hides whether they match the filters. */
const hiddenIn = ({ undetermined_invocations: now, previous }: UsageReport): HiddenAmounts | undefined =>
  now === 0 && (previous?.undetermined_invocations ?? 0) === 0 ? undefined : { now: null, before: null };

const Sum = ({ measure, report, before }: SumsProps & { readonly measure: Measure }) => {
  const { totals, previous } = report;
  const change = changeSince(
    report,
    centralOf(totals, measure),
    previous && centralOf(previous.totals, measure),
    hiddenIn(report),
  );
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
        {totals.invocations > 0 && <span className="sub num">{range}</span>}
        <span className="sub num">
          {change === null ? 'no complete period before' : `${changeText(change, measure)} to ${before}`}
        </span>
      </dd>
    </div>
  );
};
