import { listOf } from '../../../api/listOf.ts';
import {
  type Dimension,
  dimensionOf,
  measureNames,
  nameOfDimension,
  type TagDimension,
} from '../../../charts/usage.ts';
import { Segments } from '../../../components/Segments.tsx';
import { isoDay, lastDayOf } from '../../../format/time.ts';
import { SelectField, TextField } from '../../../forms/Field.tsx';
import type { ExplorePeriod, ExploreState } from '../exploreState.ts';

interface ControlsProps {
  readonly state: ExploreState;
  readonly period: ExplorePeriod;
  readonly change: (members: Partial<ExploreState>) => void;
}

const PERIODS = [
  { value: '1', label: 'Today' },
  { value: '7', label: '7 days' },
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: 'month', label: 'This month' },
] as const;

const MEASURES = (['cost', 'energy', 'carbon'] as const).map((value) => ({
  value,
  label: measureNames[value],
}));

/** The other views are about spend alone. */
const MEASURED: readonly ExploreState['view'][] = ['time', 'treemap', 'flow'];

export const MeasureControl = ({ state, change }: Pick<ControlsProps, 'state' | 'change'>) =>
  MEASURED.includes(state.view) && (
    <Segments
      label="Measure"
      options={MEASURES}
      value={state.measure}
      onChange={(measure) => change({ measure })}
    />
  );

export const PeriodControl = ({ state, change }: Pick<ControlsProps, 'state' | 'change'>) => (
  <Segments
    label="Period"
    options={PERIODS}
    value={
      state.from === null && state.to === null
        ? PERIODS.find(({ value }) => value === state.days)?.value
        : undefined
    }
    onChange={(days) => change({ days, from: null, to: null })}
  />
);

/** What a report is grouped by first, one click each. */
const FIRST = listOf<Exclude<Dimension, TagDimension>>()([
  'owner',
  'service',
  'provider',
  'served_model',
  'model_family',
  'pathway_category',
  'region',
]);

/** One more grouping can be chosen after each. */
const FURTHER_FIELDS = [
  { name: 'then', label: 'Then by' },
  { name: 'last', label: 'and by' },
] as const;

/** What the report groups by, the exact days, and what they are compared with. */
export const GroupControls = ({
  state,
  period,
  tags,
  change,
}: ControlsProps & { readonly tags: readonly TagDimension[] }) => {
  const { group } = state;
  const dimensions = [...new Set([...FIRST, ...tags, ...group])];
  const choose = (position: number, value: string): void => {
    const chosen = dimensionOf(value);
    const others = group.filter((dimension, index) => index !== position && dimension !== chosen);
    change({ group: chosen === undefined ? others : others.toSpliced(position, 0, chosen) });
  };
  return (
    <>
      <div className="controls">
        <span className="small quiet" aria-hidden="true">
          Group by
        </span>
        <Segments
          label="Group by"
          options={dimensions.map((value) => ({ value, label: nameOfDimension(value) }))}
          value={group[0]}
          onChange={(value) => choose(0, value)}
        />
      </div>
      <div className="filters further">
        {FURTHER_FIELDS.slice(0, group.length).map(({ name, label }, index) => (
          <SelectField
            key={name}
            name={name}
            label={label}
            value={group[index + 1] ?? ''}
            options={[
              { value: '', label: 'Nothing' },
              ...dimensions
                .filter((dimension) => !group.slice(0, index + 1).includes(dimension))
                .map((value) => ({ value, label: nameOfDimension(value) })),
            ]}
            onChange={(value) => choose(index + 1, value)}
          />
        ))}
        <SelectField
          name="interval"
          label="Columns"
          value={state.interval}
          options={[
            { value: 'auto', label: 'Automatic' },
            { value: 'hour', label: 'Hours' },
            { value: 'day', label: 'Days' },
            { value: 'month', label: 'Months' },
          ]}
          onChange={(value) => change({ interval: value as ExploreState['interval'] })}
        />
        <TextField
          name="from"
          label="From"
          type="date"
          value={isoDay(period.from)}
          onChange={({ target }) =>
            change({
              from: target.value || null,
              to: state.to ?? isoDay(lastDayOf(new Date(period.to).toISOString())),
            })
          }
        />
        <TextField
          name="to"
          label="To"
          type="date"
          value={isoDay(period.to - 1)}
          onChange={({ target }) =>
            change({ to: target.value || null, from: state.from ?? isoDay(period.from) })
          }
        />
        <TextField
          name="since"
          label="Compare from"
          type="date"
          value={state.since ?? ''}
          max={isoDay(period.from)}
          onChange={({ target }) => change({ since: target.value || null })}
        />
      </div>
    </>
  );
};
