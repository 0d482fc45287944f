import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { metricRange, scopeOfMetric } from '../../console/src/pages/explore/unitCosts/metricText.ts';
import { numbersOfCsv } from '../../sdk/shared/metricCsv.ts';

const date = fc
  .date({ min: new Date('2020-01-01'), max: new Date('2030-01-01'), noInvalidDate: true })
  .map((at) => at.toISOString().slice(0, 10));
const value = fc
  .tuple(fc.nat(1_000_000), fc.option(fc.nat(999), { nil: undefined }))
  .map(([whole, part]) => (part === undefined ? String(whole) : `${whole}.${part}`));

it('reads what spreadsheets write, whatever separates columns and ends lines', () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ date, value })),
      fc.constantFrom(',', ';', '\t', ' , '),
      fc.constantFrom('\n', '\r\n'),
      fc.constantFrom('', 'date,value', '"Date";"Tickets"', '\uFEFFdate\tvalue'),
      fc.constantFrom('', '"'),
      (numbers, separator, end, header, quote) => {
        const lines = numbers.map(
          (one) => `${quote}${one.date}${quote}${separator}${quote}${one.value}${quote}`,
        );
        expect(numbersOfCsv([header, ...lines, ''].join(end))).toEqual({ numbers, fault: null });
      },
    ),
  );
});

it.each([
  ['2026-11-01', 'line 1'],
  ['2026-11-01,-4', 'line 1'],
  ['2026-11-01,4\n2026-11-02,1e3', 'line 2'],
  ['2026-11-01,4\n01.11.2026,4', 'line 2'],
  ['2026-11-01,1,234', 'line 1'],
])('names the line that is no date and number in %j', (text, line) => {
  expect(numbersOfCsv(text)).toEqual({ numbers: [], fault: expect.stringContaining(line) });
});

it('drops zeros at the front, which no decimal of the API has', () => {
  expect(numbersOfCsv('2026-11-01,007').numbers).toEqual([{ date: '2026-11-01', value: '7' }]);
  expect(numbersOfCsv('2026-11-01,00.5').numbers).toEqual([{ date: '2026-11-01', value: '0.5' }]);
});

it('says whose cost a metric divides, and the range of a unit only if it is one', () => {
  expect(scopeOfMetric({ owner: null, service: null })).toBe('all calls');
  expect(scopeOfMetric({ owner: 'ads', service: 'chat' })).toBe('ads · chat');
  expect(metricRange({ cost_per_unit_range_usd: null })).toBe('');
  expect(metricRange({ cost_per_unit_range_usd: { low: '2', high: '2' } })).toBe('');
  expect(metricRange({ cost_per_unit_range_usd: { low: '2', high: null } })).toBe('at least $2.00');
  expect(metricRange({ cost_per_unit_range_usd: { low: '2', high: '3' } })).toBe('$2.00 – $3.00');
});
