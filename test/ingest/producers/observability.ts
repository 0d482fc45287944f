import { COUNTS, GEN_AI, GPT_4O } from './conventions.ts';
import type { ProducerFixture } from './fixture.ts';

export const observability: readonly ProducerFixture[] = [
  {
    producer: 'MLflow',
    path: 'spans',
    source: 'mlflow/mlflow mlflow/tracing/constant.py, attributes as JSON text',
    scope: 'mlflow',
    attributes: {
      'mlflow.spanType': '"CHAT_MODEL"',
      'mlflow.llm.model': '"gpt-4o"',
      'mlflow.llm.provider': '"openai"',
      'mlflow.chat.tokenUsage': '{"input_tokens": 1000, "output_tokens": 200, "total_tokens": 1200}',
    },
    expect: { provider: 'openai', ...GPT_4O },
  },
  {
    producer: 'Langfuse SDK',
    path: 'spans',
    source: 'langfuse/langfuse-python langfuse/_client/attributes.py',
    scope: 'langfuse-sdk',
    attributes: {
      'langfuse.observation.type': 'generation',
      'langfuse.observation.model.name': 'gpt-4o',
      'langfuse.observation.usage_details':
        '{"input": 600, "output": 200, "input_cached_tokens": 400, "total": 1200}',
      'user.id': 'ann',
    },
    expect: { end_user: 'ann', cached_input_tokens: 400, ...GPT_4O },
  },
  {
    producer: 'Langfuse SDK, LangChain with Vertex AI',
    path: 'spans',
    source: 'langfuse/langfuse-python langfuse/langchain/CallbackHandler.py',
    scope: 'langfuse-sdk',
    attributes: {
      'langfuse.observation.type': 'generation',
      'langfuse.observation.model.name': 'gemini-2.5-flash',
      'langfuse.observation.usage_details':
        '{"input": 0, "output": 0, "total": 1200, "input_modality_1": 600, "cached_modality_1": 400, ' +
        '"cached_content_token_count": 400, "output_modality_1": 200}',
    },
    expect: {
      ...{ requested_model: 'gemini-2.5-flash', cached_input_tokens: 400 },
      ...{ input_tokens: 1_000, output_tokens: 200 },
    },
  },
  {
    producer: 'Braintrust SDK',
    path: 'spans',
    source: 'braintrustdata/braintrust-sdk-go and -ruby, attributes as JSON text',
    scope: 'braintrust',
    attributes: {
      'braintrust.span_attributes': '{"type": "llm"}',
      'braintrust.metadata': '{"provider": "openai", "model": "gpt-4o", "temperature": 0.2}',
      'braintrust.metrics': '{"prompt_tokens": 1000, "completion_tokens": 200, "tokens": 1200}',
    },
    expect: { provider: 'openai', ...GPT_4O },
  },
  {
    producer: 'Laminar',
    path: 'spans',
    source: 'lmnr-ai/lmnr-python src/lmnr/opentelemetry_lib/tracing/attributes.py',
    scope: 'lmnr',
    attributes: {
      'lmnr.span.type': 'LLM',
      'gen_ai.response.model': 'gpt-4o',
      'lmnr.association.properties.user_id': 'ann',
      'llm.usage.total_tokens': 1_200,
      'gen_ai.usage.cost': 0.0045,
      ...GEN_AI,
    },
    expect: { end_user: 'ann', estimated_cost_usd: '0.0045', ...GPT_4O },
  },
  {
    producer: 'LangWatch',
    path: 'spans',
    source: 'langwatch/langwatch python-sdk attributes.py',
    scope: 'langwatch',
    attributes: {
      'langwatch.span.type': 'llm',
      'gen_ai.request.model': 'openai/gpt-4o',
      'langwatch.metrics': '{"type": "json", "value": {"promptTokens": 1000, "completionTokens": 200}}',
    },
    expect: { requested_model: 'openai/gpt-4o', ...COUNTS },
  },
];
