import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { loadFactors } from '../../../functions/impact/factors.ts';
import { assessImpact } from '../../../functions/impact/impact.ts';
import {
  contractPriceSource,
  contractPricesVersion,
} from '../../../functions/impact/price/contractPrices.ts';
import { Big, toDecimalString, wholeNumber } from '../../../functions/platform/shared/decimal.ts';
import { ContractPrices } from '../../../schemas/attribution/contractPrices.ts';
import { anEvent } from '../../attribution/engine/events.ts';

const MAY = new Date('2026-05-01T00:00:00Z');
const price = (change: object) => ({
  provider: 'openai',
  model: 'gpt-4o',
  from: '2026-01-01T00:00:00Z',
  ...change,
});
const listOf = (...entries: object[]): ContractPrices => ContractPrices.parse(entries.map(price));
const inputOf = (list: ContractPrices, model: string, at = MAY, provider = 'openai') =>
  contractPriceSource(list).find(provider, model, at, 0)?.input ?? null;

describe('a contract price', () => {
  it('applies from its start date', () => {
    const list = listOf(
      { input: '1' },
      { input: '2', from: '2026-04-01T00:00:00Z' },
      { input: '3', from: '2027-01-01T00:00:00Z' },
    );

    expect(inputOf(list, 'gpt-4o', new Date('2026-03-31T23:59:59.999Z'))).toBe('1');
    expect(inputOf(list, 'gpt-4o', new Date('2026-04-01T00:00:00Z'))).toBe('2');
    expect(inputOf(list, 'gpt-4o', new Date('2025-12-31T23:59:59Z'))).toBeNull();
  });

  it('of a region applies to calls there, and the price without a region elsewhere', () => {
    const list = contractPriceSource(listOf({ input: '1', region: 'EU West 2' }, { input: '2' }));
    const inputIn = (region: string | null) => list.find('openai', 'gpt-4o', MAY, 0, region)?.input;

    expect(inputIn('euwest2')).toBe('1');
    expect(inputIn('eastus')).toBe('2');
    expect(inputIn(null)).toBe('2');
  });

  it('of the exact model precedes a family, and a narrow family precedes a wide one', () => {
    const list = listOf({ model: 'gpt-*', input: '1' }, { model: 'gpt-4*', input: '2' }, { input: '3' });

    expect(['gpt-5', 'gpt-4.1', 'gpt-4o', 'o3'].map((model) => inputOf(list, model))).toEqual([
      '1',
      '2',
      '3',
      null,
    ]);
  });

  it('of a model covers its snapshots, because served_model names a snapshot', () => {
    const list = listOf(
      { input: '1' },
      { model: 'gpt-4o-2024-05-13', input: '2' },
      { model: 'gpt-*', input: '3' },
    );
    const findPrice = (model: string) => contractPriceSource(list).find('openai', model, MAY, 0);

    expect(
      ['gpt-4o', 'gpt-4o-2024-08-06', 'gpt-4o-2024-05-13', 'gpt-4o-mini'].map((id) => findPrice(id)?.input),
    ).toEqual(['1', '1', '2', '3']);
    expect(findPrice('gpt-4o-2024-08-06')).toMatchObject({ match: 'alias', pricedModel: 'gpt-4o' });
  });

  it('of a snapshot does not cover other snapshots or the model', () => {
    const list = listOf({ model: 'gpt-4o-2024-05-13', input: '2' });

    expect(['gpt-4o', 'gpt-4o-2024-08-06'].map((model) => inputOf(list, model))).toEqual([null, null]);
  });

  it('with a longer prefix precedes the model of a snapshot, and a later price precedes an earlier one', () => {
    const later = '2026-04-01T00:00:00Z';
    const list = listOf(
      { input: '1' },
      { model: 'gpt-4o-2024*', input: '2' },
      { model: 'gpt-4o*', input: '3' },
    );
    const dated = listOf({ input: '2', from: later }, { input: '1' });

    expect(inputOf(list, 'gpt-4o-2024-08-06')).toBe('2');
    expect(inputOf(listOf({ input: '1' }, { model: 'gpt-4o*', input: '3' }), 'gpt-4o-2024-08-06')).toBe('1');
    expect(inputOf(dated, 'gpt-4o-2024-08-06')).toBe('2');
  });
});

