import { expect, it } from 'vitest';
import { normalizeModel } from '../../../../functions/chargeback/reconciliation/rows/normalizeModel.ts';

it.each([
  ['openai', 'gpt-4o-2024-08-06', 'openai', 'gpt-4o'],
  ['OpenAI', 'GPT-4o', 'openai', 'gpt-4o'],
  ['azure.ai.openai', 'gpt-35-turbo', 'azure', 'gpt-3-5-turbo'],
  ['anthropic', 'claude-sonnet-4-5-20250929', 'anthropic', 'claude-sonnet-4-5'],
  ['aws.bedrock', 'us.anthropic.claude-sonnet-4-5-20250929-v1:0', 'aws', 'anthropic-claude-sonnet-4-5'],
  ['Amazon Web Services', 'anthropic.claude-sonnet-4-5', 'aws', 'anthropic-claude-sonnet-4-5'],
  ['aws', 'anthropic.claude-3-5-sonnet-20241022-v2:0', 'aws', 'anthropic-claude-3-5-sonnet-v2'],
  ['aws', 'anthropic.claude-v2:1', 'aws', 'anthropic-claude-v2:1'],
  ['aws', 'amazon.titan-embed-text-v1', 'aws', 'amazon-titan-embed-text'],
  ['aws', 'amazon.titan-embed-text-v2:0', 'aws', 'amazon-titan-embed-text-v2'],
  ['aws', 'amazon.titan-text-lite-v1:0:4k', 'aws', 'amazon-titan-text-lite'],
  ['aws', 'mistral.mistral-large-2402-v1:0', 'aws', 'mistral-mistral-large-2402'],
  ['aws', 'their-own-2024-08-06', 'aws', 'their-own'],
  ['somebody', 'their-own', 'somebody', 'their-own'],
])('normalizes %s %s to %s %s', (provider, model, canonicalProvider, line) => {
  expect(normalizeModel(provider, model)).toEqual({ provider: canonicalProvider, model: line });
});
