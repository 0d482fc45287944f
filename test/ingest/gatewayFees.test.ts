import { expect, it } from 'vitest';
import { decodeCallLogs } from '../../functions/ingest/callLogs/decodeCallLogs.ts';
import { decodeTraces } from '../../functions/ingest/otlp/decodeExport.ts';
import { litellmPayload } from './formats/logs.ts';
import { type Attributes, tracesInJson } from './otlp/messages.ts';
import { CALL } from './otlp/spanEvents.ts';

const NOW = Date.parse('2026-11-01T12:00:10.000Z');
const TIME = '2026-11-01T12:00:00.123Z';
const bytes = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));
const traces = (attributes: Attributes) =>
  decodeTraces(bytes(tracesInJson([{ items: [{ attributes }] }])), 'application/json', NOW).events;
const rows = (row: unknown) => decodeCallLogs(bytes(row), 'application/json', NOW).events;

/** What OpenRouter answers beside its cost, of a call that the caller pays to the provider. */
const BYOK = { is_byok: true, cost_details: { upstream_inference_cost: 0.006 } };

it.each<[name: string, read: () => readonly unknown[]]>([
  [
    'the AI SDK',
    () =>
      traces({
        ...{ 'ai.operationId': 'ai.generateText.doGenerate', 'ai.model.provider': 'openrouter' },
        ...{
          'ai.model.id': 'openai/gpt-4o',
          'ai.usage.promptTokens': 1_000,
          'ai.usage.completionTokens': 200,
        },
        'ai.response.providerMetadata':
          '{"openrouter":{"usage":{"cost":0.0003,"costDetails":{"upstreamInferenceCost":0.006}}}}',
      }),
  ],
  [
    'a span',
    () =>
      traces({
        ...CALL,
        'gen_ai.usage.cost': 0.0003,
        'gen_ai.usage.is_byok': true,
      }),
  ],
  [
    'LiteLLM',
    () =>
      rows({
        ...litellmPayload({ response_cost: 0.0003 }),
        metadata: { usage_object: { cost: 0.0003, ...BYOK } },
      }),
  ],
  [
    'a row',
    () =>
      rows({
        ...{ id: '550e8400-e29b-41d4-a716-446655440000', timestamp: TIME, model: 'openai/gpt-4o' },
        usage: { prompt_tokens: 1_000, completion_tokens: 200, cost: 0.0003, ...BYOK },
      }),
  ],
])('the fee of a gateway is no cost of a call that its caller pays to the provider, in %s', (_, read) => {
  const [event] = read();

  expect(event).toMatchObject({ input_tokens: expect.any(Number) });
  expect(event).not.toHaveProperty('estimated_cost_usd');
});
