import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { listedPrices } from '../../../functions/impact/price/lists/priceList.ts';
import { PriceListFile } from '../../../tools/prices/priceListFile.ts';
import { pricesCommand } from '../../../tools/prices/pricesCommand.ts';

let [folder, list] = ['', ''];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'prices-'));
  list = join(folder, 'priceList.json');
  await writeFile(list, JSON.stringify({ lists: [] }));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
});

const readList = async () => PriceListFile.parse(JSON.parse(await readFile(list, 'utf8')));

const updateText = async (table: string, ...options: string[]) => {
  const file = join(folder, 'table.json');
  await writeFile(file, table);
  const report = await pricesCommand([
    ...['update', file, '--list', list, '--source', 'a table, version 7', '--checked', '2026-11-20'],
    ...options,
  ]);
  const sections = await readList();
  return { report, ...sections, prices: listedPrices(sections.lists) };
};
const update = (table: unknown, ...options: string[]) => updateText(JSON.stringify(table), ...options);

const liteLlm = {
  'nowhere/new-model': {
    litellm_provider: 'nowhere',
    mode: 'chat',
    input_cost_per_token: 3e-7,
    output_cost_per_token: 0.0000012,
    cache_read_input_token_cost: 3e-8,
  },
  'gpt-4o': {
    litellm_provider: 'openai',
    mode: 'chat',
    input_cost_per_token: 0.000002,
    output_cost_per_token: 0.000008,
  },
  'gpt-4.1': {
    litellm_provider: 'openai',
    mode: 'chat',
    input_cost_per_token: 0.000002,
    output_cost_per_token: 0.000008,
  },
  'dall-e-3': { litellm_provider: 'openai', mode: 'image_generation', input_cost_per_token: 1e-6 },
};

it.each([
  ['rerank', 'input_cost_per_query', 0.002, { rerank_search: '2000' }],
  ['audio_speech', 'input_cost_per_character', 0.000015, { character: '15' }],
  ['audio_transcription', 'input_cost_per_second', 0.0001, { audio_second: '100' }],
  ['ocr', 'ocr_cost_per_page', 0.001, { page: '1000' }],
])('adds models of the mode %s, which are sold by %s', async (mode, name, price, expected) => {
  const entry = { litellm_provider: 'nowhere', mode, [name]: price };
  const { lists } = await update({ 'nowhere/m': entry, 'nowhere/chat': { ...entry, mode: 'search' } });

  expect(lists).toMatchObject([{ provider: 'nowhere', models: { m: expected } }]);
  expect(Object.keys(lists[0]?.models ?? {})).toEqual(['m']);
});

it('adds unknown models with their source and day', async () => {
  const { lists, prices } = await update(liteLlm);

  expect(lists).toContainEqual({
    provider: 'nowhere',
    source: 'a table, version 7',
    checked: '2026-11-20',
    models: { 'new-model': { input: '0.3', output: '1.2', cached_input: '0.03' } },
  });
  expect(prices.find('nowhere', 'new-model', new Date('2025-01-01'), 0)).toMatchObject({
    input: '0.3',
    output: '1.2',
    cached_input: '0.03',
    source: 'override',
  });
});

it('changes a known price from the day given, and keeps the price of earlier calls', async () => {
  const { prices, disagreements } = await update(liteLlm, '--from', '2026-11-15');

  expect(prices.find('openai', 'gpt-4o', new Date('2026-11-15T00:00:00Z'), 0)?.input).toBe('2');
  expect(prices.find('openai', 'gpt-4o', new Date('2026-11-14T23:59:59Z'), 0)).toBeNull();
  expect(disagreements).toEqual([]);
});

it('records another price as a disagreement, unless a day of change is given', async () => {
  const { lists, disagreements } = await update(liteLlm);

  expect(lists.map(({ provider }) => provider)).toEqual(['nowhere']);
  expect(disagreements).toEqual([
    {
      provider: 'openai',
      source: 'a table, version 7',
      checked: '2026-11-20',
      models: { 'gpt-4o': { input: '2', output: '8' } },
    },
  ]);
});

it('leaves a price alone that was compared with the page of the vendor', async () => {
  const page = { provider: 'openai', source: 'https://openai.com/pricing', checked: '2026-11-01' };
  await writeFile(list, JSON.stringify({ lists: [{ ...page, models: { 'gpt-4o': { input: '2.5' } } }] }));

  expect((await update(liteLlm)).disagreements).toEqual([]);
});

