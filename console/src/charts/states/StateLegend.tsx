import { plural } from '../../format/amount.ts';
import { Swatch } from '../Textures.tsx';
import type { StateShare } from './stateShares.ts';

/** The states of a share bar, with their amounts and shares. */
export const StateLegend = ({ shares }: { shares: readonly StateShare[] }) => (
  <dl className="legend">
    {shares.map(({ state, label, note, cost, invocations, shareText, fill }) => (
      <div key={state}>
        <dt>
          <Swatch of={fill} />
          <span>
            {label}
            <span className="sub">{note ?? plural(invocations, 'call')}</span>
          </span>
        </dt>
        <dd>{cost}</dd>
        <dd>{shareText}</dd>
      </div>
    ))}
  </dl>
);
