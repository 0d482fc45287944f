import { describe, expect, it } from 'vitest';
import { decodeLogs } from '../../../functions/ingest/otlp/decodeExport.ts';
import { InvocationEvent } from '../../../schemas/ingest/invocationEvent.ts';
import { type Body, type LogInput, logsInJson, logsInProtobuf } from './messages.ts';

const NOW = Date.parse('2026-11-01T12:00:10.000Z');
const SECRET = 'the text of a prompt';

const decode = (items: readonly LogInput[], scope = 'autogen_core.events') => {
  const groups = [{ scope, resource: { 'service.name': 'helpdesk' }, items }];
  const json = decodeLogs(Buffer.from(JSON.stringify(logsInJson(groups))), 'application/json', NOW);
  expect(decodeLogs(logsInProtobuf(groups), 'application/x-protobuf', NOW)).toEqual(json);
  for (const event of json.events) expect(InvocationEvent.parse(event)).toEqual(event);
  expect(JSON.stringify(json)).not.toContain(SECRET);
  return json;
};

/** A body in the two forms that loggers send. */
const forms = (body: Exclude<Body, string>): readonly Body[] => [JSON.stringify(body), body];

const COMPLETION = {
  id: 'chatcmpl-9x8Yz7w6V5u4T3s2R1q0P9o8N7m6L',
  object: 'chat.completion',
  model: 'gpt-4o-2024-08-06',
  usage: {
    prompt_tokens: 1_000,
    completion_tokens: 50,
    total_tokens: 1_050,
    prompt_tokens_details: { cached_tokens: 400 },
  },
};
/** As AutoGen logs a call of a model. */
const AUTOGEN = {
  type: 'LLMCall',
  messages: { first: SECRET },
  response: { ...COMPLETION, system_fingerprint: SECRET },
  prompt_tokens: 1_000,
  completion_tokens: 50,
  agent_id: 'assistant/default',
};

describe('a log record with token counts in its body', () => {
  it.each(forms(AUTOGEN))(
    'is the call whose response it names, with the counts of its parts (%#)',
    (body) => {
      const { events, unread } = decode([{ body, attributes: { 'enduser.id': 'ann' } }]);

      expect(events).toMatchObject([
        {
          ingestion_layer: 'otlp',
          id_basis: expect.stringMatching(/^response/),
          requested_model: 'gpt-4o-2024-08-06',
          input_tokens: 1_000,
          cached_input_tokens: 400,
          output_tokens: 50,
          occurred_at: '2026-11-01T12:00:02.000Z',
          attributed_service: 'helpdesk',
          end_user: 'ann',
        },
      ]);
      expect(unread.size).toBe(0);
    },
  );

  it('has one event, however often and in whatever form it is exported', () => {
    const ids = forms(AUTOGEN).flatMap((body) => decode([{ body }, { body }]).events.map(Object));
    expect(new Set(ids.map(({ event_id }) => event_id)).size).toBe(1);
  });

  it.each([
    ['has no id of its response', { ...AUTOGEN, response: { model: 'gpt-4o', usage: COMPLETION.usage } }],
    ['has no model', { type: 'LLMStreamEnd', response: { thought: SECRET }, prompt_tokens: 5 }],
    [
      'is a line of an own logger',
      { event: 'llm_usage', model: 'gpt-4o', input_tokens: 9, output_tokens: 3 },
    ],
  ])('is named as unread when it %s, because a span may report the call too', (_, body) => {
    for (const form of forms(body)) {
      const { events, unread } = decode([{ body: form }]);
      expect(events).toEqual([]);
      expect([...unread]).toEqual([['autogen_core.events', 1]]);
    }
  });

  it.each([
    ['text', 'The call had "prompt_tokens": 12'],
    ['JSON without counts', JSON.stringify({ message: SECRET, tokens: 'none', prompt_tokens: 0 })],
    ['a prompt about counts', JSON.stringify({ message: `${SECRET}: {"prompt_tokens": 12}` })],
    ['a map without counts', { message: SECRET, user: { id: 7 } }],
    ['half of a JSON', '{"prompt_tokens": 12, "model"'],
  ] satisfies readonly (readonly [string, Body])[])(
    'is nothing but a log record if the body is %s',
    (_, body) => {
      const { events, unread, warnings } = decode([{ body }]);
      expect({ events, unread: unread.size, warnings }).toEqual({ events: [], unread: 0, warnings: [] });
    },
  );

  it('is not read where the attributes tell of the call, or a coding agent sends it', () => {
    const attributes = {
      'event.name': 'gen_ai.client.inference.operation.details',
      'gen_ai.request.model': 'gpt-4o',
      'gen_ai.usage.input_tokens': 7,
      'gen_ai.usage.output_tokens': 2,
    };
    const body = JSON.stringify(AUTOGEN);
    expect(decode([{ body, attributes }]).events).toMatchObject([{ input_tokens: 7 }]);
    const agent = { body, attributes: { 'event.name': 'claude_code.api_response_body' } };
    expect(decode([agent], 'com.anthropic.claude_code.events').events).toEqual([]);
  });
});
