import { Link } from 'wouter';
import type { UsageReport } from '../../../../sdk/typescript/src/types.ts';
import { ShareBar } from '../../charts/states/ShareBar.tsx';
import { OWNER_STATES, shareOfState, stateShares } from '../../charts/states/stateShares.ts';
import { isoDay, lastDayOf } from '../../format/time.ts';
import { ownersLink } from '../owners/ownersState.ts';
import { Kpi } from './Kpi.tsx';
import { unownedShare } from './unowned.ts';

/** Spend that nobody answers for yet, and how much can be charged. Hidden spend can be either. */
export const UnownedFigure = ({ report: { totals, period } }: { report: UsageReport }) => {
  const unowned = unownedShare(totals.owner_states);
  const confirmed = shareOfState(totals.owner_states, 'confirmed');
  const isUnknown = totals.cost_usd === null;
  const days = { from: isoDay(Date.parse(period.from)), to: isoDay(lastDayOf(period.to)) };
  return (
    <Kpi
      label="Without an owner"
      note="of spend"
      value={isUnknown ? 'unknown' : (unowned?.shareText ?? 'none')}
      isUnknown={isUnknown}
    >
      <ShareBar parts={stateShares(totals.owner_states, OWNER_STATES)} height={14} />
      <span className="foot num">
        {isUnknown ? (
          'No call has a known price'
        ) : (
          <>
            <span>{unowned?.cost}</span>
            <Link href={ownersLink(days)}>Name owners</Link>
          </>
        )}
      </span>
      {!isUnknown && <span className="foot num">{confirmed?.shareText} ready to charge</span>}
    </Kpi>
  );
};
