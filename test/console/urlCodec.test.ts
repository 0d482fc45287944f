import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { choice, choices, codec, day, text } from '../../console/src/url/codec.ts';

const page = codec({
  owner: text(),
  measure: choice(['cost', 'energy'], 'cost'),
  group: choices(
    (part) => (['owner', 'service', 'provider'] as const).find((value) => value === part),
    ['owner'],
    2,
  ),
  from: day(),
});

describe('the state of a page in the URL', () => {
  it('leaves out what is initial', () => {
    expect(page.write({ owner: '', measure: 'cost', group: ['owner'], from: null })).toBe('');
  });

  it('falls back to the initial value for a value that is not allowed', () => {
    expect(page.read('?measure=price&group=team,service,service&from=2026-02-30')).toEqual({
      owner: '',
      measure: 'cost',
      group: ['service'],
      from: null,
    });
  });

  it('takes no more values than a page can show', () => {
    expect(page.read('group=owner,service,provider').group).toEqual(['owner', 'service']);
  });

  it('keeps what another part of the page has written', () => {
    const state = { owner: 'ads', measure: 'cost', group: ['owner'], from: null } as const;
    expect(page.write(state, 'order=Groups%3ACalls&owner=search&measure=energy')).toBe(
      'order=Groups%3ACalls&owner=ads',
    );
  });

  it('reads what it wrote, for any state', () => {
    const state = fc.record({
      owner: fc.string(),
      measure: fc.constantFrom('cost' as const, 'energy' as const),
      group: fc.uniqueArray(fc.constantFrom('owner' as const, 'service' as const, 'provider' as const), {
        minLength: 1,
        maxLength: 2,
      }),
      from: fc.option(
        fc
          .date({ min: new Date('2020-01-01'), max: new Date('2030-01-01'), noInvalidDate: true })
          .map((date) => date.toISOString().slice(0, 10)),
      ),
    });
    fc.assert(
      fc.property(state, (value) => {
        expect(page.read(page.write(value))).toEqual(value);
      }),
    );
  });
});
