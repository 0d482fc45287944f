import { describe, expect, it } from 'vitest';
import { exploreCodec, filtersOf, withFilters } from '../../console/src/pages/explore/exploreState.ts';

const { read, write } = exploreCodec;

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
