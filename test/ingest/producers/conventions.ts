import type { Attributes } from '../otlp/messages.ts';

export const RESPONSE = 'chatcmpl-CNq8YkF2b3X7pLw0';
export const COUNTS = { input_tokens: 1_000, output_tokens: 200 };
export const GEN_AI = { 'gen_ai.usage.input_tokens': 1_000, 'gen_ai.usage.output_tokens': 200 };
export const OPENINFERENCE = {
  'openinference.span.kind': 'LLM',
  'llm.model_name': 'gpt-4o',
  'llm.token_count.prompt': 1_000,
  'llm.token_count.completion': 200,
  'llm.token_count.total': 1_200,
  'llm.token_count.prompt_details.cache_read': 400,
  'llm.token_count.prompt_details.cache_write': 100,
  'llm.token_count.completion_details.reasoning': 50,
};
/** Optional counts of the conventions, and under the names before them. */
export const PARTS = {
  'gen_ai.usage.cache_read.input_tokens': 400,
  'gen_ai.usage.cache_creation.input_tokens': 100,
  'gen_ai.usage.reasoning.output_tokens': 50,
};
export const conventions = (provider: string, model: string): Attributes => ({
  'gen_ai.operation.name': 'chat',
  'gen_ai.provider.name': provider,
  'gen_ai.request.model': model,
  ...GEN_AI,
});
export const GPT_4O = { requested_model: 'gpt-4o', ...COUNTS };
