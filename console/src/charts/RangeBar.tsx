import { useId } from 'react';
import { magnitude } from '../../../sdk/shared/decimal.ts';

interface RangeBarProps {
  readonly low: string | null;
  readonly central: string | null;
  readonly high: string | null;
  readonly label: string;
}

/**
 * A value within the range it lies in. The track ends a little above the range, so that both ends are visible. It is empty
 * if the value is unknown.
 */
export const RangeBar = ({ low, central, high, label }: RangeBarProps) => {
  const id = useId();
  const end = magnitude(high) * 1.04 || 1;
  const at = (amount: string | null): number => 2 + (magnitude(amount) / end) * 196;
  const isKnown = low !== null && high !== null;
  const width = at(high) - at(low);
  const middle = width > 0 ? Math.min(0.999, (at(central) - at(low)) / width) : 0.5;
  return (
    <svg className="range" viewBox="0 0 200 14" preserveAspectRatio="none" role="img" aria-label={label}>
      <linearGradient id={id} x1={at(low)} x2={at(low) + Math.max(width, 1)} gradientUnits="userSpaceOnUse">
        <stop offset="0" stopColor="var(--accent)" stopOpacity="0.18" />
        <stop offset={middle} stopColor="var(--accent)" stopOpacity="0.6" />
        <stop offset="1" stopColor="var(--accent)" stopOpacity="0.12" />
      </linearGradient>
      <rect x="0" y="6" width="200" height="2" rx="1" fill="var(--line)" />
      {isKnown && (
        <rect x={at(low)} y="3.5" width={Math.max(width, 1)} height="7" rx="1.5" fill={`url(#${id})`} />
      )}
      {central !== null && <rect x={at(central) - 1} y="0.5" width="2" height="13" fill="var(--accent)" />}
    </svg>
  );
};
