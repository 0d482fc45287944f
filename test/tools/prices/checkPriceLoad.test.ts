import { describe, expect, it } from 'vitest';
import { checkPriceLoad } from '../../../tools/prices/load/checkPriceLoad.ts';

const TODAY = '2026-11-26';
const SOURCE = { source: 'https://example.com/prices', checked: TODAY };
const list = (models: object, place: object = { provider: 'openai' }) => ({ ...place, ...SOURCE, models });
const PRICE = { from: '2026-12-01', input: '2', output: '10' };
const rule = (members: object) => ({
  ...SOURCE,
  from: '2026-12-01',
  times: '2',
  tiers: ['priority'],
  ...members,
});

const check = (load: unknown): string => {
  try {
    checkPriceLoad(typeof load === 'string' ? load : JSON.stringify(load), TODAY);
    return '';
  } catch (error) {
    return error instanceof Error ? error.message.split('\n').slice(1).join('\n').trim() : String(error);
  }
};

describe('a file of prices', () => {
  it.each([
    [{ lists: [list({ 'gpt-9': [PRICE, { from: '2027-01-01', ended: true }] })] }],
    [
      {
        lists: [
          list({
            'gpt-9': [{ ...PRICE, bands: [{ above_tokens: 1000, input: '4' }], batch: { input: '1' } }],
          }),
        ],
      },
    ],
    [
      {
        lists: [
          list({ 'gpt-9': [PRICE] }),
          list({ 'gpt-9': [PRICE] }, { provider: 'azure', regions: ['us'] }),
        ],
      },
    ],
    [{ lists: [list({ 'sora-9': [{ from: '2026-12-01', video_second: '500000' }] })] }],
    [{ tiers: [rule({ providers: ['openai'], models: '^gpt-9', tiers: ['fast', 'priority'] })] }],
    [{ places: [rule({ tiers: undefined, regions: '^(us|eu)$', times: '1.1', to: '2027-01-01' })] }],
    [{ tiers: [rule({ times: undefined, low: '0.5', high: '2' })] }],
    [{ aliases: [list({ 'gpt-latest': [{ from: '2026-12-01', model: 'gpt-9' }] })] }],
  ])('is accepted: %j', (load) => {
    expect(check(load)).toBe('');
  });

  it.each([
    ['{"lists": [', /^the file: is no JSON/],
    ['[]', 'the file: must be an object'],
    [{}, 'the file: has no prices'],
    [
      { lists: [list({ 'gpt-9': { input: '1' } })] },
      '/lists/0/models/gpt-9: must be a list of prices, each with the day `from`, and not empty',
    ],
    [{ lists: [list({ 'gpt-9': [] })] }, /^.lists.0.models.gpt-9: must be a list .* and not empty$/],
    [
      { lists: [list({ 'gpt-9': [{ ...PRICE, from: 'soon' }] })] },
      '/lists/0/models/gpt-9/0/from: must be a date, such as 2026-03-01',
    ],
    [
      { lists: [list({ 'gpt-9': [{ ...PRICE, input: 2 }] })] },
      '/lists/0/models/gpt-9/0/input: must be a string',
    ],
    [{ lists: [list({ 'gpt-9': [{ ...PRICE, input: '-2' }] })] }, /0\/input: must be a non-negative decimal/],
    [
      { lists: [list({ 'gpt-9': [{ ...PRICE, inptu: '2' }] })] },
      '/lists/0/models/gpt-9/0/inptu: Unknown or read-only member. Did you mean input?',
    ],
    [{ lists: [list({ 'gpt-9': [{ from: '2026-12-01' }] })] }, '/lists/0/models/gpt-9/0: has no price'],
    [
      { lists: [list({ 'gpt-9': [{ ...PRICE, ended: true }] })] },
      '/lists/0/models/gpt-9/0: has ended and a price: state one of them',
    ],
    [
      { lists: [list({ 'gpt-9': [PRICE, PRICE] })] },
      '/lists/0/models/gpt-9/1/from: has two prices from 2026-12-01',
    ],
    [
      { lists: [list({ 'gpt-9': [PRICE] }), list({ 'gpt-9': [PRICE] })] },
      '/lists/1/models/gpt-9: repeats /lists/0/models/gpt-9 from 2026-12-01',
    ],
    // A price for a thousand images or a token, in the place of a million.
    [
      { lists: [list({ 'gpt-9': [{ ...PRICE, output: '10000' }] })] },
      /0\/output: is above 600 USD per million/,
    ],
    [
      { lists: [list({ 'gpt-9': [{ ...PRICE, batch: { input: '2000' } }] })] },
      /0\/batch\/input: is above 600/,
    ],
    [
      { lists: [list({ 'gpt-9': [{ ...PRICE, bands: [{ above_tokens: 9, input: '2000' }] }] })] },
      /0\/bands\/0\/input: is above 600/,
    ],
    [{ lists: [list({ 'gpt-9': [{ ...PRICE, search: '10000000' }] })] }, /0\/search: is above 35000/],
    [{ lists: [list({ 'GPT-9': [PRICE] })] }, '/lists/0/models/GPT-9: must be written "gpt-9" of "openai"'],
    [
      { lists: [list({ 'eu/gpt-9': [PRICE] }, { provider: 'azure' })] },
      '/lists/0/models/eu~1gpt-9: must be written "gpt-9" of "azure", with regions ["eu"]',
    ],
    [{ lists: [list({ x: [PRICE] }, { provider: 'Bedrock' })] }, '/lists/0/provider: must be written "aws"'],
    [
      { lists: [list({ x: [PRICE] }, { provider: 'aws', regions: ['US East 1'] })] },
      '/lists/0/regions/0: must be written "useast1"',
    ],
    [{ lists: [{ ...list({ x: [PRICE] }), checked: '2026-11-27' }] }, '/lists/0/checked: is in the future'],
    [
      { lists: [{ ...list({ x: [PRICE] }), source: '' }] },
      '/lists/0/source: must say where the figures are from',
    ],
    [{ tiers: [rule({ models: '(' })] }, '/tiers/0/models: must be a regular expression'],
    [{ tiers: [rule({ models: '^(a+)+$' })] }, '/tiers/0/models: must not repeat a group that repeats'],
    [{ tiers: [rule({ to: '2026-12-01' })] }, '/tiers/0/to: must be later than from'],
    [{ tiers: [rule({ times: undefined })] }, '/tiers/0: needs times, or low and high'],
    [{ tiers: [rule({ tiers: undefined })] }, '/tiers/0/tiers: is required'],
    [{ tiers: [rule({ tiers: ['default'] })] }, /\/tiers\/0\/tiers\/0: must be a tier in lower case/],
    [{ tiers: [rule({ over: '0' })] }, '/tiers/0/over: must not be zero'],
    [{ tiers: [rule({ low: '1.5' })] }, '/tiers/0/low: must be at most 1'],
    [{ tiers: [rule({ high: '0.5' })] }, '/tiers/0/high: must be at least 1'],
    [{ places: [rule({ providers: ['OpenAI'] })] }, '/places/0/providers/0: must be written "openai"'],
    [
      {
        aliases: [
          list({ 'gpt-latest': [{ from: '2026-12-01', certain_from: '2026-12-01', model: 'GPT-9' }] }),
        ],
      },
      /^.aliases.0.models.gpt-latest.0.model: must be written "gpt-9"\n.*certain_from: must be later than from$/,
    ],
    [
      {
        aliases: [
          list({
            'gpt-latest': [
              { from: '2026-12-01', model: 'a' },
              { from: '2026-12-01', model: 'b' },
            ],
          }),
        ],
      },
      '/aliases/0/models/gpt-latest/1/from: names two models from 2026-12-01',
    ],
  ])('is refused with its fault: %j', (load, fault) => {
    const found = check(load);

    if (fault instanceof RegExp) expect(found).toMatch(fault);
    else expect(found).toBe(fault);
  });
});
