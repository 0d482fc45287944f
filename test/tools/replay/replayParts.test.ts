import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decimal } from '../../../functions/platform/shared/decimal.ts';
import { PendingRows } from '../../../tools/client/pendingRows.ts';
import { type Batch, batchesOf, scheduleAtSpeed, sendWithoutDelay } from '../../../tools/replay/batches.ts';
import { renderReport } from '../../../tools/replay/renderReport.ts';
import { CostTotal, isComplete, type ReplayReport } from '../../../tools/replay/replayReport.ts';
import { kebabCase, type ReadRow } from '../../../tools/replay/row.ts';
import { rowIds } from '../../../tools/replay/rowEvent.ts';
import { timeShiftOf } from '../../../tools/replay/timeShift.ts';

const NOW = Date.parse('2026-06-15T13:45:00Z');
const TODAY = Date.parse('2026-06-15T00:00:00Z');
const at = (text: string): number => Date.parse(text);

describe('timeShiftOf', () => {
  const old = { first: at('2023-11-16T18:00:00Z'), last: at('2023-11-16T19:00:00Z') };
  const recent = { first: at('2026-05-01T00:00:00Z'), last: at('2026-06-01T00:00:00Z') };

  it('moves the end of an old trace to the start of the current UTC day', () => {
    expect(old.last + timeShiftOf(old, 'csv', undefined, NOW)).toBe(TODAY);
  });

  it('returns 0 for recent times', () => {
    expect(timeShiftOf(recent, 'events', undefined, NOW)).toBe(0);
  });

  it('shifts times that begin too long ago or end in the future', () => {
    const long = { first: at('2025-05-15T00:00:00Z'), last: recent.last };
    const future = { first: recent.first, last: at('2026-06-15T14:45:00Z') };

    expect(long.last + timeShiftOf(long, 'events', undefined, NOW)).toBe(TODAY);
    expect(future.last + timeShiftOf(future, 'events', undefined, NOW)).toBe(TODAY);
  });

  it('shifts any trace to a given anchor', () => {
    const anchor = at('2026-03-01T00:00:00Z');

    expect(recent.last + timeShiftOf(recent, 'events', anchor, NOW)).toBe(anchor);
    expect(old.last + timeShiftOf(old, 'csv', anchor, NOW)).toBe(anchor);
  });

  it('always shifts times that are relative to the start of the trace', () => {
    expect(3_600_000 + timeShiftOf({ first: 0, last: 3_600_000 }, 'mooncake', undefined, NOW)).toBe(TODAY);
  });
});

