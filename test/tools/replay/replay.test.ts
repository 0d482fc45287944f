import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { decimal, toDecimalString } from '../../../functions/platform/shared/decimal.ts';
import { createClient } from '../../../tools/client/serviceClient.ts';
import type { Progress } from '../../../tools/replay/progress.ts';
import { type ReplayOptions, replay } from '../../../tools/replay/replay.ts';
import { isComplete } from '../../../tools/replay/replayReport.ts';
import { type ContractServer, startContractServer } from './contractServer.ts';

const NOW = Date.parse('2026-06-15T13:45:00Z');
const DAY = 86_400_000;

let server: ContractServer;
let directory: string;
let stop: AbortController;

beforeEach(async () => {
  server = await startContractServer();
  directory = mkdtempSync(join(tmpdir(), 'replay-'));
  stop = new AbortController();
});
afterEach(async () => {
  await server.close();
  rmSync(directory, { recursive: true });
});

const csv = (rows: number): string => {
  const line = (index: number) =>
    `${new Date(Date.UTC(2023, 10, 16, 18, 0, index)).toISOString().replace('Z', '0000')},${index + 1},${index % 50}`;
  return `TIMESTAMP,ContextTokens,GeneratedTokens\r\n${Array.from({ length: rows }, (_, index) => line(index)).join('\r\n')}`;
};

const file = (content: string, name = 'trace.csv'): string => {
  const path = join(directory, name);
  writeFileSync(path, content);
  return path;
};

const silent: Progress = {
  note: () => undefined,
  start: () => undefined,
  update: () => undefined,
  stop: () => undefined,
};

/** Replays with a simulated clock. Each wait returns at once and calls `onWait`. */
const run = (
  content: string,
  given: Partial<ReplayOptions> & { now?: number; progress?: Progress; onWait?: () => void } = {},
) => {
  let clock = 0;
  const wait = async (milliseconds: number): Promise<void> => {
    clock += milliseconds;
    given.onWait?.();
  };
  const client = createClient({
    baseUrl: server.url,
    apiKey: 'a-key',
    transport: { wait, random: () => 0 },
  });
  return replay(
    { file: file(content), baseUrl: server.url, labels: {}, speed: 'max', ...given },
    {
      sender: client,
      reader: client,
      now: () => given.now ?? NOW,
      elapsed: () => clock,
      wait,
      progress: given.progress ?? silent,
      stop: stop.signal,
    },
  );
};

const ledgerTimes = () => [...server.ledger.values()].map(({ occurred_at }) => occurred_at).sort();
const ledgerCost = () =>
  toDecimalString(
    [...server.ledger.values()].reduce((sum, { cost_usd }) => sum.plus(cost_usd ?? '0'), decimal('0')),
  );

