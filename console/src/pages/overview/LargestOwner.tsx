import { Link } from 'wouter';
import type { Series } from '../../charts/series.ts';
import { formatAmount, type Measure } from '../../format/amount.ts';
import { exploreLink } from '../explore/exploreState.ts';
import { Kpi } from './Kpi.tsx';
import { largestNamed } from './largestNamed.ts';

interface LargestOwnerProps {
  /** The largest first, with calls of nobody and of hidden groups. */
  readonly owners: readonly Series[];
  readonly measure: Measure;
}

/** Who has most, where no earlier period is known to compare with. */
export const LargestOwner = ({ owners, measure }: LargestOwnerProps) => {
  const owner = largestNamed(owners);
  return (
    <Kpi
      label="Largest owner"
      value={owner === undefined ? 'nobody named' : formatAmount(owner.total, measure)}
      isUnknown={owner?.total === null}
    >
      <span className="mover cut">{owner?.label}</span>
      <span className="foot">
        <span>no complete period before</span>
        <Link href={exploreLink({ days: '1', view: 'change' })}>Compare days</Link>
      </span>
    </Kpi>
  );
};