describe('rowIds', () => {
  const digest = fc.stringMatching(/^[0-9a-f]{64}$/);
  const row = fc.integer({ min: 1, max: 2 ** 40 });

  it('returns UUIDs that encode their row number', () => {
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

  it('returns undefined for an id of other content', () => {
    const other = rowIds('b'.repeat(64)).idOf(1);

    expect(rowIds('a'.repeat(64)).rowOf(other)).toBeUndefined();
  });
});

describe('batchesOf', () => {
  const rows = async function* (...times: (number | 'bad')[]): AsyncGenerator<ReadRow> {
    for (const [index, time] of times.entries()) {
      const position = { number: index + 1, line: index + 2 };
      if (time === 'bad') yield { ...position, reason: 'bad' };
      else {
        const call = { ingestion_layer: 'replay', provider: 'azure', requested_model: 'gpt-4o' };
        yield { ...position, at: time, capturedAt: time, call };
      }
    }
  };
  const collect = async (
    source: AsyncIterable<ReadRow>,
    given: { size?: number; schedule?: (at: number) => number; stop?: AbortController },
  ) => {
    let clock = 1_000;
    const stop = given.stop ?? new AbortController();
    const out: { batch: Batch; at: number }[] = [];
    const batches = batchesOf(source, {
      size: given.size ?? 100,
      schedule: given.schedule ?? sendWithoutDelay,
      now: () => clock,
      wait: async (milliseconds) => {
        clock += milliseconds;
      },
      stop: stop.signal,
    });
    for await (const batch of batches) out.push({ batch, at: clock - 1_000 });
    return out;
  };

  it('fills every batch at full speed', async () => {
    const sizes = (await collect(rows(1, 2, 3, 4, 5), { size: 2 })).map(({ batch }) => batch.rows.length);

    expect(sizes).toEqual([2, 2, 1]);
  });

  it('returns rows when they are due at a multiple of real time', async () => {
    const sent = await collect(rows(10_000, 10_100, 12_000, 14_000), {
      schedule: scheduleAtSpeed(2, 10_000),
    });

    expect(sent.map(({ batch, at: sentAt }) => [batch.rows.length, sentAt])).toEqual([
      [1, 0],
      [1, 200],
      [1, 1_000],
      [1, 2_000],
    ]);
  });

  it('groups rows of the same 200 ms', async () => {
    const sent = await collect(rows(0, 1, 50, 199, 200, 401), { schedule: scheduleAtSpeed(1, 0) });

    expect(sent.map(({ batch, at: sentAt }) => [batch.rows.length, sentAt])).toEqual([
      [1, 0],
      [4, 200],
      [1, 600],
    ]);
  });

  it('never waits for a row that is out of order', async () => {
    const sent = await collect(rows(1_000, 5_000, 2_000), { schedule: scheduleAtSpeed(1, 1_000) });

    expect(sent.map(({ batch }) => batch.rows.length)).toEqual([1, 2]);
  });

  it('carries the count of rejected rows and the first five reasons', async () => {
    const bad = Array.from({ length: 9 }, (): 'bad' => 'bad');

    const sent = await collect(rows(...bad, 1, 'bad'), {});

    expect(sent.map(({ batch }) => [batch.rows.length, batch.refused, batch.refusals.length])).toEqual([
      [1, 10, 5],
    ]);
  });

  it('ends early when aborted', async () => {
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

describe('PendingRows', () => {
  const ids = rowIds('c'.repeat(64));

  it('finds each record once in any order, and returns gaps that cover every missing row', () => {
    const order = fc.uniqueArray(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(order, fc.integer({ min: 1, max: 20 }), fc.nat(60), (numbers, size, upTo) => {
        const pending = new PendingRows(ids.rowOf);
        const rows = Array.from({ length: 60 }, (_, index) => ({
          number: index + 1,
          eventId: ids.idOf(index + 1),
          at: index * 10,
        }));
        for (let start = 0; start < rows.length; start += size)
          pending.expect(rows.slice(start, start + size));
        const foundNumbers = numbers.slice(0, upTo);

        const first = foundNumbers.map((number) => pending.markFound(ids.idOf(number)));
        const again = foundNumbers.map((number) => pending.markFound(ids.idOf(number)));

        expect(first.every(Boolean)).toBe(true);
        expect(again.some(Boolean)).toBe(false);
        expect(pending.remaining).toBe(60 - foundNumbers.length);
        const missing = rows.filter(({ number }) => !foundNumbers.includes(number));
        const gaps = pending.gaps();
        expect(missing.every((row) => gaps.some(({ from, to }) => from <= row.at && row.at <= to))).toBe(
          true,
        );
        expect(gaps.length > 0).toBe(missing.length > 0);
      }),
    );
  });

  it('leaves found rows out of the gaps', () => {
    const pending = new PendingRows(ids.rowOf);
    for (const number of [1, 2, 3]) pending.expect([{ number, eventId: ids.idOf(number), at: number * 100 }]);

    pending.markFound(ids.idOf(2));

    expect(pending.gaps()).toEqual([
      { from: 100, to: 100 },
      { from: 300, to: 300 },
    ]);
  });

  it('recognises the event ids of the file, and counts a repeated id as one record', () => {
    const pending = new PendingRows(ids.rowOf);
    pending.expect([
      { number: 1, eventId: 'own', at: 5 },
      { number: 2, eventId: 'own', at: 6 },
    ]);

    expect(pending.repeated).toBe(1);
    expect(pending.markFound('own')).toBe(true);
    expect(pending.markFound('stranger')).toBe(false);
    expect(pending.remaining).toBe(0);
  });
});

describe('CostTotal', () => {
  it('sums decimals exactly', () => {
    const cost = new CostTotal();

    for (const text of ['0.1', '0.2', '0.000000000001']) cost.add(decimal(text));

    expect(cost.total).toBe('0.300000000001');
  });

  it('keeps unknown costs apart from zero', () => {
    const [none, free] = [new CostTotal(), new CostTotal()];

    none.add(null);
    free.add(decimal('0'));

    expect([none.total, none.unpriced]).toEqual([null, 1]);
    expect([free.total, free.unpriced]).toEqual(['0', 0]);
  });
});

const report: ReplayReport = {
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

describe('replay report', () => {
  it.each<[string, Partial<ReplayReport>, boolean]>([
    ['all rows are accepted and visible', {}, true],
    ['visibility is unknown', { visible: null, visible_note: 'the API key has no permission to read' }, true],
    ['one row is rejected', { accepted: 1_199, refused: 1, visible: 1_199 }, false],
    ['one row is not visible', { visible: 1_199 }, false],
    ['an event id is repeated', { repeated: 1, visible: 1_199 }, true],
    ['the replay was interrupted', { interrupted: true }, false],
  ])('decides whether a replay is complete when %s', (_, changes, complete) => {
    expect(isComplete({ ...report, ...changes })).toBe(complete);
  });

  it('prints every digit of the cost', () => {
    expect(renderReport(report)).toContain('USD 1.000000000001');
  });

  it('never prints an unknown value as 0', () => {
    const text = renderReport({
      ...report,
      visible: null,
      visible_note: 'the API key has no permission to read',
      cost_usd: null,
    });

    expect(text).toContain('visible   unknown (the API key has no permission to read)');
    expect(text).toContain('cost      unknown');
  });

  it('prints the first reasons and counts the others', () => {
    const text = renderReport({ ...report, refused: 7, refusals: [{ line: 3, reason: 'bad' }] });

    expect(text).toContain('line 3: bad');
    expect(text).toContain('and 6 more');
  });
});

it.each([
  ['azure_llm_conv_2023', 'azure-llm-conv-2023'],
  ['My Trace (copy)', 'my-trace-copy'],
  ['chatLogs', 'chat-logs'],
])('converts "%s" to the service name "%s"', (stem, service) => {
  expect(kebabCase(stem)).toBe(service);
});