it('reports added, completed, other and equal prices', async () => {
  const { report } = await update({
    ...liteLlm,
    'azure/o3': {
      litellm_provider: 'azure',
      input_cost_per_token: 0.000002,
      output_cost_per_token: 0.000008,
      input_cost_per_token_priority: 0.0000035,
      output_cost_per_token_priority: 0.000014,
      mode: 'chat',
    },
  });

  expect(report).toContain('nowhere new-model: unknown -> 0.3 / 1.2 (added)');
  expect(report).toContain('openai gpt-4o: 2.5 / 10 -> 2 / 8 (other price)');
  expect(report).toMatch(/4 prices read: 1 added, [01] completed, 1 with another price, [12] equal\.$/);
});

it('writes nothing on a dry run, and no changed price with --additions-only', async () => {
  expect((await update(liteLlm, '--dry-run')).lists).toEqual([]);
  const { lists, disagreements } = await update(liteLlm, '--additions-only');
  expect([lists.map(({ provider }) => provider), disagreements]).toEqual([['nowhere'], []]);
});

it('does not count the price of another model of the family as known', async () => {
  const price = { litellm_provider: 'anthropic', mode: 'chat', output_cost_per_token: 0.00001 };
  // The catalogue has claude-sonnet-5 and matches its successors by their prefix.
  const { lists } = await update({ 'claude-sonnet-5-99': { ...price, input_cost_per_token: 0.000002 } });

  expect(lists[0]?.models).toEqual({ 'claude-sonnet-5-99': { input: '2', output: '10' } });
});

it.each([
  ['the same', 0.000002, 1],
  ['another', 0.000003, 0],
])('with --confirmed-only adds a model if its family has %s price: %s', async (_, input, added) => {
  const price = { litellm_provider: 'anthropic', mode: 'chat', output_cost_per_token: 0.00001 };
  const table = { ...liteLlm, 'claude-sonnet-5-99': { ...price, input_cost_per_token: input } };

  const { lists } = await update(table, '--confirmed-only');

  expect(lists).toHaveLength(added);
});

it.each([
  ['cached input', { cache_read_input_token_cost: 1e-6 }, 'different'],
  ['a band', { input_cost_per_token_above_200k_tokens: 5e-6 }, 'richer'],
  ['audio', { input_cost_per_audio_token: 4e-5 }, 'richer'],
  ['a batch', { input_cost_per_token_batches: 1e-6, output_cost_per_token_batches: 4e-6 }, 'richer'],
])('compares %s, not only input and output', async (_, members, kind) => {
  const { completions, disagreements } = await update({
    'gpt-4.1': { ...liteLlm['gpt-4.1'], ...members },
  });

  const isBatchOfHalf = 'input_cost_per_token_batches' in members;
  const [expected, other] = kind === 'richer' ? [completions, disagreements] : [disagreements, completions];
  expect(expected.map(({ provider }) => provider)).toEqual(isBatchOfHalf ? [] : ['openai']);
  expect(other).toEqual([]);
});