describe('replay', () => {
  it('reports every row of a file as accepted and visible', async () => {
    const report = await run(csv(1_234));

    expect(report).toMatchObject({
      rows: 1_234,
      sent: 1_234,
      accepted: 1_234,
      refused: 0,
      visible: 1_234,
      visible_note: null,
      unpriced: 0,
      interrupted: false,
      fault: null,
    });
    expect(report.cost_usd).toBe(ledgerCost());
    expect(isComplete(report)).toBe(true);
    expect(server.batches.toSorted()).toEqual([234, 500, 500]);
  });

  it('ends the trace at the anchor and keeps the time between rows', async () => {
    await run(csv(3));

    expect(ledgerTimes()).toEqual([
      '2026-06-14T23:59:58.000Z',
      '2026-06-14T23:59:59.000Z',
      '2026-06-15T00:00:00.000Z',
    ]);
  });

  it('adds no record on a later replay of the same file, and finds the existing records', async () => {
    const first = await run(csv(700));
    const times = ledgerTimes();

    const second = await run(csv(700), { now: NOW + 3 * DAY });

    expect(server.ledger.size).toBe(700);
    expect(ledgerTimes()).toEqual(times);
    expect(second).toMatchObject({ accepted: 700, visible: 700, cost_usd: first.cost_usd });
    expect(isComplete(second)).toBe(true);
  });

  it('adds only the missing records after a limited replay', async () => {
    await run(csv(300), { limit: 120 });
    expect(server.ledger.size).toBe(120);
    const times = ledgerTimes();

    const report = await run(csv(300));

    expect(server.ledger.size).toBe(300);
    expect(ledgerTimes().slice(0, 120)).toEqual(times);
    expect(report.visible).toBe(300);
  });

  it('loses and duplicates no event when throttled or disconnected', async () => {
    server.faults.push({ throttle: 1 }, 'dropped after', 'dropped before', 'unavailable', 'dropped after', {
      throttle: 2,
    });

    const report = await run(csv(1_600));

    expect(report).toMatchObject({ accepted: 1_600, visible: 1_600 });
    expect(server.batches.reduce((sum, size) => sum + size, 0)).toBe(1_600);
    expect(server.ledger.size).toBe(1_600);
  });

  it('sends smaller batches when the plan limits the batch size', async () => {
    server.maxBatchSize = 200;

    const report = await run(csv(900));

    expect(report.accepted).toBe(900);
    expect(Math.max(...server.batches)).toBeLessThanOrEqual(200);
  });

  it('counts unreadable and rejected rows, with their line numbers', async () => {
    const content = `${csv(3)}\r\nbad,1,1\r\n`;

    const report = await run(content, { labels: { model: 'm'.repeat(257) } });

    expect(report).toMatchObject({ rows: 4, sent: 3, accepted: 0, refused: 4, visible: 0, cost_usd: null });
    expect(report.refusals.map(({ line }) => line).toSorted()).toEqual([2, 3, 4, 5]);
    expect(isComplete(report)).toBe(false);
  });

  it('reports a file without readable rows', async () => {
    const report = await run('TIMESTAMP,ContextTokens,GeneratedTokens\nbad,1,1\n');

    expect(report).toMatchObject({ rows: 1, sent: 0, refused: 1, period: null });
  });

  it('waits until late records appear', async () => {
    server.listsUntilVisible = 3;

    const report = await run(csv(10));

    expect(report.visible).toBe(10);
  });

  it('stops waiting when no new record appears for 30 s', async () => {
    server.listsUntilVisible = Number.POSITIVE_INFINITY;

    const report = await run(csv(10));

    expect(report).toMatchObject({ accepted: 10, visible: 0, cost_usd: null });
    expect(report.visible_note).toContain('30 s');
    expect(isComplete(report)).toBe(false);
  });

  it('reports unknown visibility when the API key has no permission to read', async () => {
    server.canRead = false;

    const report = await run(csv(10));

    expect(report).toMatchObject({
      accepted: 10,
      visible: null,
      visible_note: 'the API key has no permission to read',
    });
    expect(isComplete(report)).toBe(true);
  });

  it('counts records without a price separately', async () => {
    const report = await run(csv(4), { labels: { model: 'unpriced' } });

    expect(report).toMatchObject({ visible: 4, unpriced: 4, cost_usd: null });
  });

  it('keeps the event ids of the file', async () => {
    const event = (event_id?: string) =>
      JSON.stringify({
        ...(event_id !== undefined && { event_id }),
        ingestion_layer: 'gateway',
        ingestion_timestamp: '2026-06-01T00:00:00Z',
        provider: 'openai',
        requested_model: 'gpt-5',
        input_tokens: 5,
      });
    const ownId = '6f1f8f2e-8c61-4a0e-9b43-0d7f5b1f1c11';

    const report = await run([event(ownId), event(), event(ownId)].join('\n'));

    expect(report).toMatchObject({ accepted: 3, repeated: 1, visible: 2, format: 'events' });
    expect(server.ledger.has(ownId)).toBe(true);
    expect(ledgerTimes()).toEqual(['2026-06-01T00:00:00.000Z', '2026-06-01T00:00:00.000Z']);
    expect(isComplete(report)).toBe(true);
  });

  it('replays at the given multiple of real time', async () => {
    const report = await run(csv(61), { speed: 30 });

    expect(report.seconds).toBe(2);
    expect(report.visible).toBe(61);
  });

  it('returns a partial report when interrupted', async () => {
    const report = await run(csv(1_000), {
      speed: 100,
      onWait: () => server.ledger.size > 0 && stop.abort(),
    });

    expect(report.interrupted).toBe(true);
    expect(report.sent).toBeGreaterThan(0);
    expect(report.sent).toBeLessThan(1_000);
    expect(report.accepted).toBe(server.ledger.size);
    expect(report.visible).toBe(report.accepted);
  });

  it('reports the error code when the service rejects the key', async () => {
    const client = createClient({ baseUrl: server.url, apiKey: 'revoked' });

    const report = await replay(
      { file: file(csv(5_000)), baseUrl: server.url, labels: {}, speed: 'max' },
      {
        sender: client,
        reader: client,
        now: () => NOW,
        elapsed: () => 0,
        wait: async () => undefined,
        progress: silent,
        stop: stop.signal,
      },
    );

    expect(report.accepted).toBe(0);
    expect(report.sent).toBeLessThan(5_000);
    expect(report.fault).toContain('INVALID_CREDENTIALS');
    expect(isComplete(report)).toBe(false);
  });

  it('reports progress up to the last row', async () => {
    const updates: number[] = [];

    await run(csv(1_200), { progress: { ...silent, update: ({ done }) => void updates.push(done) } });

    expect(updates).toEqual([500, 1_000, 1_200]);
  });
});
