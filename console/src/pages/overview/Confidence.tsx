import type { UsageTotals } from '../../../../sdk/typescript/src/types.ts';
import { ShareBar } from '../../charts/states/ShareBar.tsx';
import { StateLegend } from '../../charts/states/StateLegend.tsx';
import { OWNER_STATES, stateShares } from '../../charts/states/stateShares.ts';

/** How certain the owners of the spend are. */
export const Confidence = ({ totals }: { totals: UsageTotals }) => {
  const shares = stateShares(totals.owner_states, OWNER_STATES);
  return (
    <>
      <ShareBar parts={shares} height={20} />
      <StateLegend shares={shares} />
    </>
  );
};
