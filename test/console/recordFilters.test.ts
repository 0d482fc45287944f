import { expect, it } from 'vitest';
import { daysOf, queryOf, recordsCodec, recordsLink } from '../../console/src/pages/records/recordFilters.ts';

const queryAt = (link: string) => queryOf(recordsCodec.read(link.split('?')[1] ?? ''));

it('links to the calls of an owner in the days of a report', () => {
  const days = daysOf({ from: '2026-11-18T00:00:00.000Z', to: '2026-11-25T00:00:00.000Z' });
  const link = recordsLink({ ...days, owner: 'team & co' });

  expect(link).toBe('/records?owner=team+%26+co&from=2026-11-18&to=2026-11-24');
  expect(queryAt(link)).toEqual({
    sort: '-occurred_at',
    owner: 'team & co',
    'occurred_at[gte]': '2026-11-18T00:00:00Z',
    'occurred_at[lt]': '2026-11-25T00:00:00.000Z',
  });
});

it('links to the calls without an owner and without a service', () => {
  expect(queryAt(recordsLink({ named: 'nobody', served: 'none' }))).toEqual({
    sort: '-occurred_at',
    'owner[exists]': 'false',
    'service[exists]': 'false',
  });
});

it('links to all calls without a filter', () => {
  expect(recordsLink({})).toBe('/records');
});

it('links to the calls whose reported cost waits for a confirmation, as notifications do', () => {
  expect(queryAt('/records?price=implausible_cost')).toEqual({
    sort: '-occurred_at',
    cost_unknown: 'implausible_cost',
  });
});

it('links to the calls that failed', () => {
  expect(queryAt(recordsLink({ outcome: 'error' }))).toEqual({ sort: '-occurred_at', status: 'error' });
});
