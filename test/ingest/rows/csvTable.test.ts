import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeCallLogs } from '../../../functions/ingest/callLogs/decodeCallLogs.ts';

const NOW = Date.parse('2026-11-01T12:00:10.000Z');
const TIME = '2026-11-01T12:00:00.000Z';
const read = (...rows: readonly unknown[]) =>
  decodeCallLogs(Buffer.from(rows.map((row) => JSON.stringify(row)).join('\n')), 'application/x-ndjson', NOW);

describe('a table in CSV', () => {
  const quoted = (value: unknown): string =>
    /[",\r\n]/.test(String(value)) ? `"${String(value).replaceAll('"', '""')}"` : String(value);
  const csvOf = (rows: readonly Record<string, unknown>[], end: string): Buffer => {
    const names = Object.keys(rows[0] ?? {});
    const lines = [names, ...rows.map((row) => names.map((name) => row[name]))];
    return Buffer.from(lines.map((cells) => cells.map(quoted).join(',')).join(end));
  };
  const row = {
    request_id: '550e8400-e29b-41d4-a716-446655440000',
    created_at: TIME,
    model: 'gpt-4o',
    prompt_tokens: 1_000,
    completion_tokens: 200,
  };

  it('means the same as its rows in JSON, whatever text is in its cells', () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ app: fc.string({ unit: 'binary' }), user: fc.string() }), {
          minLength: 1,
          maxLength: 3,
        }),
        fc.constantFrom('\n', '\r\n'),
        (others, end) => {
          const rows = others.map((other, at) => ({ ...row, ...other, request_id: `request ${at}` }));
          const decoded = decodeCallLogs(csvOf(rows, end), 'text/csv', NOW);

          expect(decoded.events).toEqual(read(...rows).events);
          expect(decoded.events).toHaveLength(rows.length);
        },
      ),
      { numRuns: 30 },
    );
  });

  it('has times in UTC, and flags and costs in text', () => {
    const [event] = decodeCallLogs(
      csvOf(
        [{ ...row, created_at: '2026-11-01 12:00:00.000', byok_usage_inference: '0', cost_total: '0.0045' }],
        '\n',
      ),
      'text/csv',
      NOW,
    ).events;

    expect(event).toMatchObject({ occurred_at: TIME, estimated_cost_usd: '0.0045', cost_source: 'provider' });
  });

  it.each([';', '\t'])('can have %j between its cells', (delimiter) => {
    const table = String(csvOf([row], '\n')).replaceAll(',', delimiter);

    expect(decodeCallLogs(Buffer.from(table), 'text/csv', NOW).events).toEqual(read(row).events);
  });

  it('can have counts as spreadsheets show them', () => {
    const shown = csvOf([{ ...row, prompt_tokens: '1,234,567', completion_tokens: '1,200' }], '\n');

    expect(decodeCallLogs(shown, 'text/csv', NOW).events).toMatchObject([
      { input_tokens: 1_234_567, output_tokens: 1_200 },
    ]);
  });

  it.each([
    [';', '0,005'],
    ['\t', '0,005'],
    [',', '"0,005"'],
    [';', '1,234'],
    ['\t', '1,234'],
  ])('takes no decimal comma for one of thousands: beside %j in %s', (delimiter, cost) => {
    const table = [
      ['id', 'timestamp', 'provider', 'model', 'prompt_tokens', 'completion_tokens', 'cost_usd'],
      ['a', TIME, 'openai', 'gpt-4o', '1000', '100', cost],
    ]
      .map((cells) => cells.join(delimiter))
      .join('\n');
    const { events } = decodeCallLogs(Buffer.from(table), 'text/csv', NOW);

    expect(events).toMatchObject([{ input_tokens: 1_000, output_tokens: 100 }]);
    expect(events[0]).not.toHaveProperty('estimated_cost_usd');
  });

  it.each(['a text', 'a "text", with quotes', 'one\ntwo', '"open,quote\n1,2'])('is not %j', (text) => {
    expect(() => decodeCallLogs(Buffer.from(text), 'text/csv', NOW)).toThrow(/neither JSON/);
  });
});
