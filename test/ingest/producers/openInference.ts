import type { Attributes } from '../otlp/messages.ts';
import { COUNTS, GPT_4O, OPENINFERENCE } from './conventions.ts';
import type { ProducerFixture } from './fixture.ts';

const openInference = (
  producer: string,
  source: string,
  scope: string,
  more: Attributes = {},
): ProducerFixture => ({
  producer: `${producer}, by OpenInference`,
  path: 'spans',
  source: `Arize-ai/openinference ${source}`,
  scope: `openinference.instrumentation.${scope}`,
  attributes: { ...OPENINFERENCE, ...more },
  expect: GPT_4O,
});

export const openInferenceSdks: readonly ProducerFixture[] = [
  openInference('OpenAI SDK', 'openinference-instrumentation-openai', 'openai', {
    'llm.provider': 'openai',
  }),
  openInference('OpenAI Agents SDK', 'openinference-instrumentation-openai-agents', 'openai_agents', {
    'llm.provider': 'openai',
  }),
  openInference('LangChain and LangGraph', 'openinference-instrumentation-langchain', 'langchain'),
  {
    producer: 'LangChain, by OpenInference in JavaScript',
    path: 'spans',
    source: 'Arize-ai/openinference js/packages/openinference-instrumentation-langchain',
    scope: '@arizeai/openinference-instrumentation-langchain',
    attributes: {
      ...OPENINFERENCE,
      'llm.model_name': 'gpt-4o',
      metadata:
        '{"ls_provider":"openai","ls_model_name":"gpt-4o-mini","model":"of the application","cost_usd":9}',
    },
    expect: { provider: 'openai', requested_model: 'gpt-4o', ...COUNTS },
  },
  openInference('LlamaIndex', 'openinference-instrumentation-llama-index', 'llama_index'),
  openInference('Haystack', 'openinference-instrumentation-haystack', 'haystack'),
  openInference('CrewAI', 'openinference-instrumentation-litellm', 'litellm', { 'llm.provider': 'openai' }),
  openInference('Agno', 'openinference-instrumentation-agno', 'agno', { 'llm.provider': 'OpenAI' }),
  {
    producer: 'Anthropic SDK, by OpenInference',
    path: 'spans',
    source: 'Arize-ai/openinference openinference-instrumentation-anthropic _utils.py',
    scope: 'openinference.instrumentation.anthropic',
    attributes: {
      ...OPENINFERENCE,
      'llm.provider': 'anthropic',
      'llm.system': 'anthropic',
      'llm.model_name': 'claude-sonnet-4-5-20250929',
    },
    expect: { provider: 'anthropic', cached_input_tokens: 400, cache_write_tokens: 100, ...COUNTS },
  },
  {
    producer: 'Amazon Bedrock, by OpenInference',
    path: 'spans',
    source: 'Arize-ai/openinference openinference-instrumentation-bedrock, Converse',
    scope: 'openinference.instrumentation.bedrock',
    attributes: {
      'openinference.span.kind': 'LLM',
      'llm.provider': 'aws',
      'llm.model_name': 'us.anthropic.claude-sonnet-4-5-20250929-v1:0',
      // Converse counts cached tokens beside the input, as its total shows.
      'llm.token_count.prompt': 600,
      'llm.token_count.prompt_details.cache_read': 400,
      'llm.token_count.prompt_details.cache_write': 0,
      'llm.token_count.completion': 200,
      'llm.token_count.total': 1_200,
    },
    expect: { provider: 'aws', cached_input_tokens: 400, ...COUNTS },
  },
  {
    producer: 'Vertex AI SDK, by OpenInference',
    path: 'spans',
    source: 'Arize-ai/openinference openinference-instrumentation-vertexai _wrapper.py',
    scope: 'openinference.instrumentation.vertexai',
    attributes: {
      'openinference.span.kind': 'LLM',
      'llm.provider': 'google',
      'llm.system': 'vertexai',
      'llm.model_name': 'gemini-2.5-pro',
      'llm.token_count.prompt': 1_000,
      // Without the thoughts, which only the total has.
      'llm.token_count.completion': 150,
      'llm.token_count.total': 1_200,
    },
    expect: { provider: 'google', input_tokens: 1_000, output_tokens: 150, output_tokens_high: 200 },
  },
  {
    producer: 'Rerankers, by OpenInference',
    path: 'spans',
    source: 'Arize-ai/openinference openinference-semantic-conventions RerankerAttributes',
    scope: 'openinference.instrumentation.langchain',
    attributes: {
      'openinference.span.kind': 'RERANKER',
      'reranker.model_name': 'rerank-v3.5',
      'reranker.top_k': 3,
    },
    expect: { operation: 'rerank', requested_model: 'rerank-v3.5' },
  },
];