describe('an applied contract price', () => {
  it('has each kind of price of its entry, and no price for the others', () => {
    const kinds = {
      input: '1',
      cached_input: '2',
      cache_write: '3',
      output: '4',
      reasoning: '5',
      request: '6',
    };
    const sheetOf = (entry: object) => contractPriceSource(listOf(entry)).find('openai', 'gpt-4o', MAY, 0);

    expect(sheetOf(kinds)).toMatchObject({
      input: '1',
      cached_input: '2',
      cache_write: '3',
      output: '4',
      reasoning: '5',
      request: '6',
      source: 'contract',
      match: 'exact',
      pricedModel: 'gpt-4o',
      otherModalities: false,
    });
    expect(sheetOf({ output: '4' })).toMatchObject({
      input: null,
      cached_input: null,
      cache_write: null,
      reasoning: null,
      request: null,
    });
    expect(sheetOf({ input: '1' })?.output).toBeNull();
  });

  it.each([
    [
      'of the exact model precedes the family of the same name',
      { model: 'gpt-4o' },
      { model: 'gpt-4o*' },
      'gpt-4o',
    ],
    [
      'of a model precedes a family of the same name',
      { model: 'gpt-4o' },
      { model: 'gpt-4o*' },
      'gpt-4o-2024-08-06',
    ],
    [
      'of a narrow family precedes a wide one that starts later',
      { model: 'gpt-4*' },
      { model: 'gpt-*', from: '2026-04-01T00:00:00Z' },
      'gpt-4.1',
    ],
    [
      'of a family precedes its earlier price',
      { model: 'gpt-*', from: '2026-04-01T00:00:00Z' },
      { model: 'gpt-*' },
      'gpt-4.1',
    ],
  ])('%s, in any order of the list', (_, preferred, other, model) => {
    const [one, two] = [
      { ...preferred, input: '1' },
      { ...other, input: '2' },
    ];

    expect([inputOf(listOf(one, two), model), inputOf(listOf(two, one), model)]).toEqual(['1', '1']);
  });

  it('of the later start precedes, if two spellings of a model cover the same snapshot', () => {
    const early = { model: 'claude-3.5-haiku', provider: 'anthropic', input: '1' };
    const late = { ...early, model: 'claude-3-5-haiku', input: '2', from: '2026-04-01T00:00:00Z' };
    const snapshot = 'claude-3-5-haiku-20241022';

    expect(inputOf(listOf(early, late), snapshot, MAY, 'anthropic')).toBe('2');
    expect(inputOf(listOf(late, early), snapshot, MAY, 'anthropic')).toBe('2');
  });

  it('is null for a provider without an entry', () => {
    const source = contractPriceSource(listOf({ model: 'gpt-*', input: '1' }));

    expect(source.find('anthropic', 'gpt-5', MAY, 0)).toBeNull();
  });

  it('that is listed later replaces a price of the same model and start', () => {
    expect(inputOf(listOf({ input: '1' }, { input: '2' }), 'gpt-4o')).toBe('2');
  });

  it('of a family names the model that was called', () => {
    const sheet = contractPriceSource(listOf({ model: 'gpt-*', input: '1' })).find('openai', 'gpt-5', MAY, 0);

    expect(sheet).toMatchObject({ match: 'family', pricedModel: 'gpt-5' });
  });

  it('has the service tiers of a catalogue price', async () => {
    const prices = listOf({ input: '2', cached_input: '1', output: '8' });
    const contract = { version: contractPricesVersion(prices), prices: contractPriceSource(prices) };
    const factors = await loadFactors({ contract });
    const usage = { input_tokens: 1_000_000, cached_input_tokens: 500_000, output_tokens: 0 };
    const costAt = (change: object) =>
      assessImpact(anEvent({ ...usage, served_model: 'gpt-4o-2024-08-06', ...change }), MAY, factors).cost;

    expect(costAt({})).toMatchObject({ source: 'contract', price_match: 'alias', central: '1.5' });
    expect(costAt({ batch: true })).toMatchObject({ source: 'contract', central: '0.75' });
    expect(costAt({ service_tier: 'priority' })).toMatchObject({ source: 'contract', central: '2.55' });
  });

  it('stands beside the published price of the same quantity', async () => {
    const prices = listOf({ input: '1.25', output: '5' }, { model: 'own-model', input: '1', output: '1' });
    const contract = { version: contractPricesVersion(prices), prices: contractPriceSource(prices) };
    const factors = await loadFactors({ contract });
    const listed = (change: object) =>
      assessImpact(anEvent({ input_tokens: 1_000_000, ...change }), MAY, factors).cost?.components.map(
        ({ kind, list_unit_price_usd_per_million: list }) => [kind, list],
      );

    expect(listed({ cached_input_tokens: 0 })).toEqual([
      ['input', '2.5'],
      ['output', '10'],
    ]);
    expect(listed({ cached_input_tokens: 400_000 })).toContainEqual(['cached_input', '1.25']);
    expect(listed({ cached_input_tokens: 0, batch: true })).toContainEqual(['input', '1.25']);
    // No list has the model, or a contract price.
    expect(listed({ requested_model: 'own-model' })).toContainEqual(['input', undefined]);
    expect(listed({ requested_model: 'gpt-4.1-mini' })).toContainEqual(['input', undefined]);
  });

  it('has bands, kinds of tokens and tiers of its own', async () => {
    const prices = listOf({
      input: '2',
      cache_write: '2.5',
      cache_write_1h: '4',
      audio_input: '8',
      output: '8',
      search: '9000',
      bands: [{ above_tokens: 200_000, input: '3', output: '10' }],
      batch: { input: '0.8', output: '3.2' },
    });
    const contract = { version: contractPricesVersion(prices), prices: contractPriceSource(prices) };
    const factors = await loadFactors({ contract });
    const costOf = (change: object) =>
      assessImpact(anEvent({ cached_input_tokens: 0, output_tokens: 1_000, ...change }), MAY, factors).cost
        ?.central;

    expect(costOf({ input_tokens: 200_000 })).toBe('0.408');
    expect(costOf({ input_tokens: 200_001 })).toBe('0.610003');
    expect(costOf({ input_tokens: 10_000, batch: true })).toBe('0.0112');
    // In proportion to the discount on the input: 0.4 of 3, and 0.4 of 10
    expect(costOf({ input_tokens: 300_000, batch: true })).toBe('0.364');
    expect(costOf({ input_tokens: 10_000, audio_input_tokens: 1_000 })).toBe('0.034');
    expect(costOf({ input_tokens: 10_000, cache_write_tokens: 1_000, cache_write_1h_tokens: 1_000 })).toBe(
      '0.03',
    );
    expect(costOf({ input_tokens: 10_000, web_searches: 2 })).toBe('0.046');
  });

  it('applies to all spellings of the provider', () => {
    const list = listOf({ provider: 'Azure.AI.OpenAI', input: '1' });

    expect([inputOf(list, 'gpt-4o', MAY, 'azure'), inputOf(list, 'gpt-4o', MAY, 'openai')]).toEqual([
      '1',
      null,
    ]);
  });

  it('gives an exact cost and precedes the catalogue, but not the cost that the producer reports', async () => {
    const prices = listOf({ input: '1.25', output: '0.000001' });
    const factors = await loadFactors({
      contract: { version: contractPricesVersion(prices), prices: contractPriceSource(prices) },
    });

    await fc.assert(
      fc.asyncProperty(fc.nat({ max: 1e9 }), fc.nat({ max: 1e9 }), async (input, output) => {
        const event = anEvent({ input_tokens: input, output_tokens: output });
        const { cost } = assessImpact(event, MAY, factors);

        const million = Big('0.000001');
        const expected = wholeNumber(input)
          .times('1.25')
          .plus(wholeNumber(output).times('0.000001'))
          .times(million);
        expect(cost).toMatchObject({
          source: 'contract',
          catalogue: contractPricesVersion(prices),
          price_match: 'exact',
        });
        expect(cost?.central).toBe(toDecimalString(expected));
      }),
      { numRuns: 50 },
    );
    const billed = assessImpact(anEvent({ estimated_cost_usd: '7' }), MAY, factors);
    expect(billed.cost).toMatchObject({ source: 'producer', central: '7' });
  });
});

