import type { Saving } from '../../../../sdk/typescript/src/types.ts';
import { formatUsd, plural } from '../../format/amount.ts';
import { formatDayOfYear } from '../../format/time.ts';
import { figuresOf, realisedText } from './savingText.ts';

/** The calls that a suggestion rests on, the figures of its computation, and how to check it. */
export const SavingEvidence = ({ row }: { row: Saving }) => {
  const { invocations, cost_usd: cost, replacement, realised, verify } = row;
  return (
    <>
      {plural(invocations, 'call')}, {formatUsd(cost)}
      <details className="basis">
        <summary>Figures and check</summary>
        <div className="stack small">
          <dl className="facts">
            {figuresOf({ ...row.basis, ...realised.basis }).map(([label, value]) => (
              <div key={label} className="fact">
                <dt>{label}</dt>
                <dd>{value.startsWith('https://') ? <a href={value}>{hostOf(value)}</a> : value}</dd>
              </div>
            ))}
            {replacement !== undefined && (
              <div className="fact">
                <dt>Recommended by</dt>
                <dd>
                  <a href={replacement.source}>{hostOf(replacement.source)}</a>, read on{' '}
                  {formatDayOfYear(replacement.checked)}. Nothing says that its answers are as good.
                </dd>
              </div>
            )}
          </dl>
          <p>
            {realisedText(row) ?? 'Nothing saved already'}. It compares{' '}
            {plural(realised.previous_invocations, 'call')} of the period before with{' '}
            {plural(realised.invocations, 'call')}.
          </p>
          <p>{verify}</p>
        </div>
      </details>
    </>
  );
};

const hostOf = (address: string): string => new URL(address).host;
