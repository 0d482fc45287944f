import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeLogs, decodeTraces } from '../../../functions/ingest/otlp/decodeExport.ts';
import { ProblemError } from '../../../functions/platform/shared/problem.ts';
import { logsInJson, logsInProtobuf, tracesInJson, tracesInProtobuf } from './messages.ts';

const PROMPT = 'launch codes of the prompt';
const span = {
  attributes: {
    'gen_ai.operation.name': 'chat',
    'gen_ai.request.model': 'gpt-4o',
    'gen_ai.usage.input_tokens': 120,
    'gen_ai.usage.cost': 0.25,
    'tag.tags': ['a', 'b'],
    'gen_ai.input.messages': PROMPT,
  },
};
const record = {
  eventName: 'codex.sse_event',
  body: PROMPT,
  attributes: { ...span.attributes, model: 'gpt-5' },
};
const traces = [{ resource: { 'service.name': 'checkout' }, items: [span, { ...span, error: true }] }];
const logs = [{ resource: { 'service.name': 'codex' }, items: [record] }];

const bodies = [
  {
    name: 'spans in protobuf',
    type: 'application/x-protobuf',
    decode: decodeTraces,
    body: tracesInProtobuf(traces),
  },
  {
    name: 'logs in protobuf',
    type: 'application/x-protobuf',
    decode: decodeLogs,
    body: logsInProtobuf(logs),
  },
  {
    name: 'spans in JSON',
    type: 'application/json',
    decode: decodeTraces,
    body: Buffer.from(JSON.stringify(tracesInJson(traces))),
  },
  {
    name: 'logs in JSON',
    type: 'application/json',
    decode: decodeLogs,
    body: Buffer.from(JSON.stringify(logsInJson(logs))),
  },
] as const;

/** A body with some bytes changed, and cut off. */
const corrupted = (body: Buffer) =>
  fc
    .record({
      changes: fc.array(fc.tuple(fc.nat(body.length - 1), fc.nat(255)), { maxLength: 4 }),
      length: fc.oneof(fc.constant(body.length), fc.nat(body.length)),
    })
    .map(({ changes, length }) => {
      const copy = Buffer.from(body);
      for (const [at, byte] of changes) copy[at] = byte;
      return copy.subarray(0, length);
    });

describe.each(bodies)('5,000 corrupted bodies of $name', ({ type, decode, body }) => {
  it('give events or a clear problem', () => {
    fc.assert(
      fc.property(corrupted(body), (bytes) => {
        try {
          const { events } = decode(bytes, type, 0);
          expect(Array.isArray(events)).toBe(true);
        } catch (error) {
          expect(error).toBeInstanceOf(ProblemError);
          expect(error).toMatchObject({ code: 'INVALID_REQUEST' });
        }
      }),
      { numRuns: 5_000 },
    );
  });
});

describe('hostile protobuf', () => {
  it.each([
    ['an endless varint', 'ffffffffffffffffffff01'],
    ['a length beyond the body', '0aff01'],
    ['a length of 2^35', '0affffffffff7f'],
    ['a group', '0b0c'],
    ['field number 0', '0201'],
    ['a number where a message belongs', '0a0412021001'],
  ])('with %s is refused', (_, hex) => {
    expect(() => decodeTraces(Buffer.from(hex, 'hex'), 'application/x-protobuf', 0)).toThrow(ProblemError);
  });

  it('nested deeply costs nothing, because unknown fields are skipped as bytes', () => {
    let message = Buffer.from([0x0a, 0x00]);
    for (let depth = 0; depth < 60; depth += 1) message = Buffer.from([0x0a, message.length, ...message]);

    expect(decodeTraces(message, 'application/x-protobuf', 0).events).toEqual([]);
  });

  it.each([
    ['one below the other', (index: number) => index + 1],
    ['in a cycle', (index: number) => (index === 0 ? 20_001 : index + 1)],
  ])('with 20,000 calls %s gives one event in bounded time', (_, parentOf) => {
    const idOf = (number: number) => number.toString(16).padStart(16, '0');
    const items = Array.from({ length: 20_000 }, (_item, index) => ({
      ...span,
      spanId: idOf(index + 2),
      parentSpanId: idOf(parentOf(index)),
    }));
    const body = tracesInProtobuf([{ items }]);
    const startedAt = performance.now();

    expect(decodeTraces(body, 'application/x-protobuf', 0).events).toHaveLength(1);
    // About 0.2 s. One pass for each call takes a minute.
    expect(performance.now() - startedAt).toBeLessThan(5_000);
  });
});
