import type { BillCoverage } from '../../../../sdk/typescript/src/types.ts';
import { Callout } from '../../components/Callout.tsx';
import { formatDayOfYear } from '../../format/time.ts';
import { wordFor } from '../../format/words.ts';

/** Days named in a sentence. The others are counted. */
const NAMED_MAXIMUM = 5;

const daysText = (days: readonly string[]): string => {
  const named = days.slice(-NAMED_MAXIMUM).map(formatDayOfYear).join(', ');
  const others = days.length - NAMED_MAXIMUM;
  return others > 0 ? `${named} and ${others} earlier days` : named;
};

/** The providers whose bills are late, with the days that they lack. */
export const BillCoverageNote = ({ coverage }: { coverage: readonly BillCoverage[] }) => {
  const late = coverage.filter(({ is_late: isLate }) => isLate);
  if (late.length === 0) return null;
  return (
    <Callout>
      <strong>Bills are late.</strong> A lower billed amount of these days is not a saving.
      {late.map(({ provider, days_without_bill: days }) => (
        <span key={provider} className="sub">
          {wordFor(provider)}:{' '}
          {days.length === 0 ? 'days after this period' : `no bill for ${daysText(days)}`}
        </span>
      ))}
    </Callout>
  );
};
