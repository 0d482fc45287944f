import type { UsageTotals } from '../../../../sdk/typescript/src/types.ts';
import { bandShares } from '../../charts/bands.ts';
import { ShareBar } from '../../charts/ShareBar.tsx';
import { Swatch } from '../../charts/Textures.tsx';
import { formatShare, formatUsd } from '../../format/amount.ts';

export const Confidence = ({ totals }: { totals: UsageTotals }) => {
  const shares = bandShares(totals);
  return (
    <>
      <ShareBar parts={shares} height={20} />
      <dl className="legend">
        {shares.map(({ band, label, note, cost, invocations, share, fill }) => (
          <div key={band}>
            <dt>
              <Swatch of={fill} />
              <span>
                {label}
                <span className="sub">{note}</span>
              </span>
            </dt>
            <dd>{invocations === 0 ? 'none' : formatUsd(cost)}</dd>
            <dd>{invocations > 0 && cost === null ? 'unknown' : formatShare(share)}</dd>
          </div>
        ))}
      </dl>
    </>
  );
};
