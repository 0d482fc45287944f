import type { UsageTotals } from '../../../../sdk/typescript/src/types.ts';
import { bandShares } from '../../charts/bands.ts';
import { ShareBar } from '../../charts/ShareBar.tsx';
import { Swatch } from '../../charts/Textures.tsx';
import { formatShare, formatUsd } from '../../format/amount.ts';

export const Confidence = ({ bands }: { bands: UsageTotals['confidence_bands'] }) => {
  const shares = bandShares(bands);
  return (
    <>
      <ShareBar parts={shares} height={20} />
      <dl className="legend">
        {shares.map(({ band, label, note, cost, share, fill }) => (
          <div key={band}>
            <dt>
              <Swatch of={fill} />
              <span>
                {label}
                <span className="sub">{note}</span>
              </span>
            </dt>
            <dd>{cost === null ? 'none' : formatUsd(cost)}</dd>
            <dd>{formatShare(share)}</dd>
          </div>
        ))}
      </dl>
    </>
  );
};
