import { expect, it } from 'vitest';
import { decodeTraces } from '../../../functions/ingest/otlp/decodeExport.ts';
import { type Attributes, END, START, tracesInJson } from './messages.ts';
import { CALL, NOW } from './spanEvents.ts';

const { 'gen_ai.usage.input_tokens': _in, 'gen_ai.usage.output_tokens': _out, ...UNCOUNTED } = CALL;
const LANGCHAIN = '@arizeai/openinference-instrumentation-langchain';
const OPENAI = '@arizeai/openinference-instrumentation-openai';
const MS = 1_000_000n;

interface Reported {
  readonly scope: string;
  readonly attributes: Attributes;
  readonly service?: string;
  readonly start?: number;
  readonly end?: number;
  readonly isError?: boolean;
}

/** A span in a trace of its own, as milliseconds after the begin and before the end of the other spans. */
const decode = (reported: readonly Reported[]) => {
  const groups = reported.map(
    ({ scope, attributes, service = 'chat', start = 0, end = 0, isError = false }, index) => ({
      resource: { 'service.name': service },
      scope,
      items: [
        {
          kind: 3,
          attributes: isError ? { ...attributes, 'error.type': '400' } : attributes,
          traceId: String(index + 1).padStart(32, '0'),
          spanId: String(index + 1).padStart(16, '0'),
          start: String(BigInt(START) + BigInt(start) * MS),
          end: String(BigInt(END) - BigInt(end) * MS),
        },
      ],
    }),
  );
  return decodeTraces(Buffer.from(JSON.stringify(tracesInJson(groups))), 'application/json', NOW);
};

const COUNTED: Reported = { scope: LANGCHAIN, attributes: CALL };
const TWIN: Reported = { scope: OPENAI, attributes: UNCOUNTED, start: 10, end: 5 };

it.each([
  ['inside of', TWIN],
  ['around', { ...TWIN, start: -10, end: -5 }],
])('a call without counts %s one of another instrumentation is the same call', (_, twin) => {
  const { events, warnings } = decode([COUNTED, twin]);

  expect(events).toMatchObject([{ source_system: LANGCHAIN, input_tokens: 120 }]);
  expect(warnings).toEqual([expect.stringContaining('left out')]);
});

it.each<[string, readonly Reported[], number]>([
  ['one instrumentation', [COUNTED, { ...TWIN, scope: LANGCHAIN }], 2],
  ['two services', [COUNTED, { ...TWIN, service: 'search' }], 2],
  ['two models', [COUNTED, { ...TWIN, attributes: { ...UNCOUNTED, 'gen_ai.request.model': 'gpt-5' } }], 2],
  ['two times', [COUNTED, { ...TWIN, start: 500, end: -500 }], 2],
  ['a failed attempt', [COUNTED, { ...TWIN, isError: true }], 2],
  ['two that can be it', [COUNTED, TWIN, { ...TWIN, start: 20 }], 3],
  ['two that it can be of', [COUNTED, { ...COUNTED, scope: 'other' }, TWIN], 3],
  [
    'two responses',
    [
      { ...COUNTED, attributes: { ...CALL, 'gen_ai.response.id': 'chatcmpl-1alxrb3ze070rbvh1qnyg8p0' } },
      { ...TWIN, attributes: { ...UNCOUNTED, 'gen_ai.response.id': 'chatcmpl-2blxrb3ze070rbvh1qnyg8p0' } },
    ],
    2,
  ],
])('keeps every call of %s', (_, reported, calls) => {
  expect(decode(reported).events).toHaveLength(calls);
});

it.each<[string, readonly Reported[], number]>([
  ['one that was answered', [TWIN], 1],
  ['each of them', [TWIN, { ...TWIN, start: 20 }, COUNTED], 2],
  ['none that failed', [{ ...TWIN, isError: true }], 0],
  ['none with counts', [COUNTED], 0],
  ['none that is left out', [COUNTED, TWIN], 0],
  ['none with a cost', [{ ...TWIN, attributes: { ...UNCOUNTED, 'gen_ai.usage.cost': 0.1 } }], 0],
])(
  'of calls without counts, %s is counted and told, because it can be one call too many',
  (_, reported, calls) => {
    const { uncounted, warnings } = decode(reported);

    expect(uncounted).toBe(calls);
    expect([...warnings].some((warning) => warning.includes('one call too many'))).toBe(calls > 0);
  },
);
