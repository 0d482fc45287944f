import type { ReactNode } from 'react';
import { RangeKey } from '../../charts/columns/RangeKey.tsx';
import { measureNames, nameOfDimension } from '../../charts/usage.ts';
import { Card } from '../../components/Card.tsx';
import { useIsWide } from '../../components/PhoneFold.tsx';
import { Segments } from '../../components/Segments.tsx';
import { MeasureControl } from './controls/ExploreControls.tsx';
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

export const ViewControl = ({ state, change }: Omit<ViewCardProps, 'children'>) => (
  <Segments label="View" options={VIEWS} value={state.view} onChange={(view) => change({ view })} />
);

interface ViewCardProps {
  readonly state: ExploreState;
  readonly change: (members: Partial<ExploreState>) => void;
  readonly children: ReactNode;
}

/** The chart, in one of six views of the same calls. */
export const ViewCard = ({ state, change, children }: ViewCardProps) => (
  <Card
    title={titleOf(state)}
    aside={
      <span className="controls">
        {state.view === 'time' && <RangeKey />}
        {useIsWide() && (
          <>
            <MeasureControl state={state} change={change} />
            <ViewControl state={state} change={change} />
          </>
        )}
      </span>
    }
  >
    {children}
  </Card>
);
