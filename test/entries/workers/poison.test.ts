import './outage/environment.ts';
import { readFileSync } from 'node:fs';
import { DeleteItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, afterEach, expect, it, vi } from 'vitest';
import * as z from 'zod';
import { handler as sandbox } from '../../../functions/entries/workers/sandbox.worker.ts';
import { outboxKey } from '../../../functions/platform/outbox/outbox.store.ts';
import { idOf } from '../../../functions/platform/shared/ids.ts';
import { ulidOf } from '../../../functions/platform/shared/ulid.ts';
import type { Tenant } from '../../../functions/platform/tenancy/tenant.ts';
import { withLiveTraffic } from '../../../functions/tenants/sandbox/sandbox.ts';
import { DEFAULT_THRESHOLDS as thresholds } from '../../../schemas/insight/budgets.ts';
import type { QueueName } from '../../../schemas/platform/queues.ts';
import { type WorkerName, workerNames } from '../../../schemas/platform/workers.ts';
import { KEY } from '../../delivery/webhooks/deliveryFixtures.ts';
import { answered } from '../../delivery/webhooks/egressOutcomes.ts';
import { simulatedQueues } from '../../platform/queue/simulatedQueues.ts';
import { startTables } from '../../support/tables.ts';
import { startSandbox } from '../../tenants/sandbox/harness.ts';
import { SQS_URL } from './outage/constants.ts';
import { outageTenant } from './outage/outageTenant.ts';
import { startSimulatedService } from './outage/simulatedService.ts';
import { simulatedTime } from './outage/simulatedTime.ts';

const START = Date.parse('2026-05-15T12:05:00Z');
const STEP_MS = 47 * 60_000;
const CALLS = 8;
/** What no worker can read. */
const BROKEN = '{"of a later version":';
const BROKEN_ULID = ulidOf(START, new Uint8Array(10).fill(7));

const received = vi.hoisted(() => new Set<string>());
vi.mock('../../../functions/entries/stores/webhookEgress.ts', () => ({
  webhookEgress: () => ({
    post: async (_url: string, { body }: { readonly body: Uint8Array }) => {
      received.add(z.object({ id: z.string() }).parse(JSON.parse(Buffer.from(body).toString())).id);
      return answered(200);
    },
  }),
}));
vi.mock('../../../functions/platform/shared/aws/derivedKey.aws.ts', () => ({
  derivedKey: () => async () => KEY,
}));
vi.mock('node:timers/promises', () => ({
  setTimeout: async (milliseconds: number) => {
    vi.setSystemTime(Date.now() + milliseconds);
  },
}));

const lines: string[] = [];
const live = await startTables();
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  received.clear();
  lines.length = 0;
});
afterAll(() => live.stop());

interface Scene {
  readonly tenant: Tenant;
  readonly send: (queue: QueueName, body: string) => void;
}

/** Where an item of poison is seen: a dead letter of a queue, or an alarm for a stored row. */
type Seen =
  | { readonly deadLetterOf: QueueName; readonly planted?: { readonly pk: string; readonly sk: string } }
  | { readonly row: string };

/** A worker on the path of an event, which runs here with an item that it cannot read beside healthy ones. */
interface OnThePath {
  /** What a store call takes, in milliseconds: so long that runs end before their work, at another step with each value. */
  readonly slow: readonly number[];
  readonly plant: (scene: Scene) => Promise<Seen>;
}

/** A worker that a test elsewhere runs out of time and poisons. */
interface Elsewhere {
  readonly file: string;
  /** Parts of its titles. */
  readonly outOfTime: string;
  /** Absent: below. */
  readonly poison?: string;
}

const put = async (table: string, row: Record<string, string>): Promise<void> => {
  const Item = Object.fromEntries(Object.entries(row).map(([name, S]) => [name, { S }]));
  await live.client.send(new PutItemCommand({ TableName: table, Item }));
};
const message =
  (queue: QueueName) =>
  async ({ send }: Scene): Promise<Seen> => {
    send(queue, BROKEN);
    return { deadLetterOf: queue };
  };

const matrix: Readonly<Record<WorkerName, OnThePath | Elsewhere>> = {
  attribution: { slow: [0, 150], plant: message('accepted') },
  rollups: {
    slow: [0, 1_300, 2_000],
    plant: async ({ tenant: { tenant_id } }) => {
      const row = { pk: `budget#${tenant_id}`, sk: BROKEN_ULID };
      await put('budgets', { ...row, document: BROKEN });
      return { row: row.sk };
    },
  },
  publish: {
    slow: [0, 400],
    plant: async ({ tenant }) => {
      const key = outboxKey(tenant.tenant_id, idOf('evt', tenant.tag, BROKEN_ULID));
      await put('outbox', { ...key, document: BROKEN });
      return { deadLetterOf: 'events', planted: key };
    },
  },
  deliver: { slow: [0, 300], plant: message('deliveries') },
  notify: { slow: [0, 300], plant: message('notifications') },
  jobs: { slow: [0, 20_000], plant: message('jobs') },
  exportControl: {
    file: 'test/chargeback/exports/faults.test.ts',
    outOfTime: 'SMALL_STEPS',
    poison: 'which is seen, and stops no other export',
  },
  exportGather: {
    file: 'test/chargeback/exports/faults.test.ts',
    outOfTime: 'slice: 0',
    poison: 'which is seen, and stops no other export',
  },
  exportWrite: {
    file: 'test/chargeback/exports/faults.test.ts',
    outOfTime: 'SMALL_STEPS',
    poison: 'which is seen, and stops no other export',
  },
  exportDelivery: {
    file: 'test/chargeback/exports/delivery/deliver.test.ts',
    outOfTime: 'delivers all files over attempts that each have time for one',
    poison: 'delivers the exports beside one whose row cannot be read, which is logged',
  },
  billImports: {
    file: 'test/chargeback/reconciliation/sources/imports/importFaults.test.ts',
    outOfTime: 'imports each day once over many runs that end at another step each',
    poison: 'imports the sources beside one whose row cannot be read, which is logged',
  },
  sandbox: {
    file: 'test/tenants/sandbox/runSandbox.test.ts',
    outOfTime: 'finishes when each run has time for %d actions only',
  },
};

