import { magnitude } from '../../../../sdk/shared/decimal.ts';
import { formatUsd } from '../../format/amount.ts';

interface ExpectedRangeProps {
  readonly observed: string;
  readonly expected: { readonly low: string; readonly central: string; readonly high: string };
}

/** The observed spend as a mark, outside of the band that was expected. */
export const ExpectedRange = ({ observed, expected }: ExpectedRangeProps) => {
  const end = Math.max(magnitude(observed), magnitude(expected.high)) * 1.05 || 1;
  const at = (amount: string): number => (magnitude(amount) / end) * 100;
  return (
    <svg
      width="100%"
      height="20"
      role="img"
      aria-label={`Observed ${formatUsd(observed)}, expected ${formatUsd(expected.low)} to ${formatUsd(expected.high)}`}
    >
      <rect y="9" width="100%" height="2" fill="var(--line)" />
      <rect
        x={`${at(expected.low)}%`}
        width={`${Math.max(at(expected.high) - at(expected.low), 0.4)}%`}
        y="4"
        height="12"
        rx="3"
        fill="var(--accent)"
        opacity="0.3"
      />
      <rect x={`${at(expected.central)}%`} width="2" y="4" height="12" fill="var(--accent)" />
      <circle cx={`${at(observed)}%`} cy="10" r="6" fill="var(--bad)" />
    </svg>
  );
};
