import { expect, it } from 'vitest';
import { readCloudMeter } from '../../../../functions/chargeback/reconciliation/meters/cloudMeter.ts';

const read = (provider: string, meter: string, product: string | null = null) => {
  const { model, kind, tier } = readCloudMeter(provider, meter, product);
  return [model, kind, tier];
};

/** Names of meters from the Retail Prices API of Azure. */
it.each([
  ['gpt 4o 0806 Inp glbl Tokens', 'gpt-4o', 'input', null],
  ['gpt 4o 0806 cached Inp glbl Tokens', 'gpt-4o', 'cached_input', null],
  ['gpt 4o 0806 Batch Outp Data Zone Tokens', 'gpt-4o', 'output', 'batch'],
  ['GPT 5 Mini cchd Inpt Glbl 1M Tokens', 'gpt-5-mini', 'cached_input', null],
  ['gpt-5-codex-ccchd-inp-glbl Tokens', 'gpt-5-codex', 'cached_input', null],
  ['codex mini inp cchd glbl Tokens', 'codex-mini', 'cached_input', null],
  ['5.4 cd inp Gl 1M Tokens', 'gpt-5.4', 'cached_input', null],
  ['5.6 sol LongCo Opt Std Gl 1M Tokens', 'gpt-5.6-sol', 'output', 'long context'],
  ['5.6 sol ShortCo Inp Std Gl 1M Tokens', 'gpt-5.6-sol', 'input', null],
  ['gpt 4.1 pp cd inp Dz 1M Tokens', 'gpt-4.1', 'cached_input', 'priority'],
  ['GPT 5 Batch outpt Glbl 1M Tokens', 'gpt-5', 'output', 'batch'],
  ['text embedding 3 large glbl Tokens', 'text-embedding-3-large', 'input', null],
  ['gpt-4o-rt-aud-1217 cchd Inp glbl Tokens', 'gpt-4o-rt-aud', null, null],
  ['gpt-4o-0806-FT-inp-glbl Tokens', 'gpt-4o-ft', null, null],
  ['gpt-4o-0806-FT-Hstng-glbl Unit', null, null, null],
  ['gpt 4.1 dev ft training glbl Tokens', null, null, null],
  ['Provisioned Managed Global Unit', null, null, null],
  ['Assistants-File Search-glbl GB', null, null, null],
])('reads %s of Azure', (meter, model, kind, tier) => {
  expect(read('azure', meter)).toEqual([model, kind, tier]);
});

it.each([
  ['4.6 Inp Glbl Tokens', 'Azure Grok Models', 'grok-4.6', 'input'],
  ['V4 Flash cached glbl Tokens', 'Azure Deepseek Models', 'deepseek-v4-flash', 'cached_input'],
  ['R1 Outp glbl Tokens', 'Azure Deepseek Models', 'deepseek-r1', 'output'],
  ['5.4 opt Gl 1M Tokens', 'Azure OpenAI GPT5', 'gpt-5.4', 'output'],
  ['K2.5 Inp Glbl Tokens', 'Azure Kimi', 'kimi-k2.5', 'input'],
  ['2.1 Inp Glbl Tokens', 'Other Models', null, 'input'],
  ['4.6 Inp Glbl Tokens', null, null, 'input'],
])('reads the family of the version in %s from the product %s', (meter, product, model, kind) => {
  expect(read('azure', meter, product)).toEqual([model, kind, null]);
});

/** Descriptions of SKUs on bills of Google Cloud. */
it.each([
  ['Gemini 2.5 Flash GA Text Input - Predictions', 'gemini-2.5-flash', 'input', null],
  ['Gemini 2.5 Pro Thinking Text Output - Predictions', 'gemini-2.5-pro', 'output', null],
  ['Gemini 2.5 Flash Lite Text Input - Batch Predictions', 'gemini-2.5-flash-lite', 'input', 'batch'],
  ['Gemini 2.5 Pro Input Text Caching (Long)', 'gemini-2.5-pro', 'cached_input', 'long context'],
  ['Gemini 3 Flash Text Input Caching Flex', 'gemini-3-flash', 'cached_input', 'flex'],
  ['Gemini 3.8 Flash Text Input Caching Storage', 'gemini-3.8-flash', null, null],
  ['Gemini 3.5 Flash Global Text Output - Priority Predictions', 'gemini-3.5-flash', 'output', 'priority'],
  ['Generate content input token count gemini 3.5 flash text', 'gemini-3.5-flash', 'input', null],
  [
    'Generate content output token count gemini 2.5 flash short input text',
    'gemini-2.5-flash',
    'output',
    null,
  ],
  [
    'Generate content cached input token count gemini 2.5 flash input short text',
    'gemini-2.5-flash',
    'cached_input',
    null,
  ],
  [
    'Generate content output token count gemini 2.5 flash lite short output text non-thinking',
    'gemini-2.5-flash-lite',
    'output',
    null,
  ],
  [
    'Generate_content text cached input token count for gemini 3 pro long',
    'gemini-3-pro',
    'cached_input',
    'long context',
  ],
  ['Generate content input token count gemini 3 flash text flex', 'gemini-3-flash', 'input', 'flex'],
  ['GenerateContent text output token count for Gemini 2.0 Flash', 'gemini-2.0-flash', 'output', null],
  ['Generate content input token count gemini 2.5 flash input image', null, null, null],
  ['Gemini 3 Flash Image Input Caching Priority', null, null, 'priority'],
  ['Grounding with Google Search on Gemini 3', null, null, null],
  ['Generate content search query gemini 3 free', null, null, null],
  ['EmbedContent input token count for gemini-embedding-001', 'gemini-embedding-001', 'input', null],
  ['Cloud Vertex AI Model Garden Model as a Service GLM-5.2 Input', 'glm-5.2', 'input', null],
  ['Claude Sonnet 4.5 - Cache Write Input Tokens', 'claude-sonnet-4.5', 'cache_write', null],
  ['Number of videos generated', null, null, null],
])('reads %s of Google', (meter, model, kind, tier) => {
  expect(read('google', meter)).toEqual([model, kind, tier]);
});
