import { describe, expect, it } from 'vitest';
import { decodeLogs, decodeTraces } from '../../../functions/ingest/otlp/decodeExport.ts';
import { encodeBytes, encodeText, encodeVarint } from '../../../functions/platform/http/protobufFields.ts';
import { ProblemError } from '../../../functions/platform/shared/problem.ts';

const NOW = Date.parse('2026-11-01T12:00:10.000Z');
const SECRET = 'the launch codes';

/** An `AnyValue` of maps in maps, as exporters encode structured attributes in JSON. */
const nestedMaps = (levels: number): object =>
  levels === 0
    ? { stringValue: SECRET }
    : { kvlistValue: { values: [{ key: 'properties', value: nestedMaps(levels - 1) }] } };

const attributesOf = (content: object) => [
  { key: 'gen_ai.operation.name', value: { stringValue: 'chat' } },
  { key: 'gen_ai.request.model', value: { stringValue: 'gpt-4o' } },
  { key: 'gen_ai.tool.definitions', value: content },
];
const encode = (value: object) => Buffer.from(JSON.stringify(value));
const tracesWith = (content: object) =>
  encode({
    resourceSpans: [
      { scopeSpans: [{ spans: [{ traceId: 'aa', spanId: 'bb', attributes: attributesOf(content) }] }] },
    ],
  });

describe('structured content in JSON', () => {
  it('with the schema of a tool, nested 20 levels, does not refuse the export', () => {
    const { events, content } = decodeTraces(tracesWith(nestedMaps(20)), 'application/json', NOW);

    expect(events).toHaveLength(1);
    expect(content).toEqual(['gen_ai.tool.definitions']);
    expect(JSON.stringify(events)).not.toContain(SECRET);
  });

  it('in the body of a log record does not refuse the export', () => {
    const body = encode({
      resourceLogs: [
        {
          scopeLogs: [
            {
              logRecords: [
                { eventName: 'gen_ai.choice', body: nestedMaps(20) },
                {
                  eventName: 'claude_code.api_request',
                  timeUnixNano: '1793534402000000000',
                  attributes: [{ key: 'model', value: { stringValue: 'claude-sonnet-4-5' } }],
                },
              ],
            },
          ],
        },
      ],
    });

    expect(decodeLogs(body, 'application/json', NOW).events).toHaveLength(1);
  });

  it('nested without a reasonable limit is refused', () => {
    expect(() => decodeTraces(tracesWith(nestedMaps(1_000)), 'application/json', NOW)).toThrow(ProblemError);
  });
});

describe('counts in a map', () => {
  const COUNTS = { input_tokens: 1_000, output_tokens: 200, details: { cache_read: 400 } };
  type Map = { readonly [name: string]: number | Map };
  const inJson = (map: Map): object => ({
    kvlistValue: {
      values: Object.entries(map).map(([key, value]) => ({
        key,
        value: typeof value === 'number' ? { intValue: String(value) } : inJson(value),
      })),
    },
  });
  const inProtobuf = (map: Map): Buffer =>
    encodeBytes(
      6,
      Buffer.concat(
        Object.entries(map).map(([key, value]) =>
          encodeBytes(
            1,
            Buffer.concat([
              encodeText(1, key),
              encodeBytes(2, typeof value === 'number' ? encodeVarint(3, value) : inProtobuf(value)),
            ]),
          ),
        ),
      ),
    );
  const text = (value: string) => encodeText(1, value);
  const attribute = (name: string, value: Buffer) =>
    encodeBytes(9, Buffer.concat([encodeText(1, name), encodeBytes(2, value)]));
  const expected = {
    requested_model: 'gpt-4o',
    input_tokens: 1_000,
    cached_input_tokens: 400,
    output_tokens: 200,
  };

  it.each(['mlflow.chat.tokenUsage', 'gen_ai.usage', 'langfuse.observation.usage_details'])(
    'under %s are those of the call, in JSON and in protobuf',
    (name) => {
      const attributes = [
        { key: 'gen_ai.request.model', value: { stringValue: 'gpt-4o' } },
        { key: name, value: inJson(COUNTS) },
      ];
      const json = encode({
        resourceSpans: [{ scopeSpans: [{ spans: [{ traceId: 'aa', spanId: 'bb', attributes }] }] }],
      });
      const span = Buffer.concat([
        encodeBytes(1, Buffer.from('aa', 'hex')),
        encodeBytes(2, Buffer.from('bb', 'hex')),
        attribute('gen_ai.request.model', text('gpt-4o')),
        attribute(name, inProtobuf(COUNTS)),
      ]);
      const protobuf = encodeBytes(1, encodeBytes(2, encodeBytes(2, span)));

      expect(decodeTraces(json, 'application/json', NOW).events).toMatchObject([expected]);
      expect(decodeTraces(protobuf, 'application/x-protobuf', NOW).events).toMatchObject([expected]);
    },
  );
});
