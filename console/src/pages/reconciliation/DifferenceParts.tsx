import { magnitude } from '../../../../sdk/shared/decimal.ts';
import type { ReconciliationTotals } from '../../../../sdk/typescript/src/types.ts';
import { formatCount, formatUsd } from '../../format/amount.ts';
import { HIDDEN } from '../../format/words.ts';
import { differenceText, isRounding } from './differenceText.ts';

interface Part {
  readonly name: string;
  readonly note: string;
  /** Positive if the bills are above the records, negative if the records are above the bills. */
  readonly amount: string;
}

const partsOf = (totals: ReconciliationTotals): readonly Part[] => {
  const { difference_parts: parts } = totals;
  return [
    {
      name: 'Uncaptured calls',
      note: 'Billed, without records of these calls',
      amount: parts.uncaptured_calls_usd,
    },
    { name: 'Price', note: 'The same tokens at another price, or no known price', amount: parts.price_usd },
    { name: 'Batch', note: 'Billed at a batch price', amount: parts.batch_usd },
    { name: 'Other tiers', note: 'Such as flex, priority or a long context', amount: parts.tier_usd },
    {
      name: 'Token kinds',
      note: 'For example cache reads, recorded as input',
      amount: parts.token_kinds_usd,
    },
    { name: 'Rounding', note: 'Below the last digit of the bills', amount: parts.rounding_usd },
    { name: 'Not explained', note: 'The bills do not show the reason', amount: parts.unexplained_usd },
    {
      name: 'Not on a bill',
      note: 'Recorded, without a charge for these calls',
      amount: parts.unbilled_calls_usd,
    },
    { name: 'Unattributed', note: 'Recorded, without an owner', amount: totals.unattributed_usd },
    {
      name: HIDDEN,
      note: 'With and without an owner, together',
      amount: totals.mixed_usd,
    },
  ];
};

/** Diverging bars: what was billed above the attributed cost to the right, what was recorded above the bills to the left. */
export const DifferenceParts = ({ totals }: { totals: ReconciliationTotals }) => {
  const all = partsOf(totals);
  const parts = all.filter(({ amount }) => !isRounding(amount));
  const none = all.filter(({ amount }) => isRounding(amount));
  const largest = Math.max(...all.map(({ amount }) => Math.abs(magnitude(amount)))) || 1;
  const isUnknown = totals.recorded_usd === null;
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
          <dd className={isUnknown ? 'unknown' : ''}>
            {isUnknown ? 'unknown' : formatUsd(totals.attributed_usd)}
          </dd>
        </div>
        <div>
          <dt>Difference</dt>
          <dd className={isUnknown || totals.difference_usd === null ? 'unknown' : ''}>
            {isUnknown || totals.difference_usd === null ? 'unknown' : differenceText(totals.difference_usd)}
          </dd>
        </div>
        <div>
          <dt>Calls of unknown price</dt>
          <dd>{formatCount(totals.unpriced_invocations)}</dd>
        </div>
      </dl>
      <ul className="diverging">
        {parts.length > 0 && (
          <li className="sub" aria-hidden="true">
            <span />
            <span className="sides">
              <span>recorded, not billed</span>
              <span>billed, not attributed</span>
            </span>
          </li>
        )}
        {parts.map(({ name, note, amount }) => {
          const size = magnitude(amount);
          const width = (Math.abs(size) / largest) * 48;
          const side = size < 0 ? 'recorded' : 'billed';
          return (
            <li key={name}>
              <span>
                {name}
                <span className="sub">{note}</span>
              </span>
              <svg height="16" width="100%" role="img" aria-label={`${name}: ${formatUsd(amount)}`}>
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
              <span className="right num">{formatUsd(amount)}</span>
            </li>
          );
        })}
      </ul>
      {none.length > 0 && (
        <p className="quiet small">
          Nothing, or rounding only: {none.map(({ name }) => name.toLowerCase()).join(', ')}.
        </p>
      )}
    </div>
  );
};
