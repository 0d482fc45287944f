import { describe, expect, it } from 'vitest';
import { recordsCodec } from '../../console/src/pages/records/recordFilters.ts';
import { reportOf, sumsText } from '../../console/src/pages/records/recordSums.ts';

const filters = (search: string) => recordsCodec.read(search);
const DAYS = 'from=2026-11-20&to=2026-11-21';

describe('the sum of all calls that match a filter of records', () => {
  it.each([
    ['days', '', {}],
    [
      'names',
      '&owner=ads&service=chat&provider=openai&model=gpt-5',
      {
        owner: 'ads',
        service: 'chat',
        provider: 'openai',
        served_model: 'gpt-5',
      },
    ],
    [
      'calls of nobody and without a service',
      '&named=nobody&served=none',
      {
        'owner[exists]': 'false',
        'service[exists]': 'false',
      },
    ],
    ['any order', '&sort=-cost_usd', {}],
  ])('is that of a report for %s', (_, search, expected) => {
    expect(reportOf(filters(DAYS + search))).toEqual({
      from: '2026-11-20T00:00:00Z',
      to: '2026-11-22T00:00:00.000Z',
      limit: 1,
      ...expected,
    });
  });

  it.each(['user=ann', 'state=unresolved', 'band=estimated', 'price=unknown', 'outcome=error', 'trace=1'])(
    'is in no report with %s, and the page says so',
    (search) => {
      expect(reportOf(filters(`${DAYS}&${search}`))).toMatch(/do not have/);
    },
  );

  it('needs both days', () => {
    expect(reportOf(filters('owner=ads&from=2026-11-20'))).toMatch(/both days/);
  });
});

it('is at least so much where privacy hides calls that may match', () => {
  const sums = { invocations: 1_200, cost_usd: '12.5', unpriced_invocations: 3 };

  expect(sumsText(sums)).toBe('1,200 calls · $12.50 · 3 of unknown cost');
  expect(sumsText({ ...sums, unpriced_invocations: 0 }, 4)).toBe('at least 1,200 calls · $12.50');
  expect(sumsText({ ...sums, cost_usd: null, unpriced_invocations: 1_200 })).toBe(
    '1,200 calls · unknown · 1,200 of unknown cost',
  );
});
