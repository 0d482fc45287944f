import type { Saving } from '../../../../sdk/typescript/src/types.ts';
import { formatUsd } from '../../format/amount.ts';
import { formatDayOfYear } from '../../format/time.ts';

/** Why a suggestion was dismissed, and why it is shown again. */
export const DismissalNote = ({ row: { dismissal } }: { row: Saving }) =>
  dismissal !== null && (
    <span className="sub">
      {dismissal.has_grown ? 'Has grown since it was dismissed' : 'Dismissed'} on{' '}
      {formatDayOfYear(dismissal.dismissed_at)} at {formatUsd(dismissal.high_usd)}: {dismissal.reason}
    </span>
  );
