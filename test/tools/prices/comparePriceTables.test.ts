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
const compare = async (...tables: readonly Record<string, object>[]): Promise<string> => {
  const files = await Promise.all(
    tables.map(async (models, index) => {
      const file = join(folder, `table-${index}.json`);
      const entries = Object.entries(models).map(([id, cost]) => [id, { id, cost }]);
      await writeFile(file, JSON.stringify({ openai: { models: Object.fromEntries(entries) } }));
      return `${file}@2026-07-15`;
    }),
  );
  return pricesCommand(['compare', ...files]);
};

const GPT_4O = { input: 2.5, output: 10 };

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

it('says so if a model has no price', async () => {
  const report = await compare({ 'gpt-99': { input: 1, output: 2 } }, { 'gpt-99': { input: 1, output: 2 } });

  expect(report).toContain('openai gpt-99 plain\n  table-0.json: 0.012, ours none');
});

it('refuses a table without its day', async () => {
  await expect(pricesCommand(['compare', 'a.json', 'b.json'])).rejects.toThrow(
    'a.json must be FILE@YYYY-MM-DD',
  );
});