describe('the table of LiteLLM', () => {
  const entry = {
    litellm_provider: 'nowhere',
    mode: 'chat',
    max_tokens: 8_192,
    input_cost_per_token: 1e-6,
    output_cost_per_token: 5e-6,
  };

  it('is taken over with all kinds, bands and tiers', async () => {
    const { lists } = await update({
      'nowhere/m': {
        ...entry,
        cache_read_input_token_cost: 1e-7,
        cache_creation_input_token_cost: 1.25e-6,
        cache_creation_input_token_cost_above_1hr: 2e-6,
        output_cost_per_reasoning_token: 4e-6,
        input_cost_per_audio_token: 7e-6,
        cache_read_input_audio_token_cost: 7e-7,
        output_cost_per_audio_token: 9e-6,
        input_cost_per_image_token: 3e-6,
        output_cost_per_image_token: 6e-6,
        input_cost_per_request: 0.004,
        search_context_cost_per_query: { search_context_size_low: 0.01, search_context_size_high: 0.02 },
        input_cost_per_token_above_128k_tokens: 2e-6,
        output_cost_per_token_above_128k_tokens: 7.5e-6,
        input_cost_per_token_above_272k_tokens: 3e-6,
        cache_read_input_token_cost_above_272k_tokens: 3.1e-7,
        input_cost_per_token_batches: 5e-7,
        output_cost_per_token_batches: 2.5e-6,
        input_cost_per_token_flex: 6e-7,
        input_cost_per_token_priority: 2e-6,
        input_cost_per_token_above_272k_tokens_priority: 6e-6,
      },
    });

    expect(lists[0]?.models['m']).toEqual({
      input: '1',
      output: '5',
      cached_input: '0.1',
      cache_write: '1.25',
      cache_write_1h: '2',
      reasoning: '4',
      audio_input: '7',
      cached_audio_input: '0.7',
      audio_output: '9',
      image_input: '3',
      image_output: '6',
      request: '4000',
      search: '10000',
      search_high: '20000',
      bands: [
        // Cache prices that a band leaves out follow its input price.
        {
          above_tokens: 128_000,
          input: '2',
          output: '7.5',
          cached_input: '0.2',
          cache_write: '2.5',
          cache_write_1h: '4',
        },
        { above_tokens: 272_000, input: '3', cached_input: '0.31', cache_write: '3.75', cache_write_1h: '6' },
      ],
      batch: { input: '0.5', output: '2.5' },
      flex: { input: '0.6' },
      priority: { input: '2', bands: [{ above_tokens: 272_000, input: '6' }] },
    });
  });

  it('states nothing about a tier for which it repeats the standard price', async () => {
    const { lists } = await update({
      'nowhere/m': { ...entry, input_cost_per_token_priority: 1e-6, output_cost_per_token_priority: 5e-6 },
    });

    expect(lists[0]?.models['m']).toEqual({ input: '1', output: '5' });
  });

  it('may have its bands as ranges', async () => {
    const tiered_pricing = [
      { range: [0, 32_000], input_cost_per_token: 1e-6, output_cost_per_token: 5e-6 },
      { range: [32_000, 128_000], input_cost_per_token: 2e-6, output_cost_per_token: 8e-6 },
    ];
    const { lists } = await update({
      'nowhere/m': { litellm_provider: 'nowhere', mode: 'chat', tiered_pricing },
    });

    expect(lists[0]?.models['m']).toEqual({
      input: '1',
      output: '5',
      bands: [{ above_tokens: 32_000, input: '2', output: '8' }],
    });
  });

  it.each([
    ['input_cost_per_second', { input_cost_per_second: 0.01 }],
    ['output_cost_per_image', { output_cost_per_image: 0.04 }],
    ['regional_uplift_multiplier', { regional_uplift_multiplier: 1.1 }],
    ['cost_of_the_future', { cost_of_the_future: { a: 1 } }],
    ['tiered_pricing.input_cost_per_day', { tiered_pricing: [{ range: [0, 1], input_cost_per_day: 1 }] }],
    ['a price below the smallest unit', { cache_read_input_token_cost: 1e-13 }],
  ])('with %s is refused, with the name of the member, and nothing is written', async (name, members) => {
    const before = await readFile(list, 'utf8');

    const named = name.startsWith('a price') ? 'cache_read_input_token_cost' : name;
    await expect(update({ 'nowhere/m': { ...entry, ...members } })).rejects.toThrow(
      `${named}: 1 models, such as m`,
    );
    expect(await readFile(list, 'utf8')).toBe(before);
  });

  it('is taken over without the members that may be left out, whose names stay with the model', async () => {
    const table = { 'nowhere/m': { ...entry, input_cost_per_second: 0.01 } };

    const { lists, prices } = await update(table, '--leave-out', 'input_cost_per_second');

    expect(lists[0]?.models['m']).toMatchObject({ not_held: ['input_cost_per_second'] });
    expect(prices.find('nowhere', 'm', new Date(), 0)).toMatchObject({ otherModalities: true });
  });

  it('is read without a float', async () => {
    const text =
      '{"nowhere/m":{"litellm_provider":"nowhere","mode":"chat","input_cost_per_token":0.000123456789,"output_cost_per_token":1.00000000000000001e-4}}';

    expect((await updateText(text)).lists[0]?.models['m']).toEqual({ input: '123.456789', output: '100' });
  });
});

