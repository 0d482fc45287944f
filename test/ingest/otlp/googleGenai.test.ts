import { describe, expect, it } from 'vitest';
import { decodeTraces } from '../../../functions/ingest/otlp/decodeExport.ts';
import { type Attributes, tracesInJson } from './messages.ts';
import { NOW } from './spanEvents.ts';

const SCOPE = 'opentelemetry.instrumentation.google_genai';
const STREAM = 'google.genai.AsyncModels.generate_content_stream';
const WHOLE = 'google.genai.Models.generate_content';

const read = (version: string | undefined, more: Attributes, scope = SCOPE) => {
  const attributes = {
    'gen_ai.operation.name': 'generate_content',
    'gen_ai.system': 'gemini',
    'gen_ai.request.model': 'gemini-2.5-pro',
    'gen_ai.usage.input_tokens': 9_000,
    'gen_ai.usage.output_tokens': 3_000,
    ...more,
  };
  const groups = tracesInJson([{ resource: {}, scope, version, items: [{ attributes }] }]);
  return decodeTraces(Buffer.from(JSON.stringify(groups)), 'application/json', NOW);
};

describe('google-genai', () => {
  it.each<[string, string | undefined, Attributes]>([
    ['a stream before 0.7', '0.5b0', { 'code.function.name': STREAM }],
    ['a stream of an unknown version', undefined, { 'code.function.name': STREAM }],
    ['what may be a stream', '0.6b0', {}],
  ])('has no counts of %s, because it sums those of all chunks', (_, version, more) => {
    const { events, warnings } = read(version, more);

    expect(events).toMatchObject([{ requested_model: 'gemini-2.5-pro' }]);
    expect(events[0]).not.toHaveProperty('input_tokens');
    expect(events[0]).not.toHaveProperty('output_tokens');
    expect([...warnings]).toContainEqual(expect.stringContaining('0.7b0'));
  });

  it.each<[string, string, Attributes]>([
    ['an answer as a whole', '0.5b0', { 'code.function.name': WHOLE }],
    ['a stream since 0.7', '0.7b0', { 'code.function.name': STREAM }],
  ])('names the thoughts that the counts of %s lack', (_, version, more) => {
    expect(read(version, more).events).toMatchObject([
      { input_tokens: 9_000, output_tokens: 3_000, unread_usage: ['thoughts'] },
    ]);
  });

  it.each<[string, string | undefined, Attributes, string?]>([
    ['a version that counts thoughts', '0.8b0', { 'code.function.name': STREAM }],
    ['a count of thoughts', undefined, { 'gen_ai.usage.reasoning.output_tokens': 500 }],
    ['a model without thoughts', '0.7b0', { 'gen_ai.request.model': 'gemini-2.0-flash' }],
    ['another instrumentation', '0.5b0', {}, 'openinference.instrumentation.google_genai_agents'],
  ])('is believed with %s', (_, version, more, scope) => {
    const { events } = read(version, more, scope);

    expect(events).toMatchObject([{ input_tokens: 9_000, output_tokens: 3_000 }]);
    expect(events[0]).not.toHaveProperty('unread_usage');
  });
});
