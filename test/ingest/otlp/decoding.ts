import { decodeLogs, decodeTraces } from '../../../functions/ingest/otlp/decodeExport.ts';
import { type Attributes, logsInJson, type SpanInput, tracesInJson } from './messages.ts';

export const NOW = Date.parse('2026-11-01T12:00:10.000Z');
export const USAGE = { 'gen_ai.usage.input_tokens': 1_000, 'gen_ai.usage.output_tokens': 200 };
export const MODEL = { 'gen_ai.request.model': 'gpt-4o' };

export const decodeJson = (body: unknown) =>
  decodeTraces(Buffer.from(JSON.stringify(body)), 'application/json', NOW);
export const decode = (items: readonly SpanInput[], scope = 'acme.tracer') =>
  decodeJson(tracesInJson([{ scope, items }]));
export const decodeOne = (attributes: Attributes, scope?: string) => decode([{ attributes }], scope);
export const logOf = (attributes: Attributes, scope = 'acme.logger') =>
  decodeLogs(
    Buffer.from(JSON.stringify(logsInJson([{ scope, items: [{ attributes }] }]))),
    'application/json',
    NOW,
  );
