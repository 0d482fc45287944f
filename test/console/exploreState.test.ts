import { describe, expect, it } from 'vitest';
import {
  earlierPeriod,
  exploreCodec,
  filtersOf,
  withFilters,
} from '../../console/src/pages/explore/exploreState.ts';
import { recordsOf, recordsPath } from '../../console/src/pages/explore/groups/recordsPath.ts';

const { read, write } = exploreCodec;

describe('the calls of a group', () => {
  const period = { from: '2026-11-18T00:00:00Z', to: '2026-11-25T00:00:00Z' };
  const path = (search: string, ...values: (string | null)[]) => recordsPath(read(search), period, values);

  it('are listed with the filters and the days of the explore page', () => {
    expect(path('group=owner,service&provider=openai', 'ads', 'chat')).toBe(
      '/records?owner=ads&service=chat&provider=openai&from=2026-11-18&to=2026-11-24',
    );
  });

  it('are listed without an owner or service', () => {
    expect(path('group=owner,service', null, null)).toBe(
      '/records?named=nobody&served=none&from=2026-11-18&to=2026-11-24',
    );
  });

  it.each([
    ['a region', 'group=region', 'eu-west-1'],
    ['a tag', 'group=owner&tags=env:prod', 'ads'],
  ])('are not listed where records cannot be filtered by %s', (_, search, value) => {
    expect(path(search, value)).toBeNull();
  });
});

it('lists the calls of a whole tenant, the dearest first', () => {
  const period = { from: '2026-11-18T03:00:00Z', to: '2026-11-18T06:00:00Z' };
  expect(recordsOf(period, [], { sort: '-cost_usd' })).toBe(
    '/records?from=2026-11-18&to=2026-11-18&sort=-cost_usd',
  );
});

describe('the period that a change is explained against', () => {
  const at = (text: string) => Date.parse(text);
  const week = { from: at('2026-11-18T00:00:00Z'), to: at('2026-11-25T00:00:00Z') };

  it('is chosen by the service without a day', () => {
    expect(earlierPeriod(week, null, at('2026-11-30T00:00:00Z'))).toBeNull();
  });

  it.each([
    ['as long as a period that has ended', '2026-11-30T00:00:00Z', '2026-10-08T00:00:00Z'],
    ['as long as the part of a period that has passed', '2026-11-20T06:30:20Z', '2026-10-03T06:30:00Z'],
    ['as long as a period that has not begun', '2026-11-17T00:00:00Z', '2026-10-08T00:00:00Z'],
  ])('is %s', (_, now, end) => {
    expect(earlierPeriod(week, '2026-10-01', at(now))).toEqual({ from: at('2026-10-01'), to: at(end) });
  });
});

describe('the state of the explore page in the URL', () => {
  it('keeps groupings by region and by tag, and drops unknown ones', () => {
    expect(read('group=region,colour,tag:env,tag:').group).toEqual(['region', 'tag:env']);
  });

  it('keeps filters of members and of tags', () => {
    const state = read('owner=ads&tags=env:prod,team:a:b,broken');

    expect([...filtersOf(state)]).toEqual([
      ['owner', 'ads'],
      ['tag:env', 'prod'],
      ['tag:team', 'a:b'],
    ]);
  });

  it('adds, replaces and removes filters, and keeps the others', () => {
    const state = read('owner=ads&tags=env:prod,team:red');

    const change = withFilters(state, [
      ['region', 'eu-west-1'],
      ['tag:env', 'dev'],
      ['tag:team', null],
      ['owner', null],
    ]);

    expect(write({ ...state, ...change })).toBe('region=eu-west-1&tags=env%3Adev');
  });
});
