import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { listedPrices } from '../../../functions/impact/price/priceList.ts';
import { PriceListFile } from '../../../tools/prices/priceListFile.ts';
import { pricesCommand } from '../../../tools/prices/pricesCommand.ts';

let [folder, list] = ['', ''];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'prices-'));
  list = join(folder, 'priceList.json');
  await writeFile(list, JSON.stringify({ lists: [] }));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
});

const update = async (table: unknown, ...options: string[]) => {
  const file = join(folder, 'table.json');
  await writeFile(file, JSON.stringify(table));
  const report = await pricesCommand([
    ...['update', file, '--list', list, '--source', 'a table, version 7', '--checked', '2026-11-20'],
    ...options,
  ]);
  const { lists } = PriceListFile.parse(JSON.parse(await readFile(list, 'utf8')));
  return { report, lists, prices: listedPrices(lists) };
};

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

it('adds unknown models with their source and day', async () => {
  const { lists, prices } = await update(liteLlm);

  expect(lists).toContainEqual({
    provider: 'nowhere',
    source: 'a table, version 7',
    checked: '2026-11-20',
    models: { 'new-model': '0.3 1.2 0.03' },
  });
  expect(prices.find('nowhere', 'new-model', new Date('2025-01-01'), 0)).toMatchObject({
    input: '0.3',
    output: '1.2',
    cachedInput: '0.03',
    source: 'override',
  });
});

it('changes a known price from the day given, and keeps the price of earlier calls', async () => {
  const { prices } = await update(liteLlm, '--from', '2026-11-15');

  expect(prices.find('openai', 'gpt-4o', new Date('2026-11-15T00:00:00Z'), 0)?.input).toBe('2');
  expect(prices.find('openai', 'gpt-4o', new Date('2026-11-14T23:59:59Z'), 0)).toBeNull();
});

it('reports added, changed and equal prices', async () => {
  const { report } = await update(liteLlm);

  expect(report).toContain('nowhere new-model: unknown -> 0.3 / 1.2');
  expect(report).toContain('openai gpt-4o: 2.5 / 10 -> 2 / 8');
  expect(report).toContain('3 prices read: 1 added, 1 changed, 1 equal.');
});

it('writes nothing on a dry run, and no changed price with --additions-only', async () => {
  expect((await update(liteLlm, '--dry-run')).lists).toEqual([]);
  expect((await update(liteLlm, '--additions-only')).lists.map(({ provider }) => provider)).toEqual([
    'nowhere',
  ]);
});

it('reads the table of models.dev, with the region of Bedrock ids', async () => {
  const { prices } = await update({
    'amazon-bedrock': { models: { 'eu-west-9/nobody.model-v1': { cost: { input: 1, output: 2.5 } } } },
  });

  const at = new Date('2026-11-21');
  expect(prices.find('aws', 'nobody.model-v1', at, 0, 'eu-west-9')?.output).toBe('2.5');
  expect(prices.find('aws', 'nobody.model-v1', at, 0, 'us-east-1')).toBeNull();
});

it('keeps both models of two lists with the same source and region', async () => {
  const place = { provider: 'aws', regions: ['eu-west-2'], source: 'a page', checked: '2026-11-01' };
  await writeFile(
    list,
    JSON.stringify({
      lists: [
        { ...place, models: { one: '1 2' } },
        { ...place, models: { other: '3 4' } },
      ],
    }),
  );

  const { lists } = await update(liteLlm);

  expect(lists).toContainEqual({ ...place, models: { one: '1 2', other: '3 4' } });
});
