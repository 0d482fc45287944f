import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isRefused, type Labels, type ReadRow, type Row, UnreadableFile } from '../../../tools/replay/row.ts';
import { parseTimestamp } from '../../../tools/replay/timestamp.ts';
import { openTrace } from '../../../tools/replay/trace.ts';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'rows-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

const read = async (content: string | Uint8Array, labels: Labels = {}, name = 'My_Trace.csv') => {
  const path = join(directory, name);
  writeFileSync(path, content);
  const trace = await openTrace(path, labels);
  const rows: ReadRow[] = [];
  for await (const row of trace.rows()) rows.push(row);
  return {
    format: trace.format,
    summary: await trace.summarize(),
    calls: rows.filter((row): row is Row => !isRefused(row)),
    refused: rows.filter(isRefused),
  };
};

const HEADER = 'TIMESTAMP,ContextTokens,GeneratedTokens';
const usageOf = ({
  call,
}: {
  call: { input_tokens?: number | undefined; output_tokens?: number | undefined };
}) => [call.input_tokens, call.output_tokens];

describe('a CSV trace', () => {
  it('reads CRLF, seven decimals without a time zone, and a last line without a newline', async () => {
    const { format, calls } = await read(
      `${HEADER}\r\n2023-11-16 18:15:46.6805900,374,44\r\n2023-11-16 18:15:50.9951690,396,109`,
    );

    expect(format).toBe('csv');
    expect(calls.map(({ at }) => new Date(at).toISOString())).toEqual([
      '2023-11-16T18:15:46.680Z',
      '2023-11-16T18:15:50.995Z',
    ]);
    expect(calls.map(usageOf)).toEqual([
      [374, 44],
      [396, 109],
    ]);
  });

  it.each([
    ['any case', 'Timestamp,CONTEXTTOKENS,generatedTokens'],
    ['plain names', 'timestamp,input_tokens,output_tokens'],
    ['a byte order mark', `\uFEFF${HEADER}`],
    ['quotes', '"TIMESTAMP","ContextTokens","GeneratedTokens"'],
    ['spaces', ' TIMESTAMP , ContextTokens , GeneratedTokens '],
  ])('reads a header with %s', async (_, header) => {
    const { calls } = await read(`${header}\n2024-05-10 00:00:00.009930+00:00,2162,5\n`);

    expect(calls.map(usageOf)).toEqual([[2_162, 5]]);
  });

  it('reads columns in any order and ignores other columns', async () => {
    const { calls } = await read('output_tokens,note,timestamp,input_tokens\n5,x,2024-05-10T00:00:00Z,7\n');

    expect(calls.map(usageOf)).toEqual([[7, 5]]);
  });

  it('rejects invalid rows one by one, each with its line number', async () => {
    const { calls, refused, summary } = await read(
      [
        HEADER,
        'yesterday,1,1',
        '2023-11-16 18:15:46,1,1',
        '',
        '2023-11-16 18:15:46,-1,1',
        '2023-11-16 18:15:46,1.5,1',
        '2023-11-16 18:15:46,1',
        '2023-02-30 18:15:46,1,1',
        '"2023-11-16 18:15:46,1,1',
        '2023-11-16 18:15:46,1,99999999999999999999',
        '2023-11-16 18:15:47,"2",3',
      ].join('\n'),
    );

    expect(calls.map(({ line, number }) => [line, number])).toEqual([
      [3, 2],
      [11, 9],
    ]);
    expect(refused.map(({ line }) => line)).toEqual([2, 5, 6, 7, 8, 9, 10]);
    expect(refused[0]?.reason).toBe('the timestamp is invalid');
    expect(refused[1]?.reason).toBe('the input tokens are not a token count');
    expect(summary.rows).toBe(9);
  });

  it('reads mixed line endings', async () => {
    const { calls } = await read(`${HEADER}\r\n2023-11-16 18:15:46,1,2\n2023-11-16 18:15:47,3,4\r\n`);

    expect(calls.map(({ line }) => line)).toEqual([2, 3]);
    expect(calls.map(usageOf)).toEqual([
      [1, 2],
      [3, 4],
    ]);
  });

  it('takes provider, model, service and identity from the options, and the default service from the file name', async () => {
    const content = `${HEADER}\n2023-11-16 18:15:46,1,2\n`;

    const plain = await read(content);
    const labelled = await read(content, { provider: 'openai', model: 'gpt-5', service: 's', identity: 'i' });

    expect(plain.calls[0]?.call).toMatchObject({
      provider: 'azure',
      requested_model: 'gpt-4o',
      attributed_service: 'my-trace',
    });
    expect(plain.calls[0]?.call).not.toHaveProperty('attributed_identity');
    expect(labelled.calls[0]?.call).toMatchObject({
      provider: 'openai',
      requested_model: 'gpt-5',
      attributed_service: 's',
      attributed_identity: 'i',
    });
  });

  it.each([
    'a,b,c\n1,2,3\n',
    'TIMESTAMP,ContextTokens\n',
    '',
    '  \n\n',
    '[{"event_id":"x"}]',
    '\u0000\u0001',
  ])('throws UnreadableFile for %j', async (content) => {
    await expect(read(content)).rejects.toThrow(UnreadableFile);
  });
});

