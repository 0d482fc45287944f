import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { pricesCommand } from '../../../tools/prices/pricesCommand.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tables-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
});

/** A table of models.dev with the prices of models of OpenAI, and `compare` of several of them. */
const compare = async (...tables: readonly Record<string, object>[]): Promise<string> =>
  compareWith([], ...tables);

const compareWith = async (
  options: readonly string[],
  ...tables: readonly Record<string, object>[]
): Promise<string> => {
  const files = await Promise.all(
    tables.map(async (models, index) => {
      const file = join(folder, `table-${index}.json`);
      const entries = Object.entries(models).map(([id, cost]) => [id, { id, cost }]);
      await writeFile(file, JSON.stringify({ openai: { models: Object.fromEntries(entries) } }));
      return `${file}@2026-07-15`;
    }),
  );
  return pricesCommand(['compare', ...files, ...options]);
};

const GPT_4O = { input: 2.5, output: 10 };
const LONG = { input: 5, output: 20, tier: { type: 'context', size: 200_000 } };

it('agrees with tables that state the price in use, in each way that two of them state', async () => {
  const report = await compare(
    { 'gpt-4o': { ...GPT_4O, cache_read: 1.25 } },
    { 'gpt-4o': { ...GPT_4O, cache_read: 1.25 } },
    { 'gpt-4o': GPT_4O },
  );

  expect(report).toContain('Of 2 with a majority, 2 agree with it (100.0 %).');
});

it('names a call whose cost most tables state differently, with what each states', async () => {
  const report = await compare(
    { 'gpt-4o': { input: 5, output: 10 } },
    { 'gpt-4o': { input: 5, output: 10 } },
    { 'gpt-4o': GPT_4O },
  );

  expect(report).toContain('openai gpt-4o plain\n  table-0.json: 0.06, ours 0.035 (0.035 to 0.035)');
  expect(report).toContain('Of 1 with a majority, 0 agree with it (0.0 %).');
  expect(report).toContain('Of the 1 that do not agree, 1 have no range.');
});

it('counts tables that are divided apart, and what no table but one states not at all', async () => {
  const report = await compare(
    { 'gpt-4o': { input: 5, output: 10 }, 'gpt-4.1': { input: 2, output: 8 } },
    { 'gpt-4o': GPT_4O },
  );

  expect(report).toContain('1 calls in two or more tables.');
  expect(report).toContain('On 1, the tables are divided, and 1 agree with one (100.0 %).');
});

it.each([
  ['a long context', { tiers: [LONG] }, 2],
  ['cached tokens in a long context', { cache_read: 1.25, tiers: [{ ...LONG, cache_read: 2.5 }] }, 4],
  ['reasoning', { reasoning: 12 }, 2],
  ['audio that is read', { input_audio: 3 }, 2],
  ['audio that is generated', { output_audio: 30 }, 2],
])('compares the price of %s', async (_name, prices, calls) => {
  const table = { 'gpt-4o': { ...GPT_4O, ...prices } };

  expect(await compare(table, table)).toContain(`${calls} calls in two or more tables.`);
});

it('compares cached tokens in a service tier with what tables state for them', async () => {
  const modes = {
    fast: { cost: { input: 5, output: 20, cache_read: 4 }, provider: { body: { service_tier: 'priority' } } },
  };
  const table = { openai: { models: { 'gpt-4o': { id: 'gpt-4o', cost: GPT_4O, experimental: { modes } } } } };
  const files = ['one', 'other'].map((name) => join(folder, `${name}.json`));
  await Promise.all(files.map((file) => writeFile(file, JSON.stringify(table))));

  const report = await pricesCommand(['compare', ...files.map((file) => `${file}@2026-07-15`)]);

  expect(report).toContain('openai gpt-4o cached, priority\n');
});

it('names a call with a single cost that one of the tables contradicts, if it is asked to', async () => {
  const tables = [{ 'gpt-4o': GPT_4O }, { 'gpt-4o': GPT_4O }, { 'gpt-4o': { input: 5, output: 10 } }];

  expect(await compare(...tables)).toContain(
    'Of the 1 that agree, 1 have no range, and a table states another cost.',
  );
  expect(await compareWith(['--contradicted'], ...tables)).toContain('openai gpt-4o plain\n');
});

it('says so if a model has no price', async () => {
  const report = await compare({ 'gpt-99': { input: 1, output: 2 } }, { 'gpt-99': { input: 1, output: 2 } });

  expect(report).toContain('openai gpt-99 plain\n  table-0.json: 0.012, ours none');
});

it('refuses a table without its day', async () => {
  await expect(pricesCommand(['compare', 'a.json', 'b.json'])).rejects.toThrow(
    'a.json must be FILE@YYYY-MM-DD',
  );
});

it('compares a long context within a tier only if the table has a band for the tier', async () => {
  const mode = (cost: object) => ({
    experimental: { modes: { priority: { cost, provider: { body: { service_tier: 'priority' } } } } },
  });
  const table = (cost: object) =>
    JSON.stringify({ openai: { models: { 'gpt-5.5': { id: 'gpt-5.5', ...cost } } } });
  const band = { input: 10, output: 45, tier: { type: 'context', size: 272_000 } };
  const [without, within] = [
    { input: 12.5, output: 75 },
    { input: 12.5, output: 75, tiers: [{ ...band, input: 20, output: 90 }] },
  ].map((priority) => table({ cost: { input: 5, output: 30, tiers: [band] }, ...mode(priority) }));
  const callsOf = async (text = '') => {
    const file = join(folder, 'table.json');
    await writeFile(file, text);
    return pricesCommand(['compare', `${file}@2026-07-15`, `${file}@2026-07-15`]);
  };

  expect(await callsOf(without)).toContain('3 calls in two or more tables.');
  expect(await callsOf(within)).toContain('4 calls in two or more tables.');
});

it('compares models that are sold by the page, the second, the character, the image or the search', async () => {
  const entry = (mode: string, name: string, price: number) => ({
    litellm_provider: 'openai',
    mode,
    [name]: price,
  });
  const file = join(folder, 'units.json');
  await writeFile(
    file,
    JSON.stringify({
      'tts-1': entry('audio_speech', 'input_cost_per_character', 0.000015),
      'whisper-1': entry('audio_transcription', 'input_cost_per_second', 0.0001),
      'an-ocr': entry('ocr', 'ocr_cost_per_page', 0.001),
      'a-rerank': entry('rerank', 'input_cost_per_query', 0.002),
      'an-image': entry('image_generation', 'output_cost_per_image', 0.04),
      'a-video': entry('video_generation', 'output_cost_per_second', 0.1),
    }),
  );

  const report = await pricesCommand(['compare', `${file}@2026-07-15`, `${file}@2026-07-15`]);

  expect(report).toContain('Of 6 with a majority, 2 agree with it');
  expect(report).toContain('openai an-ocr by page');
  expect(report).not.toContain('openai tts-1 by character');
});
