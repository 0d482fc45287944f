import type { ReconciliationTotals } from '../../../../sdk/typescript/src/types.ts';
import { formatCount, formatUsd } from '../../format/amount.ts';
import { magnitude } from '../../format/decimal.ts';

interface Part {
  readonly name: string;
  readonly note: string;
  readonly amount: string;
  /** Whether the part is billed beyond the records, or recorded beyond the bills. */
  readonly side: 'billed' | 'recorded';
}

const partsOf = (totals: ReconciliationTotals): readonly Part[] => [
  {
    name: 'Not seen',
    note: 'Billed on days without any record of the model',
    amount: totals.not_seen_usd,
    side: 'billed',
  },
  {
    name: 'Under-recorded',
    note: 'Calls not captured, not priced, or priced too low',
    amount: totals.under_recorded_usd,
    side: 'billed',
  },
  {
    name: 'Unattributed',
    note: 'Recorded, without an owner',
    amount: totals.unattributed_usd,
    side: 'billed',
  },
  {
    name: 'Not shown apart',
    note: 'With and without an owner, together for privacy',
    amount: totals.mixed_usd,
    side: 'billed',
  },
  {
    name: 'Over-attributed',
    note: 'List prices above yours, or credits',
    amount: totals.over_attributed_usd,
    side: 'recorded',
  },
  {
    name: 'Not billed',
    note: 'No bill row for the model on that day',
    amount: totals.not_billed_usd,
    side: 'recorded',
  },
];

/** Diverging bars: what was billed and not attributed to the right, what was recorded and not billed to the left. */
export const DifferenceParts = ({ totals }: { totals: ReconciliationTotals }) => {
  const parts = partsOf(totals);
  const largest = Math.max(...parts.map(({ amount }) => magnitude(amount))) || 1;
  return (
    <div className="stack">
      <dl className="figures">
        <div>
          <dt>Billed</dt>
          <dd className={totals.billed_usd === null ? 'unknown' : ''}>
            {totals.billed_usd === null ? 'no bill' : formatUsd(totals.billed_usd)}
          </dd>
        </div>
        <div>
          <dt>Attributed to owners</dt>
          <dd>{formatUsd(totals.attributed_usd)}</dd>
        </div>
        <div>
          <dt>Difference</dt>
          <dd className={totals.difference_usd === null ? 'unknown' : ''}>
            {formatUsd(totals.difference_usd)}
          </dd>
        </div>
        <div>
          <dt>Calls of unknown price</dt>
          <dd>{formatCount(totals.unpriced_invocations)}</dd>
        </div>
      </dl>
      <ul className="diverging">
        <li className="sub" aria-hidden="true">
          <span />
          <span className="sides">
            <span>recorded, not billed</span>
            <span>billed, not attributed</span>
          </span>
        </li>
        {parts.map(({ name, note, amount, side }) => {
          const width = (magnitude(amount) / largest) * 48;
          return (
            <li key={name}>
              <span>
                {name}
                <span className="sub">{note}</span>
              </span>
              <svg height="16" width="100%" role="img" aria-label={`${name}: ${formatUsd(amount)}, ${side}`}>
                <rect x="50%" width="1" height="16" fill="var(--line-strong)" />
                {width > 0 && (
                  <rect
                    x={`${side === 'billed' ? 50.2 : 50 - width}%`}
                    width={`${width}%`}
                    height="16"
                    rx="2"
                    fill={side === 'billed' ? 'var(--c2)' : 'var(--c5)'}
                  />
                )}
              </svg>
              <span className="right num">
                {side === 'recorded' && width > 0 && '−'}
                {formatUsd(amount)}
              </span>
            </li>
          );
        })}
      </ul>
    </div>
  );
};
