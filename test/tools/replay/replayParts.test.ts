import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decimal } from '../../../functions/shared/decimal.ts';
import { PendingRows } from '../../../tools/client/pendingRows.ts';
import { asFastAsAccepted, type Batch, batchesOf, paceOf } from '../../../tools/replay/batches.ts';
import { renderReport } from '../../../tools/replay/renderReport.ts';
import { CostTotal, isComplete, type ReplayReport } from '../../../tools/replay/replayReport.ts';
import { kebabCase, type ReadRow } from '../../../tools/replay/row.ts';
import { rowIds } from '../../../tools/replay/rowEvent.ts';
import { timeShiftOf } from '../../../tools/replay/timeShift.ts';

const NOW = Date.parse('2026-06-15T13:45:00Z');
const TODAY = Date.parse('2026-06-15T00:00:00Z');
const at = (text: string): number => Date.parse(text);

describe('the shift of a trace', () => {
  const old = { first: at('2023-11-16T18:00:00Z'), last: at('2023-11-16T19:00:00Z') };
  const recent = { first: at('2026-05-01T00:00:00Z'), last: at('2026-06-01T00:00:00Z') };

  it('ends an old trace at the start of the current UTC day', () => {
    expect(old.last + timeShiftOf(old, 'csv', undefined, NOW)).toBe(TODAY);
  });

  it('leaves recent times alone', () => {
    expect(timeShiftOf(recent, 'events', undefined, NOW)).toBe(0);
  });

  it('moves times that begin too long ago or end in the future', () => {
    const long = { first: at('2025-05-15T00:00:00Z'), last: recent.last };
    const future = { first: recent.first, last: at('2026-06-15T14:45:00Z') };

    expect(long.last + timeShiftOf(long, 'events', undefined, NOW)).toBe(TODAY);
    expect(future.last + timeShiftOf(future, 'events', undefined, NOW)).toBe(TODAY);
  });

  it('moves any trace to an anchor that is given', () => {
    const anchor = at('2026-03-01T00:00:00Z');

    expect(recent.last + timeShiftOf(recent, 'events', anchor, NOW)).toBe(anchor);
    expect(old.last + timeShiftOf(old, 'csv', anchor, NOW)).toBe(anchor);
  });

  it('always moves times that count from the beginning of the trace', () => {
    expect(3_600_000 + timeShiftOf({ first: 0, last: 3_600_000 }, 'mooncake', undefined, NOW)).toBe(TODAY);
  });
});

describe('event ids', () => {
  const digest = fc.stringMatching(/^[0-9a-f]{64}$/);
  const row = fc.integer({ min: 1, max: 2 ** 40 });

  it('are UUID-shaped and tell their row', () => {
    fc.assert(
      fc.property(digest, row, (content, number) => {
        const ids = rowIds(content);

        expect(ids.idOf(number)).toMatch(
          /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
        );
        expect(ids.rowOf(ids.idOf(number))).toBe(number);
      }),
    );
  });

  it('of another content are not mistaken for ours', () => {
    const other = rowIds('b'.repeat(64)).idOf(1);

    expect(rowIds('a'.repeat(64)).rowOf(other)).toBeUndefined();
  });
});

describe('batches', () => {
  const rows = async function* (...times: (number | 'bad')[]): AsyncGenerator<ReadRow> {
    for (const [index, time] of times.entries()) {
      const place = { number: index + 1, line: index + 2 };
      if (time === 'bad') yield { ...place, reason: 'bad' };
      else {
        const call = { ingestion_layer: 'replay', provider: 'azure', requested_model: 'gpt-4o' };
        yield { ...place, at: time, capturedAt: time, call };
      }
    }
  };
  const collect = async (
    source: AsyncIterable<ReadRow>,
    given: { size?: number; pace?: (at: number) => number; stop?: AbortController },
  ) => {
    let clock = 1_000;
    const stop = given.stop ?? new AbortController();
    const out: { batch: Batch; at: number }[] = [];
    const batches = batchesOf(source, {
      size: given.size ?? 100,
      pace: given.pace ?? asFastAsAccepted,
      now: () => clock,
      wait: async (milliseconds) => {
        clock += milliseconds;
      },
      stop: stop.signal,
    });
    for await (const batch of batches) out.push({ batch, at: clock - 1_000 });
    return out;
  };

  it('are as large as they may be at full speed', async () => {
    const sizes = (await collect(rows(1, 2, 3, 4, 5), { size: 2 })).map(({ batch }) => batch.rows.length);

    expect(sizes).toEqual([2, 2, 1]);
  });

  it('go out when their rows are due, many times faster than they happened', async () => {
    const sent = await collect(rows(10_000, 10_100, 12_000, 14_000), { pace: paceOf(2, 10_000) });

    expect(sent.map(({ batch, at: when }) => [batch.rows.length, when])).toEqual([
      [1, 0],
      [1, 200],
      [1, 1_000],
      [1, 2_000],
    ]);
  });

  it('gather rows of the same fifth of a second', async () => {
    const sent = await collect(rows(0, 1, 50, 199, 200, 401), { pace: paceOf(1, 0) });

    expect(sent.map(({ batch, at: when }) => [batch.rows.length, when])).toEqual([
      [1, 0],
      [4, 200],
      [1, 600],
    ]);
  });

  it('never wait for a row that comes out of order', async () => {
    const sent = await collect(rows(1_000, 5_000, 2_000), { pace: paceOf(1, 1_000) });

    expect(sent.map(({ batch }) => batch.rows.length)).toEqual([1, 2]);
  });

  it('carry the refused rows on the way, the first reasons only', async () => {
    const bad = Array.from({ length: 9 }, (): 'bad' => 'bad');

    const sent = await collect(rows(...bad, 1, 'bad'), {});

    expect(sent.map(({ batch }) => [batch.rows.length, batch.refused, batch.refusals.length])).toEqual([
      [1, 10, 5],
    ]);
  });

  it('end early when stopped', async () => {
    const stop = new AbortController();
    const source = async function* () {
      yield* rows(1, 2, 3);
      stop.abort();
      yield* rows(4, 5);
    };

    const sent = await collect(source(), { size: 2, stop });

    expect(sent.map(({ batch }) => batch.rows.length)).toEqual([2]);
  });
});

