import { Segments } from '../../components/Segments.tsx';
import { isoDay, rangeOfDays } from '../../format/time.ts';
import { wordFor } from '../../format/words.ts';
import { SelectField, TextField } from '../../forms/Field.tsx';
import { KINDS, type SavingsState } from './savingsState.ts';

interface ControlsProps {
  readonly state: SavingsState;
  readonly change: (members: Partial<SavingsState>) => void;
}

const PERIODS = [
  { value: '7', label: '7 days' },
  { value: '14', label: '14 days' },
  { value: '30', label: '30 days' },
] as const;

export const SavingPeriods = ({ state, change }: ControlsProps) => (
  <Segments
    label="Period"
    options={PERIODS}
    value={state.from === null && state.to === null ? state.days : undefined}
    onChange={(days) => change({ days, from: null, to: null })}
  />
);

const DISMISSED = [
  { value: 'exclude', label: 'Left out' },
  { value: 'include', label: 'Shown too' },
  { value: 'only', label: 'Shown alone' },
] as const;

/** The kind of suggestions, whether dismissed ones are shown, and the exact days. */
export const SavingControls = ({ state, change }: ControlsProps) => {
  const range = rangeOfDays(state, Date.now());
  const [first, last] = [isoDay(range.from), isoDay(range.to - 1)];
  return (
    <div className="filters">
      <SelectField
        name="kind"
        label="Suggestion"
        value={state.kind}
        options={[
          { value: 'all', label: 'All' },
          ...KINDS.map((value) => ({ value, label: wordFor(value) })),
        ]}
        onChange={(value) => change({ kind: KINDS.find((kind) => kind === value) ?? 'all' })}
      />
      <SelectField
        name="dismissed"
        label="Dismissed"
        value={state.dismissed}
        options={DISMISSED}
        onChange={(value) =>
          change({ dismissed: DISMISSED.find((one) => one.value === value)?.value ?? 'exclude' })
        }
      />
      <TextField
        name="from"
        label="From (UTC)"
        type="date"
        value={first}
        onChange={({ target }) => change({ from: target.value || null, to: state.to ?? last })}
      />
      <TextField
        name="to"
        label="To (UTC)"
        type="date"
        value={last}
        onChange={({ target }) => change({ to: target.value || null, from: state.from ?? first })}
      />
    </div>
  );
};
