import { Link } from 'wouter';
import { readChanges } from '../../api/changesReport.ts';
import { useRead } from '../../api/useRead.ts';
import type { Series } from '../../charts/series.ts';
import { groupOf } from '../../charts/usage.ts';
import { Loaded } from '../../components/Loaded.tsx';
import { formatAmount, type Measure } from '../../format/amount.ts';
import { mainPart, signedRange } from '../explore/changeText.ts';
import { exploreCodec, exploreLink } from '../explore/exploreState.ts';
import { nameOfGroup } from '../explore/nameOfGroup.ts';
import { Kpi } from './Kpi.tsx';

const GROUP = ['owner'] as const;

interface MoverFigureProps {
  readonly period: { readonly from: number; readonly to: number };
  readonly days: string;
  readonly measure: Measure;
  /** The largest first. */
  readonly owners: readonly Series[];
}

/** The owner whose spend changed most since the period before, and by what. */
export const MoverFigure = ({ period, days, measure, owners }: MoverFigureProps) => {
  const changes = useRead(['changes', 'overview', days], (client, options) =>
    readChanges(client, { ...period, previous: null, groupBy: GROUP, filters: new Map(), limit: 1 }, options),
  );
  const why = exploreLink({ ...exploreCodec.read(`days=${days}`), view: 'change' });
  return (
    <Loaded of={changes} height={114}>
      {({ data: [mover], previous }) => {
        if (!previous.complete || mover === undefined)
          return <LargestOwner owner={owners.find(({ kind }) => kind === 'named')} measure={measure} />;
        const range = signedRange(mover);
        return (
          <Kpi label="Largest change" value={range ?? 'unknown'} isUnknown={range === null}>
            <span className="mover cut">{nameOfGroup(groupOf(mover, GROUP), GROUP)}</span>
            <span className="foot num">
              <span>{mainPart(mover) ?? 'by no single cause'}</span>
              <Link href={why}>Why</Link>
            </span>
          </Kpi>
        );
      }}
    </Loaded>
  );
};

interface LargestOwnerProps {
  readonly owner: Series | undefined;
  readonly measure: Measure;
}

/** Who has most, where no earlier period is known to compare with. */
const LargestOwner = ({ owner, measure }: LargestOwnerProps) => (
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
