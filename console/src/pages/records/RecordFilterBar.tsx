import { useState } from 'react';
import { FilterBar } from '../../filters/FilterBar.tsx';
import { useFilterValues } from '../../filters/useFilterValues.ts';
import { DAY_MS, startOfDay } from '../../format/time.ts';
import { SelectField, TextField } from '../../forms/Field.tsx';
import { recordChips, recordFields, withFilter } from './recordFilterFields.ts';
import { type RecordFilters, SORTS } from './recordFilters.ts';

const sortNames: Readonly<Record<(typeof SORTS)[number], string>> = {
  '-occurred_at': 'Newest first',
  occurred_at: 'Oldest first',
  '-cost_usd': 'Highest cost first',
  cost_usd: 'Lowest cost first',
  '-confidence': 'Most certain first',
  confidence: 'Least certain first',
};

/** The days whose names the bar suggests, if none are chosen. */
const SUGGESTED_DAYS = 30;
const NAMED = ['owner', 'service', 'provider', 'served_model'] as const;

interface RecordFilterBarProps {
  readonly filters: RecordFilters;
  readonly change: (members: Partial<RecordFilters>) => void;
}

/** Which calls are listed, of which days, and in which order. */
export const RecordFilterBar = ({ filters, change }: RecordFilterBarProps) => {
  const [isUsed, setUsed] = useState(false);
  const to = startOfDay(filters.to === null ? Date.now() : Date.parse(filters.to)) + DAY_MS;
  const from = filters.from === null ? to - SUGGESTED_DAYS * DAY_MS : Date.parse(filters.from);
  const known = useFilterValues({ from: Math.min(from, to - DAY_MS), to }, NAMED, isUsed);
  const set = (name: string, value: string | null): void => {
    const members = withFilter(name, value);
    if (members !== null) change(members);
  };
  return (
    <>
      <FilterBar
        fields={recordFields({
          owner: known.get('owner') ?? [],
          service: known.get('service') ?? [],
          provider: known.get('provider') ?? [],
          model: known.get('served_model') ?? [],
        })}
        chips={recordChips(filters)}
        add={set}
        remove={(name) => set(name, null)}
        onOpen={() => setUsed(true)}
      />
      <div className="filters">
        <TextField
          name="from"
          label="From (UTC)"
          type="date"
          value={filters.from ?? ''}
          onChange={({ target }) => change({ from: target.value || null })}
        />
        <TextField
          name="to"
          label="To (UTC)"
          type="date"
          value={filters.to ?? ''}
          onChange={({ target }) => change({ to: target.value || null })}
        />
        <SelectField
          name="sort"
          label="Order"
          value={filters.sort}
          options={SORTS.map((value) => ({ value, label: sortNames[value] }))}
          onChange={(value) => change({ sort: SORTS.find((sort) => sort === value) ?? '-occurred_at' })}
        />
      </div>
    </>
  );
};
