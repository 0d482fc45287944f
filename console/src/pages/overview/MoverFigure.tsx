import { Link } from 'wouter';
import { readChanges } from '../../api/changesReport.ts';
import { useRead } from '../../api/useRead.ts';
import { groupOf } from '../../charts/usage.ts';
import { Loaded } from '../../components/Loaded.tsx';
import { mainPart, signedRange } from '../explore/changeText.ts';
import { exploreCodec, exploreLink } from '../explore/exploreState.ts';
import { nameOfGroup } from '../explore/nameOfGroup.ts';
import { Kpi } from './Kpi.tsx';

const GROUP = ['owner'] as const;

interface MoverFigureProps {
  readonly period: { readonly from: number; readonly to: number };
  readonly days: string;
}

/** The owner whose spend changed most since the period before, and by what. */
export const MoverFigure = ({ period, days }: MoverFigureProps) => {
  const changes = useRead(['changes', 'overview', days], (client, options) =>
    readChanges(client, { ...period, previous: null, groupBy: GROUP, filters: new Map(), limit: 1 }, options),
  );
  const why = exploreLink({ ...exploreCodec.read(`days=${days}`), view: 'change' });
  return (
    <Loaded of={changes} height={114}>
      {({ data: [mover], previous }) => {
        if (!previous.complete || mover === undefined)
          return (
            <Kpi label="Largest change" value="unknown" isUnknown>
              <span className="foot">No complete period before</span>
              <span className="foot">
                <Link href={exploreLink({ days: '1', view: 'change' })}>Compare days</Link>
              </span>
            </Kpi>
          );
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
