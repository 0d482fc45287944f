import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Big, decimal, toDecimalString } from '../../functions/platform/shared/decimal.ts';
import { seededDraws } from '../../functions/tenants/sandbox/sample/seededRandom.ts';
import { waitUntilIdle } from '../../local/events/idle.ts';
import { call, listAllRecords, someEvent } from '../support/client.ts';
import { type SpawnedInstance, spawnInstance } from '../support/instance.ts';
import { localClient } from '../support/localAws.ts';
import { demoTenants } from '../support/localService.ts';
import { runs } from '../support/properties.ts';
import { temporaryDirectory } from '../support/temporaryDirectory.ts';

const KILLS = runs(2);
const REQUESTS = runs(60);
const TIMEOUT_MS = runs(240_000);
const WRITERS = 4;
const HOUR_MS = 60 * 60 * 1_000;
/** Hours with calls, over 60 days. Each one has several calls, because every hour of a day costs several totals. */
const HOURS = 20;
const HOUR_DISTANCE_MS = 72 * HOUR_MS;
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

const startedAt = Date.now();
const randomTimestamp = (): string =>
  new Date(startedAt - whole(HOURS) * HOUR_DISTANCE_MS - whole(HOUR_MS)).toISOString();
const drawEvent = (): Record<string, unknown> =>
  someEvent({
    event_id: identifier(),
    ingestion_timestamp: randomTimestamp(),
    input_tokens: whole(50_000),
    output_tokens: whole(5_000),
  });

/** Single events, batches, and some repeated events with a new timestamp and idempotency key. */
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
      const event = again ? { ...earlier, ingestion_timestamp: randomTimestamp() } : drawEvent();
      requests.push({ path: '/api/v1/invocations', body: event, events: [event], idempotencyKey });
    }
  }
  return requests;
};

/** Price of gpt-4o: USD 2.5 per million input tokens and USD 10 per million output tokens, in units of 10⁻⁷ USD. */
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
let rejections: string[] = [];
let failures = 0;
let instance: SpawnedInstance;

const keys = () => {
  const { acme: tenant } = demoTenants(instance.credentials);
  return tenant.api_keys;
};

/** Sends until it gets a response. Retries connection errors and 5xx with the same key and event ids. */
const deliver = async (request: Sent): Promise<void> => {
  for (;;) {
    const { path, body, idempotencyKey } = request;
    try {
      const answer = await call(instance.baseUrl, path, { key: keys().ingest, body, idempotencyKey });
      if (answer.status < 500) {
        if (answer.status !== 202) rejections = [...rejections, answer.text];
        for (const event of request.events) accepted.set(String(event['event_id']), event);
        answered += 1;
        return;
      }
    } catch {
      // The process was killed before or during the response. Whether it accepted the events is unknown.
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
  const { endpoints, aws_credentials, outputs, ingestion_queue_url } = instance.credentials;
  const sqs = new SQSClient(localClient(endpoints['sqs'], aws_credentials));
  const queues = [outputs['QueueAccepted'] ?? '', ingestion_queue_url];
  await waitUntilIdle(sqs, queues, () => ({ running: [], begun: 0 }));
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

describe('repeatedly killed instance', () => {
  it(
    'keeps every accepted event exactly once, and their exact total cost',
    async () => {
      await Promise.all([deliverAll([...requests]), killRepeatedly()]);

      const totals = await readTotals();

      expect(rejections).toEqual([]);
      expect(answered).toBe(REQUESTS);
      // Guards the test: kills must interrupt requests, otherwise it checks nothing.
      expect(failures).toBeGreaterThanOrEqual(KILLS);
      expect(totals.ids).toEqual(totals.expectedIds);
      expect(totals.cost).toBe(totals.expectedCost);
    },
    TIMEOUT_MS,
  );
});

describe('instance stopped by a signal', () => {
  it(
    'exits with code 0, leaves no process behind and loses no event',
    async () => {
      await deliverAll(drawRequests(20));
      const running = commandLines();

      const code = await instance.stop();
      const remaining = commandLines();
      instance = await spawnInstance(dataDir);
      const totals = await readTotals();

      expect(running.length).toBeGreaterThanOrEqual(2);
      expect(code).toBe(0);
      expect(remaining).toEqual([]);
      expect(totals.ids).toEqual(totals.expectedIds);
      expect(totals.cost).toBe(totals.expectedCost);
    },
    TIMEOUT_MS,
  );
});
