import { expect, it } from 'vitest';
import { decodeCallLogs } from '../../functions/ingest/callLogs/decodeCallLogs.ts';
import { checkEvent } from '../../functions/ingest/events/checkEvent.ts';
import { decodeLogs, decodeTraces } from '../../functions/ingest/otlp/decodeExport.ts';
import { expectNoFaults } from '../support/faults.ts';
import {
  apiManagementRow,
  bedrockRecord,
  inferenceCloudEvent,
  litellmPayload,
  vertexRow,
} from './formats/logs.ts';
import { logsInJson, tracesInJson } from './otlp/messages.ts';

const NOW = Date.parse('2026-11-01T12:00:10.000Z');
const bytes = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));

const ODD: readonly unknown[] = [
  ...[null, '', 'a'.repeat(10_000), 'a\nb', 'a\u0000b', '\ud83d'],
  ...[-5, '12', 1.5, 1e300, '9223372036854775807', true],
  ...[[], [1, 'x', null], { a: 1 }, '2031-01-01T00:00:00Z'],
];

type Path = readonly string[];
const pathsIn = (value: unknown, path: Path = []): Path[] =>
  typeof value !== 'object' || value === null || Array.isArray(value)
    ? []
    : Object.entries(value).flatMap(([name, member]) => [
        [...path, name],
        ...pathsIn(member, [...path, name]),
      ]);
const withValue = (value: object, [name = '', ...rest]: Path, odd: unknown): object => {
  const member: unknown = Reflect.get(value, name);
  return {
    ...value,
    [name]: rest.length === 0 ? odd : withValue(Object(member), rest, odd),
  };
};

const isKept = (events: readonly object[]): boolean =>
  events.length === 1 && checkEvent(events[0], NOW).errors === null;

/** By them, a sample says what it is. An event of our own format must have a provider and a model. */
const MARKS: Readonly<Record<string, readonly string[]>> = {
  litellm: ['call_type'],
  bedrock: ['schemaType'],
  vertex: [],
  azure: ['Type'],
  cloudEvent: ['specversion', 'type', 'data', 'data.provider', 'data.requested_model'],
};

// About 1 s.
it.each([
  ['litellm', litellmPayload()],
  ['bedrock', bedrockRecord()],
  ['vertex', vertexRow()],
  ['azure', apiManagementRow()],
  ['cloudEvent', inferenceCloudEvent()],
])('a call in the log of %s is kept whatever one other member holds', async (name, sample) => {
  const optional = pathsIn(sample).filter((path) => !MARKS[name]?.includes(path.join('.')));
  await expectNoFaults(
    optional.flatMap((path) => ODD.map((odd) => ({ path, odd }))),
    ({ path, odd }) => `${path.join('.')} = ${JSON.stringify(odd)?.slice(0, 40)}`,
    ({ path, odd }) =>
      isKept(decodeCallLogs(bytes(withValue(sample, path, odd)), '', NOW).events) ? [] : ['loses its call'],
  );
});

const CODEX = {
  'event.name': 'codex.sse_event',
  'event.kind': 'response.completed',
  model: 'gpt-5.2',
  input_token_count: 1_000,
  output_token_count: 200,
  tool_token_count: 1_200,
};
const CALL = {
  'gen_ai.operation.name': 'chat',
  'gen_ai.request.model': 'gpt-4o',
  'gen_ai.response.id': 'chatcmpl-CNq8YkF2b3X7pLw0',
  'gen_ai.usage.input_tokens': 1_000,
  'gen_ai.usage.output_tokens': 200,
};
const traces = tracesInJson([{ scope: 'gen_ai', items: [{ kind: 3, attributes: CALL }] }]);
const logs = logsInJson([{ scope: 'codex_otel', items: [{ attributes: CODEX }] }]);

it('the calls of an export are kept whatever its resource, its scope or another member holds', async () => {
  const [{ scopeSpans: [spanGroup] = [] } = {}] = traces.resourceSpans;
  const [{ scopeLogs: [logGroup] = [] } = {}] = logs.resourceLogs;
  const [span = {}, record = {}] = [spanGroup?.spans[0], logGroup?.logRecords[0]];
  const spansOf = (member: object, group: object = {}, resource: object = {}) =>
    decodeTraces(
      bytes({
        resourceSpans: [
          {
            ...resource,
            scopeSpans: [{ scope: { name: 'gen_ai' }, ...group, spans: [{ ...span, ...member }] }],
          },
        ],
      }),
      'application/json',
      NOW,
    ).events;
  const recordsOf = (member: object) =>
    decodeLogs(
      bytes({
        resourceLogs: [
          { scopeLogs: [{ scope: { name: 'codex_otel' }, logRecords: [{ ...record, ...member }] }] },
        ],
      }),
      'application/json',
      NOW,
    ).events;
  const others = (value: object): string[] => Object.keys(value).filter((name) => name !== 'attributes');
  await expectNoFaults(
    ODD.flatMap((odd) => [
      { name: 'resource', odd, events: () => spansOf({}, {}, { resource: odd }) },
      { name: 'scope', odd, events: () => spansOf({}, { scope: odd }) },
      // The root of an agent of this scope is an internal span, which is 1.
      ...others(span).map((name) => ({ name: `span ${name}`, odd, events: () => spansOf({ [name]: odd }) })),
      ...others(record).map((name) => ({
        name: `log ${name}`,
        odd,
        events: () => recordsOf({ [name]: odd }),
      })),
      ...['input_token_count', 'output_token_count', 'model', 'tool_token_count'].map((name) => ({
        name,
        odd,
        events: () =>
          decodeLogs(
            bytes(logsInJson([{ items: [{ attributes: { ...CODEX, [name]: String(odd) } }] }])),
            'application/json',
            NOW,
          ).events,
      })),
    ]),
    ({ name, odd }) => `${name} = ${JSON.stringify(odd)?.slice(0, 40)}`,
    ({ events }) => (isKept(events()) ? [] : ['loses its call']),
  );
});

it('an attribute that is sent twice keeps what it said', () => {
  const twice = structuredClone(traces);
  const attributes: { key: string; value: object }[] | undefined =
    twice.resourceSpans[0]?.scopeSpans[0]?.spans[0]?.attributes;
  for (const key of Object.keys(CALL)) attributes?.push({ key, value: { stringValue: '' } });

  expect(decodeTraces(bytes(twice), 'application/json', NOW).events).toMatchObject([
    { requested_model: 'gpt-4o', input_tokens: 1_000, output_tokens: 200 },
  ]);
});
