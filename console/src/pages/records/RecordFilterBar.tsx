import { type SyntheticEvent, useEffect, useRef, useState } from 'react';
import { wordFor } from '../../format/words.ts';
import { SelectField, TextField } from '../../forms/Field.tsx';
import { countOf, type RecordFilters, recordsCodec, SORTS, STATES } from './recordFilters.ts';

const sortNames: Readonly<Record<(typeof SORTS)[number], string>> = {
  '-occurred_at': 'Newest first',
  occurred_at: 'Oldest first',
  '-cost_usd': 'Highest cost first',
  cost_usd: 'Lowest cost first',
  '-confidence': 'Most certain first',
  confidence: 'Least certain first',
};

const NAMED = [
  { value: 'any', label: 'Any owner' },
  { value: 'owner', label: 'Has an owner' },
  { value: 'nobody', label: 'Nobody named' },
] as const;
const SERVED = [
  { value: 'any', label: 'Any service' },
  { value: 'service', label: 'Has a service' },
  { value: 'none', label: 'No service' },
] as const;

const PRICES = [
  { value: 'any', label: 'Any price' },
  { value: 'known', label: 'Known' },
  { value: 'unknown', label: 'Unknown' },
  { value: 'implausible_cost', label: 'Cost to confirm' },
] as const;

const OUTCOMES = [
  { value: 'any', label: 'Any outcome' },
  { value: 'ok', label: 'Successful' },
  { value: 'error', label: 'Failed' },
  { value: 'incomplete', label: 'Incomplete' },
] as const;

const any = (label: string, values: readonly string[]) => [
  { value: 'any', label },
  ...values.map((value) => ({ value, label: wordFor(value) })),
];

interface RecordFilterBarProps {
  readonly filters: RecordFilters;
  readonly change: (members: Partial<RecordFilters>) => void;
}

/** The filters of the list. Text filters apply when they are left or confirmed, lists at once. */
export const RecordFilterBar = ({ filters, change }: RecordFilterBarProps) => {
  const form = useRef<HTMLFormElement>(null);
  const chosen = countOf(filters);
  const [isOpen, setOpen] = useState(chosen > 0);
  const apply = (event?: SyntheticEvent): void => {
    event?.preventDefault();
    if (form.current === null) return;
    const entries = [...new FormData(form.current)].map(([name, value]) => [name, String(value)]);
    change(recordsCodec.read(new URLSearchParams(entries).toString()));
  };
  // The fields keep their focus and what is typed. They follow the URL, which Back and links change.
  useEffect(() => {
    for (const [name, value] of Object.entries(filters)) {
      const field = form.current?.elements.namedItem(name);
      if (field instanceof HTMLInputElement || field instanceof HTMLSelectElement) field.value = value ?? '';
    }
  }, [filters]);
  const text = (name: 'owner' | 'service' | 'user' | 'provider' | 'model' | 'trace', label: string) => (
    <TextField name={name} label={label} defaultValue={filters[name]} onBlur={apply} />
  );
  return (
    <>
      <button
        type="button"
        className="button only-on-phone"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        {chosen === 0 ? 'Filter and sort' : `Filter and sort (${chosen})`}
      </button>
      <form
        ref={form}
        className={isOpen ? 'filters' : 'filters not-on-phone'}
        onSubmit={apply}
        onChange={({ target }) => target instanceof HTMLSelectElement && apply()}
      >
        {text('owner', 'Owner')}
        {text('service', 'Service')}
        {text('user', 'End user')}
        {text('provider', 'Provider')}
        {text('model', 'Model')}
        <SelectField
          name="state"
          label="State"
          defaultValue={filters.state}
          options={any('Any state', STATES)}
        />
        <SelectField
          name="band"
          label="Confidence"
          defaultValue={filters.band}
          options={any('Any confidence', ['chargeback_ready', 'provisional', 'estimated'])}
        />
        <SelectField name="price" label="Price" defaultValue={filters.price} options={PRICES} />
        <SelectField name="outcome" label="Outcome" defaultValue={filters.outcome} options={OUTCOMES} />
        <SelectField name="named" label="Named" defaultValue={filters.named} options={NAMED} />
        <SelectField name="served" label="Service known" defaultValue={filters.served} options={SERVED} />
        <TextField
          name="from"
          label="From (UTC)"
          type="date"
          defaultValue={filters.from ?? ''}
          onBlur={apply}
        />
        <TextField name="to" label="To (UTC)" type="date" defaultValue={filters.to ?? ''} onBlur={apply} />
        {text('trace', 'Trace id')}
        <SelectField
          name="sort"
          label="Order"
          defaultValue={filters.sort}
          options={SORTS.map((value) => ({ value, label: sortNames[value] }))}
        />
        <button type="submit" className="button">
          Apply
        </button>
      </form>
    </>
  );
};