describe('the awaited records', () => {
  const ids = rowIds('c'.repeat(64));

  it('are found once each, in whatever order, and the gaps cover exactly what is missing', () => {
    const order = fc.uniqueArray(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(order, fc.integer({ min: 1, max: 20 }), fc.nat(60), (found, size, upTo) => {
        const awaiting = new PendingRows(ids.rowOf);
        const rows = Array.from({ length: 60 }, (_, index) => ({
          number: index + 1,
          eventId: ids.idOf(index + 1),
          at: index * 10,
        }));
        for (let start = 0; start < rows.length; start += size)
          awaiting.expect(rows.slice(start, start + size));
        const seen = found.slice(0, upTo);

        const first = seen.map((number) => awaiting.markFound(ids.idOf(number)));
        const again = seen.map((number) => awaiting.markFound(ids.idOf(number)));

        expect(first.every(Boolean)).toBe(true);
        expect(again.some(Boolean)).toBe(false);
        expect(awaiting.remaining).toBe(60 - seen.length);
        const missing = rows.filter(({ number }) => !seen.includes(number));
        const gaps = awaiting.gaps();
        expect(missing.every((row) => gaps.some(({ from, to }) => from <= row.at && row.at <= to))).toBe(
          true,
        );
        expect(gaps.length > 0).toBe(missing.length > 0);
      }),
    );
  });

  it('leave out what is complete', () => {
    const awaiting = new PendingRows(ids.rowOf);
    for (const number of [1, 2, 3])
      awaiting.expect([{ number, eventId: ids.idOf(number), at: number * 100 }]);

    awaiting.markFound(ids.idOf(2));

    expect(awaiting.gaps()).toEqual([
      { from: 100, to: 100 },
      { from: 300, to: 300 },
    ]);
  });

  it('know the ids a file brings itself, and a repeated one is one record', () => {
    const awaiting = new PendingRows(ids.rowOf);
    awaiting.expect([
      { number: 1, eventId: 'own', at: 5 },
      { number: 2, eventId: 'own', at: 6 },
    ]);

    expect(awaiting.repeated).toBe(1);
    expect(awaiting.markFound('own')).toBe(true);
    expect(awaiting.markFound('stranger')).toBe(false);
    expect(awaiting.remaining).toBe(0);
  });
});

describe('the cost', () => {
  it('is exact where floats are not', () => {
    const cost = new CostTotal();

    for (const text of ['0.1', '0.2', '0.000000000001']) cost.add(decimal(text));

    expect(cost.total).toBe('0.300000000001');
  });

  it('keeps unknown apart from zero', () => {
    const [none, free] = [new CostTotal(), new CostTotal()];

    none.add(null);
    free.add(decimal('0'));

    expect([none.total, none.unpriced]).toEqual([null, 1]);
    expect([free.total, free.unpriced]).toEqual(['0', 0]);
  });
});

const account: ReplayReport = {
  file: 'trace.csv',
  base_url: 'http://127.0.0.1:3000',
  format: 'csv',
  rows: 1_200,
  sent: 1_200,
  accepted: 1_200,
  refused: 0,
  refusals: [],
  repeated: 0,
  visible: 1_200,
  visible_note: null,
  cost_usd: '1.000000000001',
  unpriced: 0,
  period: { from: '2026-06-14T23:00:00.000Z', to: '2026-06-15T00:00:00.000Z' },
  seconds: 2,
  events_per_second: 600,
  interrupted: false,
  fault: null,
};

describe('the account', () => {
  it.each<[string, Partial<ReplayReport>, boolean]>([
    ['all accepted and visible', {}, true],
    [
      'visible cannot be told',
      { visible: null, visible_note: 'the API key has no permission to read' },
      true,
    ],
    ['one refused', { accepted: 1_199, refused: 1, visible: 1_199 }, false],
    ['one not visible', { visible: 1_199 }, false],
    ['a repeated id', { repeated: 1, visible: 1_199 }, true],
    ['interrupted', { interrupted: true }, false],
  ])('is judged: %s', (_, changes, complete) => {
    expect(isComplete({ ...account, ...changes })).toBe(complete);
  });

  it('shows every digit of the cost', () => {
    expect(renderReport(account)).toContain('USD 1.000000000001');
  });

  it('never shows an unknown as 0', () => {
    const text = renderReport({
      ...account,
      visible: null,
      visible_note: 'the API key has no permission to read',
      cost_usd: null,
    });

    expect(text).toContain('visible   unknown (the API key has no permission to read)');
    expect(text).toContain('cost      unknown');
  });

  it('gives the first reasons and counts the others', () => {
    const text = renderReport({ ...account, refused: 7, refusals: [{ line: 3, reason: 'bad' }] });

    expect(text).toContain('line 3: bad');
    expect(text).toContain('and 6 more');
  });
});

it.each([
  ['azure_llm_conv_2023', 'azure-llm-conv-2023'],
  ['My Trace (copy)', 'my-trace-copy'],
  ['chatLogs', 'chat-logs'],
])('the service of %s is %s', (stem, service) => {
  expect(kebabCase(stem)).toBe(service);
});
