import { listOf } from '../../api/listOf.ts';
import type { Chip, FilterField, FilterValue } from '../../filters/filterFields.ts';
import { wordFor } from '../../format/words.ts';
import { BANDS, type RecordFilters, recordsCodec, STATES } from './recordFilters.ts';

/** The filters of the bar: all but the days and the order, which have fields of their own. */
const NAMES = listOf<Exclude<keyof RecordFilters, 'from' | 'to' | 'sort'>>()([
  'owner',
  'service',
  'provider',
  'model',
  'user',
  'named',
  'served',
  'state',
  'band',
  'price',
  'outcome',
  'trace',
]);
type Name = (typeof NAMES)[number];

const labels: Readonly<Record<Name, string>> = {
  owner: 'Owner',
  service: 'Service',
  provider: 'Provider',
  model: 'Model',
  user: 'End user',
  named: 'Owner is',
  served: 'Service is',
  state: 'State',
  band: 'Confidence',
  price: 'Price',
  outcome: 'Outcome',
  trace: 'Trace id',
};

const worded = (values: readonly string[]): readonly FilterValue[] =>
  values.map((value) => ({ value, text: wordFor(value) }));

/** The values of filters that have a fixed set of them. The others take text. */
const fixed: Partial<Record<Name, readonly FilterValue[]>> = {
  named: [
    { value: 'owner', text: 'Known' },
    { value: 'nobody', text: 'Nobody named' },
  ],
  served: [
    { value: 'service', text: 'Known' },
    { value: 'none', text: 'No service' },
  ],
  state: worded(STATES),
  band: worded(BANDS),
  price: [
    { value: 'known', text: 'Known' },
    { value: 'unknown', text: 'Unknown' },
    { value: 'implausible_cost', text: 'Cost to confirm' },
  ],
  outcome: [
    { value: 'ok', text: 'Successful' },
    { value: 'error', text: 'Failed' },
    { value: 'incomplete', text: 'Incomplete' },
  ],
};

/** What records can be filtered by. `known` are the names that reports show. */
export const recordFields = (known: Partial<Record<Name, readonly FilterValue[]>>): readonly FilterField[] =>
  NAMES.map((name) => ({
    name,
    label: labels[name],
    values: fixed[name] ?? known[name] ?? [],
    takesText: fixed[name] === undefined,
  }));

const none = recordsCodec.read('');

/** The filters that apply. */
export const recordChips = (filters: RecordFilters): readonly Chip[] =>
  NAMES.flatMap((name) => {
    const value = filters[name];
    if (value === none[name]) return [];
    const text = fixed[name]?.find((one) => one.value === value)?.text ?? value;
    return [{ name, label: labels[name], text }];
  });

/** The filters with this one set, or without it. Null: no filter has this name. */
export const withFilter = (name: string, value: string | null): Partial<RecordFilters> | null => {
  const known = NAMES.find((one) => one === name);
  if (known === undefined) return null;
  const search = value === null ? '' : new URLSearchParams([[known, value]]).toString();
  return { [known]: recordsCodec.read(search)[known] };
};
