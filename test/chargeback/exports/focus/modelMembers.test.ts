import { expect, it } from 'vitest';
import { modelMembers } from '../../../../functions/chargeback/exports/focus/modelMembers.ts';

const namesOf = (model: string): unknown[] => {
  const members: Record<string, string> = JSON.parse(`{${modelMembers(model)}}`);
  return [members['ModelDeveloper'], members['ModelFamily'], members['ModelVersion']];
};

it.each([
  ['gpt-4o', 'OpenAI', 'GPT', '4o'],
  ['gpt-4.1-mini-2025-04-14', 'OpenAI', 'GPT', '4.1'],
  ['openai/gpt-oss-120b', 'OpenAI', 'gpt-oss', undefined],
  ['o3-mini', 'OpenAI', 'o-series', 'o3'],
  ['text-embedding-3-small', 'OpenAI', 'text-embedding', '3'],
  ['claude-sonnet-4-20250514', 'Anthropic', 'Claude Sonnet', '4'],
  ['anthropic.claude-sonnet-4-5-20250929-v1:0', 'Anthropic', 'Claude Sonnet', '4.5'],
  ['claude-3-5-haiku-20241022', 'Anthropic', 'Claude Haiku', '3.5'],
  ['claude-3-opus-20240229', 'Anthropic', 'Claude Opus', '3'],
  ['gemini-2.5-flash', 'Google', 'Gemini', '2.5'],
  ['gemini-1.5-pro-002', 'Google', 'Gemini', '1.5'],
  ['gemma-3-27b-it', 'Google', 'Gemma', '3'],
  ['meta-llama/Llama-3.3-70B-Instruct', 'Meta', 'Llama', '3.3'],
  ['meta.llama3-1-8b-instruct-v1:0', 'Meta', 'Llama', '3.1'],
  ['llama-2-7b', 'Meta', 'Llama', '2'],
  ['mistral-large-2411', 'Mistral AI', 'Mistral', undefined],
  ['deepseek-v3.1', 'DeepSeek', 'DeepSeek', 'v3.1'],
  ['grok-4-fast', 'xAI', 'Grok', '4'],
  ['qwen2.5-72b-instruct', 'Alibaba Cloud', 'Qwen', '2.5'],
  ['amazon.nova-pro-v1:0', 'Amazon', 'Nova', undefined],
  ['kimi-k2', 'Moonshot AI', 'Kimi', 'k2'],
  ['sonar-pro', 'Perplexity', 'Sonar', undefined],
  ['several', undefined, undefined, undefined],
  ['my-own-model', undefined, undefined, undefined],
  ['photo3-opus', undefined, undefined, undefined],
])('names developer, family and version of %s as far as its id tells them', (model, ...names) => {
  expect(namesOf(model)).toEqual(names);
});
