import type { UsageReport } from '../../../../sdk/typescript/src/types.ts';
import { formatCount } from '../../format/amount.ts';
import { warningText } from '../../format/warnings.ts';

interface RemarksProps {
  readonly report: Pick<UsageReport, 'period' | 'undetermined_invocations' | 'warnings'>;
}

/** What privacy leaves out of a report, or moves across the ends of its period, and names in filters that match nothing. */
export const Remarks = ({ report: { period, undetermined_invocations: left, warnings } }: RemarksProps) => {
  if (period.exact && left === 0 && warnings.length === 0) return null;
  return (
    <p className="quiet small">
      {warnings.map((warning) => `${warningText(warning)} `)}
      {!period.exact && 'Calls near the ends may be missing or added, for privacy. '}
      {left > 0 &&
        `${formatCount(left)} calls in groups of fewer than five people are left out: they may or may not match the filter.`}
    </p>
  );
};
