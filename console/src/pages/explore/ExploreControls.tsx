import { getTenant } from '../../../../sdk/typescript/src/operations.ts';
import { useRead } from '../../api/useRead.ts';
import { DIMENSIONS, measureNames, nameOfDimension } from '../../charts/usage.ts';
import { Segments } from '../../components/Segments.tsx';
import { isoDay, lastDayOf } from '../../format/time.ts';
import { SelectField, TextField } from '../../forms/Field.tsx';
import type { ExplorePeriod, ExploreState, GROUPS_MAXIMUM } from './exploreState.ts';

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
] as const;

const MEASURES = (['cost', 'energy', 'carbon'] as const).map((value) => ({
  value,
  label: measureNames[value],
}));

export const PeriodControls = ({ state, change }: Pick<ControlsProps, 'state' | 'change'>) => (
  <>
    <Segments
      label="Measure"
      options={MEASURES}
      value={state.measure}
      onChange={(measure) => change({ measure })}
    />
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
  </>
);

/** One more grouping can be chosen after each. */
const GROUP_FIELDS = [
  { name: 'group', label: 'Group by' },
  { name: 'then', label: 'then by' },
  { name: 'last', label: 'and by' },
] as const satisfies { length: typeof GROUPS_MAXIMUM };

/** What the report groups by, and the exact days. */
export const GroupControls = ({ state, period, change }: ControlsProps) => {
  const { group } = state;
  const tagKeys = useRead(['tenant'], getTenant).data?.cost_allocation_tags ?? [];
  const dimensions = [...new Set([...DIMENSIONS, ...tagKeys.map((key) => `tag:${key}` as const), ...group])];
  const choose = (position: number, value: string): void => {
    const chosen = dimensions.find((dimension) => dimension === value);
    const others = group.filter((dimension, index) => index !== position && dimension !== chosen);
    change({ group: chosen === undefined ? others : others.toSpliced(position, 0, chosen) });
  };
  return (
    <div className="filters">
      {GROUP_FIELDS.slice(0, group.length + 1).map(({ name, label }, position) => (
        <SelectField
          key={name}
          name={name}
          label={label}
          value={group[position] ?? ''}
          options={[
            ...(position === 0 ? [] : [{ value: '', label: 'Nothing' }]),
            ...dimensions
              .filter((dimension) => !group.slice(0, position).includes(dimension))
              .map((value) => ({ value, label: nameOfDimension(value) })),
          ]}
          onChange={(value) => choose(position, value)}
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
        label="From (UTC)"
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
        label="To (UTC)"
        type="date"
        value={isoDay(period.to - 1)}
        onChange={({ target }) =>
          change({ to: target.value || null, from: state.from ?? isoDay(period.from) })
        }
      />
    </div>
  );
};
