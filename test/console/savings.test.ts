import { describe, expect, it } from 'vitest';
import { savingsCodec } from '../../console/src/pages/savings/savingsState.ts';
import { energyText, figuresOf, realisedText, titleOf } from '../../console/src/pages/savings/savingText.ts';

const GAP = '\u202f';

describe('the energy of a suggestion', () => {
  it.each([
    ['unknown', null, 'unknown'],
    ['less', { low: '0', high: '1200' }, `0.00 – 1.20${GAP}kWh less`],
    ['more or less', { low: '-50', high: '120' }, `50.0${GAP}Wh more to 120${GAP}Wh less`],
    ['more', { low: '-120', high: '-100' }, `100 – 120${GAP}Wh more`],
  ])('says that it is %s', (_, energy_wh, expected) => {
    expect(energyText({ energy_wh })).toBe(expected);
  });
});

describe('what a suggestion has saved already', () => {
  const rest = { previous_invocations: 100, invocations: 100, basis: {} };

  it.each([
    ['a range', { low_usd: '0', high_usd: '4.5', unknown: null }, '$0.00 – $4.50 saved already'],
    ['nothing', { low_usd: '0', high_usd: '0', unknown: null }, null],
    [
      'unknown, with the reason',
      { low_usd: null, high_usd: null, unknown: 'volume_changed' as const },
      'Saved already: unknown, it could also be more or fewer calls',
    ],
  ])('is %s', (_, realised, expected) => {
    expect(realisedText({ realised: { ...realised, ...rest } })).toBe(expected);
  });
});

it('shows a figure that it does not know as it is', () => {
  expect(figuresOf({ paid_of_list: '0.92', new_figure: '1.5' })).toEqual([
    ['You paid, of the list price', `92${GAP}%`],
    ['New figure', '1.5'],
  ]);
});

it('names the flex tier only for a model that is sold at it', () => {
  const batch = { saving: 'batch' as const };

  expect(titleOf({ ...batch, basis: { batch_of_list: '0.5' } })).toBe('Send the calls as batches');
  expect(titleOf({ ...batch, basis: { batch_of_list: '0.5', flex_of_list: '0.5' } })).toBe(
    'Send the calls as batches, or at the flex tier',
  );
});

it('keeps period, kind and filters in the URL', () => {
  const search = 'days=7&kind=batch&owner=ads&served_model=gpt-4o';

  expect(savingsCodec.write(savingsCodec.read(search))).toBe(search);
  expect(savingsCodec.write(savingsCodec.read('days=90&kind=magic'))).toBe('');
});
