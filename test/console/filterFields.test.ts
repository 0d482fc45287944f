import { describe, expect, it } from 'vitest';
import { type FilterField, suggestionsFor } from '../../console/src/filters/filterFields.ts';
import { recordChips, recordFields, withFilter } from '../../console/src/pages/records/recordFilterFields.ts';
import { recordsCodec } from '../../console/src/pages/records/recordFilters.ts';

const named = (name: string, label: string, ...texts: string[]): FilterField => ({
  name,
  label,
  values: texts.map((text) => ({ value: text, text })),
  takesText: true,
});
const fields = [
  named('owner', 'Owner', 'team-ads', 'ads', 'search'),
  named('service', 'Service', 'ads-service', 'chat'),
  { ...named('price', 'Price', 'Known', 'Unknown'), takesText: false },
];
const found = (query: string) => suggestionsFor(fields, query).map(({ label, text }) => `${label} ${text}`);

describe('suggested filters', () => {
  it('have values of each field in turn while nothing is typed', () => {
    expect(found('').slice(0, 4)).toEqual([
      'Owner team-ads',
      'Service ads-service',
      'Price Known',
      'Owner ads',
    ]);
  });

  it('begin with values that begin with the text, and end with the text as a value', () => {
    expect(found('ads')).toEqual(['Owner ads', 'Service ads-service', 'Owner team-ads', 'Service ads']);
  });

  it.each(['owner: ads', 'OWNER:ads', 'own:ads'])('are of one field if its name is typed: %s', (query) => {
    expect(found(query)).toEqual(['Owner ads', 'Owner team-ads']);
  });

  it('keep a text with a colon that begins with no field', () => {
    expect(found('llama3:8b')).toEqual(['Owner llama3:8b', 'Service llama3:8b']);
  });

  it('list the values of a field by its name', () => {
    expect(found('price').slice(0, 2)).toEqual(['Price Known', 'Price Unknown']);
  });

  it('have no text as a value of a field with fixed values', () => {
    expect(found('price: free')).toEqual([]);
  });
});

describe('the filters of records', () => {
  const everything = recordFields({}).flatMap(({ name, values }) =>
    (values.length === 0 ? [{ value: 'some text' }] : values).map(({ value }) => [name, value] as const),
  );

  it.each(everything)('are set, shown as a chip and removed again: %s = %s', (name, value) => {
    const before = recordsCodec.read('sort=cost_usd&from=2026-11-01');
    const set = { ...before, ...withFilter(name, value) };

    expect(recordsCodec.write(set)).toContain(new URLSearchParams([[name, value]]).toString());
    expect(recordChips(set).map((chip) => chip.name)).toEqual([name]);
    expect({ ...set, ...withFilter(name, null) }).toEqual(before);
  });

  it('do not include what is no filter', () => {
    expect(withFilter('sort', 'cost_usd')).toBeNull();
    expect(recordChips(recordsCodec.read('sort=cost_usd&from=2026-11-01'))).toEqual([]);
  });
});
