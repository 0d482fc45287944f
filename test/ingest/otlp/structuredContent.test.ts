import { describe, expect, it } from 'vitest';
import { decodeLogs, decodeTraces } from '../../../functions/ingest/otlp/decodeExport.ts';
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