describe('parseTimestamp', () => {
  it.each([
    ['2023-11-16 18:15:46', '2023-11-16T18:15:46.000Z'],
    ['2023-11-16 18:15:46.1', '2023-11-16T18:15:46.100Z'],
    ['2023-11-16T18:15:46.9999999Z', '2023-11-16T18:15:46.999Z'],
    ['2023-11-16T18:15:46+02:00', '2023-11-16T16:15:46.000Z'],
    ['2024-02-29 00:00:00', '2024-02-29T00:00:00.000Z'],
  ])('parses %s as %s', (text, instant) => {
    expect(new Date(parseTimestamp(text) ?? Number.NaN).toISOString()).toBe(instant);
  });

  it.each(['2023-02-29 00:00:00', '2023-13-01 00:00:00', '16/11/2023 18:15', '1700158546', ''])(
    'returns undefined for %j',
    (text) => {
      expect(parseTimestamp(text)).toBeUndefined();
    },
  );

  it('reads any timestamp without a time zone as UTC', () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date('1990-01-01'), max: new Date('2100-01-01'), noInvalidDate: true }),
        (date) => {
          expect(parseTimestamp(date.toISOString().replace('T', ' ').replace('Z', '0000'))).toBe(
            date.getTime(),
          );
        },
      ),
    );
  });
});

describe('a Mooncake trace', () => {
  const row = (timestamp: number, input: number, hashes: number[]) =>
    JSON.stringify({ timestamp, input_length: input, output_length: 10, hash_ids: hashes });

  it('counts the prefix shared with an earlier row as cached input tokens', async () => {
    const { format, calls } = await read(
      [
        row(0, 1_500, [1, 2, 3]),
        row(10, 2_000, [1, 2, 4, 3]),
        row(20, 1_100, [9, 1, 2]),
        row(30, 700, [1, 2]),
        row(40, 10, []),
      ].join('\n'),
    );

    expect(format).toBe('mooncake');
    expect(calls.map(({ call }) => call.cached_input_tokens)).toEqual([0, 1_024, 0, 700, 0]);
    expect(calls.map(({ at }) => at)).toEqual([0, 10, 20, 30, 40]);
  });

  it('rejects rows that lack a number or are not JSON', async () => {
    const { calls, refused } = await read(
      `${row(0, 1, [])}\r\n{"timestamp":1,"input_length":5}\r\n{broken\r\n`,
    );

    expect(calls).toHaveLength(1);
    expect(refused.map(({ line }) => line)).toEqual([2, 3]);
  });
});

describe('a file of invocation events', () => {
  const event = {
    event_id: '6F1F8F2E-8c61-4a0e-9b43-0d7f5b1f1c11',
    ingestion_layer: 'gateway',
    ingestion_timestamp: '2026-03-01T09:30:02Z',
    occurred_at: '2026-03-01T09:30:00Z',
    provider: 'openai',
    requested_model: 'gpt-5',
  };
  const { event_id: _, ...anonymous } = event;

  it('keeps the given event ids and both timestamps', async () => {
    const { format, calls } = await read(`${JSON.stringify(event)}\n${JSON.stringify(anonymous)}`);

    expect(format).toBe('events');
    expect(calls.map(({ ownId }) => ownId)).toEqual(['6f1f8f2e-8c61-4a0e-9b43-0d7f5b1f1c11', undefined]);
    expect(calls[0]).toMatchObject({
      at: Date.parse(event.occurred_at),
      capturedAt: Date.parse(event.ingestion_timestamp),
    });
  });

  it('drops message content before it leaves the machine', async () => {
    const { calls } = await read(JSON.stringify({ ...event, messages: [{ content: 'the canary' }] }));

    expect(calls).toHaveLength(1);
    expect(JSON.stringify(calls)).not.toContain('canary');
  });

  it('names the field of a rejected row, but not its value', async () => {
    const { refused } = await read(JSON.stringify({ ...event, input_tokens: 'the canary' }));

    expect(refused[0]?.reason).toMatch(/^input_tokens /);
    expect(refused[0]?.reason).not.toContain('canary');
  });

  it('prefers the options to the row', async () => {
    const { calls } = await read(JSON.stringify(event), { model: 'gpt-4.1' });

    expect(calls[0]?.call).toMatchObject({ provider: 'openai', requested_model: 'gpt-4.1' });
    expect(calls[0]?.call).not.toHaveProperty('attributed_service');
  });
});

describe('summarize', () => {
  it('returns the content digest, the row count and the time range of unordered rows', async () => {
    const { summary } = await read(`${HEADER}\n2023-11-16 18:15:50,1,1\n2023-11-16 18:15:40,1,1\nbad,1,1\n`);

    expect(summary).toEqual({
      digest: expect.stringMatching(/^[0-9a-f]{64}$/),
      rows: 3,
      extent: { first: Date.UTC(2023, 10, 16, 18, 15, 40), last: Date.UTC(2023, 10, 16, 18, 15, 50) },
    });
  });

  it('returns a digest that depends on the content and not on the file name', async () => {
    const content = `${HEADER}\n2023-11-16 18:15:50,1,1\n`;

    const one = await read(content, {}, 'one.csv');
    const other = await read(content, {}, 'other.csv');
    const longer = await read(`${content}\n`, {}, 'one.csv');

    expect(one.summary.digest).toBe(other.summary.digest);
    expect(longer.summary.digest).not.toBe(one.summary.digest);
  });
});