describe('a list of contract prices', () => {
  it('has a version derived from its content', () => {
    const [one, same, other] = [listOf({ input: '1' }), listOf({ input: '1' }), listOf({ input: '2' })];

    expect(contractPricesVersion(one)).toMatch(/^contract-[0-9a-f]{12}$/);
    expect(contractPricesVersion(one)).toBe(contractPricesVersion(same));
    expect(contractPricesVersion(one)).not.toBe(contractPricesVersion(other));
  });

  it.each(['0', '0.000001', '999999999.999999', '2.50'])('accepts a price of %s', (input) => {
    expect(listOf({ input })).toMatchObject([{ input }]);
  });

  it('explains the format of a price in the error', () => {
    const { error } = ContractPrices.safeParse([price({ reasoning: '1.2345678' })]);

    expect(error?.issues).toMatchObject([
      {
        path: [0, 'reasoning'],
        message:
          'must be a non-negative decimal string with at most 9 digits before and 6 digits after the decimal point',
      },
    ]);
  });

  it.each([
    ['a number for money', { input: 1 }],
    ['a negative price', { input: '-1' }],
    ['a start that is not a timestamp', { from: 'soon' }],
    ['an unknown member', { discount: '1' }],
    ['a price with more than 6 fractional digits', { output: '0.0000001' }],
    ['a price beyond a billion', { cached_input: '1000000000' }],
    ['a leading zero', { input: '01' }],
    ['a price of a band that is a number', { bands: [{ above_tokens: 1, input: 1 }] }],
    ['a band without a start', { bands: [{ input: '1' }] }],
    ['two bands with the same start', { bands: [{ above_tokens: 1 }, { above_tokens: 1 }] }],
    ['an unknown member of a band', { bands: [{ above_tokens: 1, discount: '1' }] }],
    ['a tier in a tier', { batch: { flex: { input: '1' } } }],
  ])('is rejected with %s', (_, change) => {
    expect(ContractPrices.safeParse([price(change)]).success).toBe(false);
  });
});
