import { expect } from 'vitest';
import { decodeTraces } from '../../../functions/ingest/otlp/decodeExport.ts';
import { InvocationEvent } from '../../../schemas/ingest/invocationEvent.ts';
import { type Attributes, type Group, type SpanInput, tracesInJson, tracesInProtobuf } from './messages.ts';

export const NOW = Date.parse('2026-11-01T12:00:10.000Z');

/** The events of an export, which must be the same in both encodings, and valid. */
export const eventsOf = (groups: readonly Group<SpanInput>[]): readonly Record<string, unknown>[] => {
  const json = decodeTraces(Buffer.from(JSON.stringify(tracesInJson(groups))), 'application/json', NOW);
  const protobuf = decodeTraces(tracesInProtobuf(groups), 'application/x-protobuf', NOW);
  expect(protobuf).toEqual(json);
  for (const event of json.events) expect(InvocationEvent.parse(event)).toEqual(event);
  return json.events;
};
export const eventOf = (
  attributes: Attributes,
  span: SpanInput = {},
  resource: Attributes = {},
  scope = 'test',
) => eventsOf([{ resource, scope, items: [{ ...span, attributes }] }]);

export const CALL = {
  'gen_ai.operation.name': 'chat',
  'gen_ai.provider.name': 'openai',
  'gen_ai.request.model': 'gpt-4o',
  'gen_ai.usage.input_tokens': 120,
  'gen_ai.usage.output_tokens': 30,
};
