import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Big, decimal, toDecimalString } from '../../functions/shared/decimal.ts';
import { waitUntilIdle } from '../../local/events/idle.ts';
import { seededDraws } from '../../tools/sample/seededRandom.ts';
import { call, listAllRecords, someEvent } from '../support/client.ts';
import { type SpawnedInstance, spawnInstance, temporaryDirectory } from '../support/instance.ts';

const KILLS = 6;
const REQUESTS = 420;
const WRITERS = 4;
const DAY_MILLISECONDS = 24 * 60 * 60 * 1_000;
const draws = seededDraws('durability');
const dataDir = temporaryDirectory();

interface Sent {
  readonly path: string;
  readonly body: unknown;
  readonly events: readonly Record<string, unknown>[];
  readonly idempotencyKey: string;
}

const whole = (below: number): number => Math.floor(draws.uniform() * below);
const identifier = (): string => {
  const hex = Array.from({ length: 32 }, () => whole(16).toString(16)).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
};

const began = Date.now();
const stamp = (): string => new Date(began - whole(60 * DAY_MILLISECONDS)).toISOString();
const drawEvent = (): Record<string, unknown> =>
  someEvent({
    event_id: identifier(),
    ingestion_timestamp: stamp(),
    input_tokens: whole(50_000),
    output_tokens: whole(5_000),
  });

/** Singles, batches, and now and then an event sent before, stamped anew and under a key of its own. */
const drawRequests = (count: number): Sent[] => {
  const requests: Sent[] = [];
  for (let index = 0; index < count; index += 1) {
    const earlier = requests[whole(requests.length)]?.events[0];
    const idempotencyKey = identifier();
    if (draws.chance(0.3)) {
      const events = Array.from({ length: 1 + whole(12) }, drawEvent);
      requests.push({ path: '/api/v1/invocations/batch', body: { events }, events, idempotencyKey });
    } else {
      const again = earlier !== undefined && draws.chance(0.15);
      const event = again ? { ...earlier, ingestion_timestamp: stamp() } : drawEvent();
      requests.push({ path: '/api/v1/invocations', body: event, events: [event], idempotencyKey });
    }
  }
  return requests;
};

/** gpt-4o: 2.5 USD for a million input tokens and 10 for a million output tokens, in units of 10⁻⁷ USD. */
const TEN_MILLIONTHS = { input: 25n, output: 100n };
const costOf = (event: Record<string, unknown>): bigint =>
  BigInt(String(event['input_tokens'])) * TEN_MILLIONTHS.input +
  BigInt(String(event['output_tokens'])) * TEN_MILLIONTHS.output;

const commandLines = (): string[] =>
  execFileSync('ps', ['-A', '-o', 'args='], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line.includes(dataDir));

const requests = drawRequests(REQUESTS);
const accepted = new Map<string, Record<string, unknown>>();
let answered = 0;
let refused: string[] = [];
let failures = 0;
let instance: SpawnedInstance;

const keys = () => {
  const [tenant] = instance.credentials.tenants;
  if (tenant === undefined) throw new Error('no demo tenant');
  return tenant.api_keys;
};

/** Sends until it is answered: a dead service and a 5xx are tried again, under the same key and with the same ids. */
const deliver = async (request: Sent): Promise<void> => {
  for (;;) {
    const { path, body, idempotencyKey } = request;
    try {
      const answer = await call(instance.baseUrl, path, { key: keys().ingest, body, idempotencyKey });
      if (answer.status < 500) {
        if (answer.status !== 202) refused = [...refused, answer.text];
        for (const event of request.events) accepted.set(String(event['event_id']), event);
        answered += 1;
        return;
      }
    } catch {
      // The process is gone, or went while it answered: whether it took the events is not known.
    }
    failures += 1;
    await sleep(50);
  }
};

const deliverAll = async (queue: Sent[]): Promise<void> => {
  const write = async (): Promise<void> => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) await deliver(next);
  };
  await Promise.all(Array.from({ length: WRITERS }, write));
};

const killRepeatedly = async (): Promise<void> => {
  for (let kill = 1; kill <= KILLS; kill += 1) {
    const share = Math.floor(REQUESTS / (KILLS + 1));
    const moment = share * kill - whole(share / 2);
    while (answered < moment) await sleep(5);
    await sleep(whole(40));
    await instance.kill();
    instance = await spawnInstance(dataDir);
  }
};

const waitUntilQueuesEmpty = async (): Promise<void> => {
  const { endpoints, outputs, ingestion_queue_url } = instance.credentials;
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  const sqs = new SQSClient({ region: 'us-east-1', credentials, endpoint: endpoints['sqs'] ?? '' });
  const queues = [outputs['QueueAccepted'] ?? '', ingestion_queue_url];
  await waitUntilIdle(sqs, queues, () => ({ busy: false, begun: 0 }));
  sqs.destroy();
};

const readTotals = async () => {
  await waitUntilQueuesEmpty();
  const records = await listAllRecords(instance.baseUrl, keys().read);
  const cost = records.reduce((sum, record) => sum.plus(decimal(String(record['cost_usd']))), Big('0'));
  const expected = [...accepted.values()].reduce((sum, event) => sum + costOf(event), 0n);
  return {
    ids: records.map((record) => String(record['event_id'])).toSorted(),
    expectedIds: [...accepted.keys()].toSorted(),
    cost: toDecimalString(cost),
    expectedCost: toDecimalString(Big(expected.toString()).div(Big('10000000'))),
  };
};

beforeAll(async () => {
  instance = await spawnInstance(dataDir);
});
afterAll(async () => {
  await instance.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

describe('an instance that dies again and again while it is written to', () => {
  it('keeps every event it accepted, once, and the exact sum of what they cost', async () => {
    await Promise.all([deliverAll([...requests]), killRepeatedly()]);

    const found = await readTotals();

    expect(refused).toEqual([]);
    expect(answered).toBe(REQUESTS);
    // Were nothing cut off by a kill, this would have shown nothing.
    expect(failures).toBeGreaterThanOrEqual(KILLS);
    expect(found.ids).toEqual(found.expectedIds);
    expect(found.cost).toBe(found.expectedCost);
  }, 240_000);
});

describe('an instance that is asked to stop', () => {
  it('ends cleanly, leaves no process behind and loses nothing', async () => {
    await deliverAll(drawRequests(40));
    const running = commandLines();

    const code = await instance.stop();
    const left = commandLines();
    instance = await spawnInstance(dataDir);
    const found = await readTotals();

    expect(running.length).toBeGreaterThanOrEqual(2);
    expect(code).toBe(0);
    expect(left).toEqual([]);
    expect(found.ids).toEqual(found.expectedIds);
    expect(found.cost).toBe(found.expectedCost);
  }, 240_000);
});
