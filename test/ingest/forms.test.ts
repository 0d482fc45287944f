import { expect, it } from 'vitest';
import { decodeCallLogs } from '../../functions/ingest/callLogs/decodeCallLogs.ts';
import { checkEvent } from '../../functions/ingest/events/checkEvent.ts';
import { decodeLogs, decodeTraces } from '../../functions/ingest/otlp/decodeExport.ts';
import { someEvent } from '../support/client.ts';
import { expectNoFaults } from '../support/faults.ts';
import { litellmPayload } from './formats/logs.ts';
import { type Attributes, logsInJson, tracesInJson, type Value } from './otlp/messages.ts';

const NOW = Date.parse('2026-11-01T12:00:10.000Z');
const bytes = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));
const TIME = '2026-11-01T12:00:00.123Z';

interface Call {
  readonly input?: Value | undefined;
  readonly tier?: Value | undefined;
  readonly served?: Value | undefined;
  readonly requested?: Value | undefined;
}

const present = (members: Readonly<Record<string, Value | undefined>>): Attributes =>
  Object.fromEntries(
    Object.entries(members).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );

const traces = (attributes: Attributes) =>
  decodeTraces(bytes(tracesInJson([{ items: [{ attributes }] }])), 'application/json', NOW).events;
const logs = (attributes: Attributes) =>
  decodeLogs(bytes(logsInJson([{ scope: 'codex_otel', items: [{ attributes }] }])), 'application/json', NOW)
    .events;
const rows = (row: unknown) => decodeCallLogs(bytes(row), 'application/json', NOW).events;

const conventions = ({ input = 1_000, tier, served, requested = 'gpt-4o' }: Call): Attributes =>
  present({
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': 'openai',
    'gen_ai.request.model': requested,
    'gen_ai.response.model': served,
    'gen_ai.openai.response.service_tier': tier,
    'gen_ai.usage.input_tokens': input,
    'gen_ai.usage.output_tokens': 200,
  });

/** Each way in, with one call. */
const WAYS: readonly (readonly [name: string, read: (call: Call) => readonly unknown[], models: boolean])[] =
  [
    ['spans', (call) => traces(conventions(call)), true],
    [
      'log events',
      ({ input = 1_000, requested = 'gpt-4o' }) =>
        logs({
          'event.name': 'codex.sse_event',
          'event.kind': 'response.completed',
          model: requested,
          input_token_count: input,
          output_token_count: 200,
        }),
      false,
    ],
    [
      'rows',
      ({ input = 1_000, tier, requested = 'gpt-4o' }) =>
        rows({
          ...{ id: '550e8400-e29b-41d4-a716-446655440000', timestamp: TIME, provider: 'openai' },
          ...{ model: requested, service_tier: tier, input_tokens: input, output_tokens: 200 },
        }),
      false,
    ],
    [
      'LiteLLM',
      ({ input = 1_000, tier, served }) => {
        const payload = litellmPayload({
          ...{ prompt_tokens: input, completion_tokens: 200, total_tokens: undefined, response_cost: null },
          ...{ model: served ?? 'gpt-4o', model_group: 'gpt-4o', model_parameters: { service_tier: tier } },
        });
        return rows({ ...payload, metadata: {} });
      },
      true,
    ],
    [
      'events',
      ({ input = 1_000, tier, served }) => [
        someEvent({
          ...{ provider: 'openai', requested_model: 'gpt-4o', served_model: served, service_tier: tier },
          ...{ ingestion_timestamp: TIME, occurred_at: TIME, input_tokens: input, output_tokens: 200 },
        }),
      ],
      true,
    ],
  ];

const eventsOf = (read: (call: Call) => readonly unknown[], call: Call) =>
  read(call).map((sent) => checkEvent(sent, NOW).event);

it.each<[form: Value, count: number]>([
  [' 1000 ', 1_000],
  ['1,000', 1_000],
  ['+1000', 1_000],
  ['1e3', 1_000],
  ['1000.0', 1_000],
])('a count of %j is %i in every way in', async (form, count) => {
  await expectNoFaults(
    WAYS,
    ([name]) => name,
    ([, read]) => {
      const events = eventsOf(read, { input: form });
      return events.length === 1 && events[0]?.input_tokens === count
        ? []
        : [`reads ${events[0]?.input_tokens}`];
    },
  );
});

it.each<[form: Value]>([
  ['-1'],
  [-1],
  ['999.2'],
  [999.2],
  ['1e300'],
  ['99999999999999999999'],
  ['a lot'],
  [true],
])('a count of %j is unknown in every way in, and its call is kept', async (form) => {
  await expectNoFaults(
    WAYS,
    ([name]) => name,
    ([, read]) => {
      const events = eventsOf(read, { input: form });
      return events.length === 1 && events[0] !== null && events[0]?.input_tokens === undefined
        ? []
        : [`reads ${events[0]?.input_tokens}`];
    },
  );
});

const ABSENT = ['None', 'null', 'undefined', '<nil>', 'N/A', '-', 'unknown', ' NULL ', 'NaN'];

it.each(ABSENT)('%j as a served model or a tier says nothing in every way in', async (text) => {
  await expectNoFaults(
    WAYS,
    ([name]) => name,
    ([, read, models]) =>
      eventsOf(read, { tier: text, ...(models && { served: text }) }).flatMap((event) =>
        event === null || event.served_model !== undefined || event.service_tier !== undefined
          ? [`reads ${event?.served_model} and ${event?.service_tier}`]
          : [],
      ),
  );
});

it.each(ABSENT)('the model that served a call counts where the requested one is %j', (text) => {
  expect(traces(conventions({ requested: text, served: 'gpt-4o' }))).toMatchObject([
    { requested_model: 'gpt-4o' },
  ]);
});

it('a list of one value is that value', () => {
  const call = conventions({ requested: ['gpt-4o'], served: ['gpt-4o-2024-08-06'] });
  const response = { 'gen_ai.response.id': ['chatcmpl-CNq8YkF2b3X7pLw0'] };

  expect(traces({ ...call, ...response })).toMatchObject([
    { requested_model: 'gpt-4o', served_model: 'gpt-4o-2024-08-06', id_basis: 'response.chatcmpl' },
  ]);
});
