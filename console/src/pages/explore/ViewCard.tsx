import type { ReactNode } from 'react';
import { RangeKey } from '../../charts/columns/RangeKey.tsx';
import { measureNames, nameOfDimension } from '../../charts/usage.ts';
import { Card } from '../../components/Card.tsx';
import { Segments } from '../../components/Segments.tsx';
import type { ExploreState } from './exploreState.ts';

const VIEWS = [
  { value: 'time', label: 'Time' },
  { value: 'treemap', label: 'Areas' },
  { value: 'flow', label: 'Flows' },
  { value: 'change', label: 'Why' },
  { value: 'unit', label: 'Unit cost' },
  { value: 'forecast', label: 'Forecast' },
] as const;

const titleOf = ({ view, measure, group }: ExploreState): string => {
  const name = measureNames[measure];
  if (view === 'treemap') return `${name} by owner, service and model`;
  if (view === 'flow') return `${name} from owners to providers`;
  if (view === 'change') return 'Why the spend changed';
  if (view === 'unit') return 'What a unit costs';
  if (view === 'forecast') return 'What this month will cost';
  return `${name} by ${group.map((dimension) => nameOfDimension(dimension).toLowerCase()).join(' and ')}`;
};

/** The chart, in one of six views of the same calls. */
export const ViewCard = ({
  state,
  change,
  children,
}: {
  state: ExploreState;
  change: (members: Partial<ExploreState>) => void;
  children: ReactNode;
}) => (
  <Card
    title={titleOf(state)}
    aside={
      <span className="controls">
        {state.view === 'time' && <RangeKey />}
        <Segments label="View" options={VIEWS} value={state.view} onChange={(view) => change({ view })} />
      </span>
    }
  >
    {children}
  </Card>
);