describe('the table of models.dev', () => {
  it('is taken over with the region of Bedrock ids', async () => {
    const { prices } = await update({
      'amazon-bedrock': { models: { 'eu-west-9/nobody.model-v1': { cost: { input: 1, output: 2.5 } } } },
    });

    const at = new Date('2026-11-21');
    expect(prices.find('aws', 'nobody.model-v1', at, 0, 'eu-west-9')?.output).toBe('2.5');
    expect(prices.find('aws', 'nobody.model-v1', at, 0, 'us-east-1')).toBeNull();
  });

  const base = { input: 1, output: 5, cache_read: 0.1, cache_write: 1.25, input_audio: 3, output_audio: 9 };
  const tiers = [{ input: 2, output: 7.5, tier: { type: 'context', size: 200_000 } }];
  const expected = {
    input: '1',
    output: '5',
    cached_input: '0.1',
    cache_write: '1.25',
    audio_input: '3',
    audio_output: '9',
    bands: [{ above_tokens: 200_000, input: '2', output: '7.5', cached_input: '0.2', cache_write: '2.5' }],
  };

  it.each([
    ['tiers', { ...base, tiers }],
    ['context_over_200k', { ...base, context_over_200k: { input: 2, output: 7.5 } }],
    ['both', { ...base, tiers, context_over_200k: { input: 2, output: 7.5 } }],
  ])('is taken over with its bands in %s', async (_, cost) => {
    const { lists } = await update({ nowhere: { models: { m: { cost } } } });

    expect(lists[0]?.models['m']).toEqual(expected);
  });

  it('is taken over with the modes that ask for a service tier', async () => {
    const mode = (body: object) => ({ cost: { input: 2, output: 10 }, provider: { body } });
    const table = (modes: object) => ({
      nowhere: { models: { m: { cost: { input: 1, output: 5 }, experimental: { modes } } } },
    });

    const { lists } = await update(table({ fast: mode({ service_tier: 'priority' }) }));
    expect(lists[0]?.models['m']).toMatchObject({ priority: { input: '2', output: '10' } });
    await expect(update(table({ fast: mode({ speed: 'fast' }) }))).rejects.toThrow(
      'experimental.modes.fast.cost',
    );
  });

  it('is refused with a price that the format cannot hold', async () => {
    const table = { nowhere: { models: { m: { cost: { input: 1, output: 5, image: 0.04 } } } } };

    await expect(update(table)).rejects.toThrow('cost.image: 1 models, such as m');
  });
});

it('takes over the table of pi-ai', async () => {
  const cost = {
    ...{ input: 1, output: 5, cacheRead: 0.1, cacheWrite: 0 },
    tiers: [{ inputTokensAbove: 271_999, input: 2, output: 7.5, cacheRead: 0.2, cacheWrite: 0 }],
  };
  const { lists } = await update({ nowhere: { 'a/b': { id: 'm', provider: 'nowhere', cost } } });

  expect(lists[0]?.models['m']).toEqual({
    input: '1',
    output: '5',
    cached_input: '0.1',
    bands: [{ above_tokens: 272_000, input: '2', output: '7.5', cached_input: '0.2' }],
  });
});

it('takes over the table of genai-prices, with the prices of the day', async () => {
  const { lists } = await update([
    {
      id: 'nowhere',
      models: [
        {
          id: 'm',
          prices: [
            { prices: { input_mtok: 9, output_mtok: 9 } },
            {
              constraint: { start_date: '2026-10-01' },
              prices: {
                input_mtok: { base: 1, tiers: [{ start: 128_000, price: 2 }] },
                output_mtok: 5,
                web_searches_kcount: 10,
              },
            },
            { constraint: { start_date: '2027-01-01' }, prices: { input_mtok: 8 } },
          ],
        },
      ],
    },
  ]);

  expect(lists[0]?.models['m']).toEqual({
    input: '1',
    output: '5',
    search: '10000',
    bands: [{ above_tokens: 128_000, input: '2' }],
  });
});

it('reads only the providers that are named', async () => {
  const { lists } = await update(liteLlm, '--providers', 'openai');

  expect(lists).toEqual([]);
});

it('keeps both models of two lists with the same source and region', async () => {
  const place = { provider: 'aws', regions: ['eu-west-2'], source: 'a page', checked: '2026-11-01' };
  const [one, other] = [
    { input: '1', output: '2' },
    { input: '3', output: '4' },
  ];
  await writeFile(
    list,
    JSON.stringify({
      lists: [
        { ...place, models: { one } },
        { ...place, models: { other } },
      ],
    }),
  );

  const { lists } = await update(liteLlm);

  expect(lists).toContainEqual({ ...place, models: { one, other } });
});
