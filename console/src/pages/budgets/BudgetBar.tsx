import type { Budget } from '../../../../sdk/typescript/src/types.ts';
import { Pill } from '../../components/Pill.tsx';
import { formatShare, formatUsd, plural } from '../../format/amount.ts';
import { forecastText, marksOf, spentOf } from './budgetSpend.ts';
import { budgetStatus, progressOf, scopeText } from './budgetState.ts';

/** Spend of a budget so far, its forecast, and the thresholds. */
export const BudgetBar = ({ budget }: { budget: Budget }) => {
  const { spent, forecast } = progressOf(budget);
  const { tone, text } = budgetStatus(budget);
  const unpriced = budget.unpriced_invocations ?? 0;
  const end = Math.max(1.1, Math.min(Math.max(spent ?? 0, forecast ?? 0), 2.5) * 1.03);
  const at = (share: number): string => `${(Math.min(share, end) / end) * 100}%`;
  const spoken = [
    spent === null ? 'spend unknown' : `${formatShare(spent)} spent`,
    forecast === null ? 'no forecast' : `forecast ${formatShare(forecast)}`,
  ];
  return (
    <div className="budget">
      <div className="line">
        <strong>{budget.name}</strong>
        <Pill tone={tone}>{text}</Pill>
      </div>
      <svg width="100%" height="14" role="img" aria-label={`${spoken.join(', ')} of the ceiling`}>
        <rect y="4" width="100%" height="6" rx="3" fill="var(--sunken)" />
        {forecast !== null && (
          <rect y="4" width={at(forecast)} height="6" rx="3" fill="var(--accent)" opacity="0.25" />
        )}
        {spent !== null && spent > 1 && <rect y="4" width={at(spent)} height="6" rx="3" fill="var(--bad)" />}
        {spent !== null && (
          <rect y="4" width={at(Math.min(spent, 1))} height="6" rx="3" fill="var(--accent)" />
        )}
        {marksOf(budget)
          .filter((mark) => mark < end)
          .map((mark) => (
            <rect
              key={mark}
              x={at(mark)}
              y={mark === 1 ? 0 : 3}
              width={mark === 1 ? 2 : 1}
              height={mark === 1 ? 14 : 8}
              fill="var(--ink-2)"
            />
          ))}
      </svg>
      <div className="line sub num">
        <span>
          {formatUsd(spentOf(budget))} of {formatUsd(budget.ceiling_usd)} · {scopeText(budget)}
          {unpriced > 0 && <span className="unknown"> · {plural(unpriced, 'call')} of unknown price</span>}
        </span>
        <span>{forecastText(budget)}</span>
      </div>
    </div>
  );
};