const isHere = (one: OnThePath | Elsewhere): one is OnThePath => 'plant' in one;
const here = workerNames.flatMap((name) => {
  const worker = matrix[name];
  return isHere(worker) ? worker.slow.map((slow) => [name, slow, worker] as const) : [];
});

it.each(here)(
  'the %s worker with calls of %d ms does all healthy work beside what it cannot read, which is seen',
  async (name, slow, { plant }) => {
    vi.spyOn(process.stdout, 'write').mockImplementation((line) => lines.push(String(line)) > 0);
    const time = simulatedTime(START);
    const tenant = await outageTenant(live, time);
    const queues = simulatedQueues(time.now, SQS_URL);
    const service = await startSimulatedService(live, time, queues, { [name]: slow });
    const send = (queue: QueueName, body: string): void => queues.send(queue, body);

    const seen = await plant({ tenant: tenant.tenant, send });
    for (let call = 0; call < CALLS; call += 4) {
      const indexes = [call, call + 1, call + 2, call + 3];
      send(
        'accepted',
        tenant.message(START, indexes, (index) => START - index * STEP_MS),
      );
    }
    await service.run([]);
    if ('planted' in seen && seen.planted !== undefined) {
      const { pk, sk } = seen.planted;
      // The test itself reads all events.
      await live.client.send(
        new DeleteItemCommand({ TableName: 'outbox', Key: { pk: { S: pk }, sk: { S: sk } } }),
      );
    }

    expect(await tenant.records()).toEqual(tenant.expected(CALLS));
    const { ledger, rollups } = await tenant.totals();
    expect(rollups).toEqual(ledger);
    expect(await tenant.pendingMarks()).toEqual([]);
    expect((await tenant.crossings()).sort()).toEqual(thresholds.toSorted());
    expect(received.size).toBe((await tenant.raisedVersions()) + thresholds.length);
    if ('row' in seen) {
      expect(queues.deadLetters).toEqual([]);
      const alarms = lines.filter((line) => line.includes('stored row cannot be read'));
      expect(alarms.filter((line) => line.includes(seen.row))).not.toEqual([]);
    } else {
      expect(queues.deadLetters).toHaveLength(1);
      expect(queues.deadLetters[0]).toMatch(new RegExp(`^${seen.deadLetterOf}DeadLetter `));
    }
  },
);

it.each(
  workerNames.flatMap((name) => {
    const worker = matrix[name];
    return isHere(worker) ? [] : [[name, worker] as const];
  }),
)('the %s worker is run out of time and poisoned in its own tests', (_, { file, outOfTime, poison }) => {
  const text = readFileSync(file, 'utf8');

  expect(text).toContain(outOfTime);
  if (poison !== undefined) expect(text).toContain(poison);
});

it('the sandbox worker serves the sandboxes beside those that cannot be read, which are logged', async () => {
  vi.spyOn(process.stdout, 'write').mockImplementation((line) => lines.push(String(line)) > 0);
  const { now } = simulatedTime(START);
  const queues = simulatedQueues(now, SQS_URL);
  const [unreadable, healthy] = [await startSandbox(), await startSandbox()];
  await healthy.change((state) => withLiveTraffic(state, true, now()));
  const { tenant_id: broken } = unreadable.tenant;
  await put('tenants', { pk: `sandbox#${broken}`, document: BROKEN });
  await put('tenants', {
    pk: 'tenant#not-a-tenant',
    document: '{"sandbox":true,"tenant_id":"not-a-tenant"}',
  });

  const time = new Date(now()).toISOString();
  await sandbox({ source: 'aws.events', id: time, time }, { getRemainingTimeInMillis: () => 170_000 });

  const accepted = queues.waiting('accepted').map(({ body }) => body);
  expect(accepted.length).toBeGreaterThan(0);
  expect(accepted.filter((body) => !body.includes(healthy.tenant.tenant_id))).toEqual([]);
  const failed = lines.filter((line) => line.includes('the run of a sandbox failed'));
  for (const id of [broken, 'not-a-tenant'])
    expect(failed.filter((line) => line.includes(id))).toHaveLength(1);
});
