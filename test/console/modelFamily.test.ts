import { expect, it } from 'vitest';
import { familyOf } from '../../console/src/charts/modelFamily.ts';

it.each([
  [
    'gpt-4o',
    ['gpt-4o', 'gpt-4o-2024-08-06', 'gpt-4o-2024-11-20', 'openai/gpt-4o', 'azure/gpt-4o-2024-11-20'],
  ],
  ['gpt-4', ['gpt-4-0613', 'gpt-4-1106-preview', 'gpt-4-0125-preview']],
  ['gpt-4o-mini', ['gpt-4o-mini', 'gpt-4o-mini-2024-07-18']],
  [
    'claude-sonnet-4-5',
    [
      'claude-sonnet-4-5-20250929',
      'claude-sonnet-4-5@20250929',
      'us.anthropic.claude-sonnet-4-5-20250929-v1:0',
      'anthropic.claude-sonnet-4-5-20250929-v1:0',
      'anthropic/claude-sonnet-4-5:thinking',
    ],
  ],
  ['claude-3-5-sonnet', ['claude-3-5-sonnet-latest', 'anthropic.claude-3-5-sonnet-20241022-v2:0']],
  ['gemini-2.5-flash', ['models/gemini-2.5-flash', 'gemini-2.5-flash-preview-05-20', 'gemini-2.5-flash-001']],
  ['mistral-large', ['mistral-large-2407', 'mistral-large-latest', 'mistral.mistral-large-2407-v1:0']],
  ['command-r', ['command-r-08-2024']],
  ['nova-pro', ['amazon.nova-pro-v1:0', 'eu.amazon.nova-pro-v1:0']],
])('takes versions of %s for one family', (family, models) => {
  expect(models.map(familyOf)).toEqual(models.map(() => family));
});

it.each([
  'text-embedding-3-small',
  'text-embedding-004',
  'llama3:8b',
  'llama3:70b',
  'deepseek-v3',
  'o1',
  'ft:gpt-4o-2024-08-06:acme::x1',
  '-latest',
  '',
])('keeps the name of another model: %s', (model) => {
  expect(familyOf(model)).toBe(model);
});
