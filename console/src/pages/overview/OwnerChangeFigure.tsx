import { Link } from 'wouter';
import { readChanges } from '../../api/changesReport.ts';
import { useRead } from '../../api/useRead.ts';
import type { Series } from '../../charts/series.ts';
import { groupOf } from '../../charts/usage.ts';
import { Loaded } from '../../components/reading/Loaded.tsx';
import type { Measure } from '../../format/amount.ts';
import { mainPart, signedRange } from '../explore/change/changeText.ts';
import { exploreCodec, exploreLink } from '../explore/exploreState.ts';
import { nameOfGroup } from '../explore/groups/nameOfGroup.ts';
import { Kpi } from './Kpi.tsx';
import { LargestOwner } from './LargestOwner.tsx';

const GROUP = ['owner'] as const;

interface OwnerChangeFigureProps {
  readonly period: { readonly from: number; readonly to: number };
  readonly days: string;
  readonly measure: Measure;
  /** The largest first. */
  readonly owners: readonly Series[];
}

/** The owner whose spend changed most since the period before, and by what. Without one, who has most. */
export const OwnerChangeFigure = ({ period, days, measure, owners }: OwnerChangeFigureProps) => {
  const changes = useRead(['changes', 'overview', days], (client, options) =>
    readChanges(client, { ...period, previous: null, groupBy: GROUP, filters: new Map(), limit: 1 }, options),
  );
  const why = exploreLink({ ...exploreCodec.read(`days=${days}`), view: 'change' });
  return (
    <Loaded of={changes} height={114}>
      {({ data: [mover], previous }) => {
        if (!previous.complete || mover === undefined)
          return <LargestOwner owners={owners} measure={measure} />;
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
