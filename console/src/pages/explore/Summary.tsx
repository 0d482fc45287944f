import type { UsageReport, UsageRow } from '../../../../sdk/typescript/src/types.ts';
import { type Dimension, estimateOf, measureNames } from '../../charts/usage.ts';
import { Loaded } from '../../components/Loaded.tsx';
import { formatAmount, formatCount, formatRange, formatShare } from '../../format/amount.ts';
import { magnitude, sum } from '../../format/decimal.ts';
import { filterRows } from './regroup.ts';

interface SummaryProps {
  readonly now: { data: UsageReport | undefined; error: Error | null; refetch: () => unknown };
  readonly before: UsageReport | undefined;
  readonly filters: ReadonlyMap<Dimension, string>;
}

const changeText = (now: string | null, before: string | null): string => {
  if (now === null || magnitude(before) <= 0) return 'no comparable period before';
  const change = magnitude(now) / magnitude(before) - 1;
  return `${change >= 0 ? '+' : '−'}${formatShare(Math.abs(change))} to the period before`;
};

/** The sums of the chosen calls, beside the period before. */
export const Summary = ({ now, before, filters }: SummaryProps) => (
  <Loaded of={now} height={62}>
    {({ data }) => {
      const rows = filterRows(data, filters);
      const earlier = filterRows(before?.data ?? [], filters);
      return (
        <dl className="summary">
          {(['cost', 'energy', 'carbon'] as const).map((measure) => (
            <Sum key={measure} measure={measure} rows={rows} earlier={earlier} />
          ))}
          <div>
            <dt>Calls</dt>
            <dd>
              <strong className="num">
                {formatCount(rows.reduce((count, row) => count + row.invocations, 0))}
              </strong>
              <span className="sub num">
                {formatCount(rows.reduce((count, row) => count + row.input_tokens + row.output_tokens, 0))}{' '}
                tokens
              </span>
            </dd>
          </div>
        </dl>
      );
    }}
  </Loaded>
);

const Sum = ({
  measure,
  rows,
  earlier,
}: {
  measure: 'cost' | 'energy' | 'carbon';
  rows: readonly UsageRow[];
  earlier: readonly UsageRow[];
}) => {
  const estimates = rows.map((row) => estimateOf(row, measure));
  const central = sum(estimates.map((estimate) => estimate.central));
  const unknown = estimates.reduce((count, estimate) => count + estimate.unknown, 0);
  const range = formatRange(
    sum(estimates.map(({ low }) => low)),
    sum(estimates.map(({ high }) => high)),
    measure,
  );
  return (
    <div>
      <dt>{measureNames[measure]}</dt>
      <dd>
        <strong className="num">{rows.length === 0 ? 'no calls' : formatAmount(central, measure)}</strong>
        {unknown > 0 && <span className="unknown small num"> {formatCount(unknown)} unknown</span>}
        <span className="sub num">{range}</span>
        <span className="sub num">
          {changeText(central, sum(earlier.map((row) => estimateOf(row, measure).central)))}
        </span>
      </dd>
    </div>
  );
};
