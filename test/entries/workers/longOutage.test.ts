import './outage/environment.ts';
import { afterAll, afterEach, expect, it, vi } from 'vitest';
import * as z from 'zod';
import { QUARTER_MS } from '../../../functions/ledger/rollups/grain.ts';
import { outbox } from '../../../functions/platform/outbox/outbox.store.ts';
import { RECEIVES_MAXIMUM } from '../../../functions/platform/queue/failure.ts';
import { commit } from '../../../functions/platform/shared/aws/document.store.ts';
import type { Access } from '../../../local/limits/limitState.ts';
import { DEFAULT_THRESHOLDS as thresholds } from '../../../schemas/insight/budgets.ts';
import type { QueueName } from '../../../schemas/platform/queues.ts';
import type { TableName } from '../../../schemas/platform/tables.ts';
import { deliveryFixtures, KEY } from '../../delivery/webhooks/deliveryFixtures.ts';
import { answered } from '../../delivery/webhooks/egressOutcomes.ts';
import { simulatedQueues } from '../../platform/queue/simulatedQueues.ts';
import { isSoak } from '../../support/properties.ts';
import { startTables } from '../../support/tables.ts';
import { ROLLUPS_DELAY_SECONDS, SQS_URL } from './outage/constants.ts';
import { outageTenant } from './outage/outageTenant.ts';
import { failTable, refuseTable } from './outage/refusedTable.ts';
import { startSimulatedService } from './outage/simulatedService.ts';
import { simulatedTime } from './outage/simulatedTime.ts';

const START = Date.parse('2026-05-15T12:05:00Z');
const MINUTE = 60_000;
const OUTAGE_MS = 15 * MINUTE;
/** The longest delay of a message that returns, an invocation, and the delays of totals and of a stream. */
const DRAINED_WITHIN_MS = 15 * MINUTE + MINUTE + 2 * ROLLUPS_DELAY_SECONDS * 1_000;
/** Requests before, in and after the outage, with two calls each. */
const REQUEST_TIMES = [0, 2, 8, 16].map((minutes) => START + minutes * MINUTE);
const CALLS = 2 * REQUEST_TIMES.length;
/** Eight tenants are published at a time, and each takes a quarter of a minute while the table refuses. */
const TENANTS = 40;

const posted = vi.hoisted((): Uint8Array[] => []);
vi.mock('../../../functions/entries/stores/webhookEgress.ts', () => ({
  webhookEgress: () => ({
    post: async (_url: string, { body }: { readonly body: Uint8Array }) => {
      posted.push(body);
      return answered(200);
    },
  }),
}));
vi.mock('../../../functions/platform/shared/aws/derivedKey.aws.ts', () => ({
  derivedKey: () => async () => KEY,
}));
// A pause of a function takes time only on the clock of the test.
vi.mock('node:timers/promises', () => ({
  setTimeout: async (milliseconds: number) => {
    vi.setSystemTime(Date.now() + milliseconds);
  },
}));

const Posted = z.object({ id: z.string(), tenant_id: z.string(), sequence: z.int() });
const eventOf = (body: Uint8Array) => Posted.parse(JSON.parse(Buffer.from(body).toString()));

const live = await startTables();
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  posted.length = 0;
});
afterAll(() => live.stop());

/** Every table that workers write or read on the way of an event to its total and to its receivers. */
const ACCESSES: readonly (readonly [TableName, Access])[] = [
  ['ledger', 'write'],
  ['ledger', 'read'],
  ['claims', 'write'],
  ['traces', 'write'],
  ['traces', 'read'],
  ['counters', 'write'],
  ['counters', 'read'],
  ['coverage', 'write'],
  ['rollups', 'write'],
  ['rollups', 'read'],
  ['budgets', 'write'],
  ['budgets', 'read'],
  ['outbox', 'write'],
  ['outbox', 'read'],
  ['deliveries', 'write'],
  ['deliveries', 'read'],
  ['notifications', 'write'],
  ['notifications', 'read'],
  ['tenants', 'read'],
  ['identity', 'read'],
  ['models', 'read'],
  ['webhooks', 'read'],
  ['access', 'read'],
];
/** Ten attempts take 80 minutes. The schedule goes on meanwhile. */
const FAILED_WITHIN_MS = 100 * MINUTE;
/** Ten for each of a handful of messages. A message that is sent again for ever makes hundreds. */
const MESSAGES_MAXIMUM = 150;
/** A message is sent by each round over tenants in this time, and again at most each time that it is received. */
const SENDS_MAXIMUM = FAILED_WITHIN_MS / QUARTER_MS + RECEIVES_MAXIMUM;

/** One of each worker. The usual suite has no time for all. */
const USUAL = ['ledger write', 'rollups write', 'budgets write', 'deliveries write', 'notifications write'];

const cases = ACCESSES.filter(([table, access]) => isSoak || USUAL.includes(`${table} ${access}`));

// A second or two each.
it.each(cases)(
  'a quarter of an hour without capacity of %s to %s loses and repeats nothing',
  async (table, access) => {
    vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    const time = simulatedTime(START);
    const tenant = await outageTenant(live, time);
    const queues = simulatedQueues(time.now, SQS_URL);
    const service = await startSimulatedService(live, time, queues);
    const outage = refuseTable(time, () => time.now() < START + OUTAGE_MS, { table, access });

    const requests = REQUEST_TIMES.map((at, index) => ({
      at,
      // The producer repeats a call of the request before.
      send: () =>
        queues.send('accepted', tenant.message(at, [2 * index, 2 * index + 1, Math.max(0, 2 * index - 2)])),
    }));
    const drainedAt = await service.run(requests);

    expect(outage.refusals()).toBeGreaterThan(0);
    expect(queues.deadLetters).toEqual([]);
    expect(service.lateInvocations).toEqual([]);
    // Even a failure of another kind would not set a message aside now.
    expect(queues.receivesMaximum()).toBeLessThan(RECEIVES_MAXIMUM);
    expect(drainedAt).toBeLessThanOrEqual(START + OUTAGE_MS + DRAINED_WITHIN_MS);

    const records = await tenant.records();
    expect(records).toEqual(tenant.expected(CALLS));
    expect(await tenant.sortedEvents()).toEqual(records.map(({ event }) => event));
    const { ledger, rollups } = await tenant.totals();
    expect(rollups).toEqual(ledger);
    expect(await tenant.pendingMarks()).toEqual([]);
    expect((await tenant.crossings()).sort()).toEqual(thresholds.toSorted());
    expect(await tenant.notifications()).toHaveLength(thresholds.length);

    const events = posted.map(eventOf);
    const bySequence = new Map(events.map(({ sequence, id }) => [sequence, id]));
    const raised = (await tenant.raisedVersions()) + thresholds.length;
    expect([...bySequence.keys()].sort((one, other) => one - other)).toEqual(
      Array.from({ length: raised }, (_, index) => index + 1),
    );
    expect(new Set(events.map(({ id }) => id)).size).toBe(raised);
  },
);

/** A table without which a worker fails, and the source of the worker. */
const FAILING: readonly (readonly [TableName, QueueName])[] = [
  ['ledger', 'accepted'],
  ['rollups', 'rollups'],
  ['jobs', 'jobs'],
  ['deliveries', 'events'],
  ['access', 'deliveries'],
  ['notifications', 'notifications'],
];

// A second each.
it.each(FAILING)(
  'work that fails each time for want of %s is dead-lettered from %s after its last attempt, and no message of it is left',
  async (table, queue) => {
    vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    const time = simulatedTime(START);
    const tenant = await outageTenant(live, time);
    const queues = simulatedQueues(time.now, SQS_URL);
    const service = await startSimulatedService(live, time, queues);
    const tick = { source: 'aws.events', id: 'tick', time: new Date(START).toISOString() };
    const send = () => {
      queues.send('accepted', tenant.message(START, [0, 1, 2, 3]));
      queues.send('jobs', JSON.stringify(tick));
    };
    failTable(table);

    await service.run([{ at: START, send }], START + FAILED_WITHIN_MS);

    expect(queues.deadLetters.filter((line) => line.startsWith(`${queue}DeadLetter `))).not.toEqual([]);
    expect(queues.receivesMaximum()).toBeLessThanOrEqual(RECEIVES_MAXIMUM);
    // The rounds also send messages about the tenants of the cases before.
    const sent = queues.sentAbout(tenant.tenant.tenant_id);
    expect(sent.messages).toBeLessThan(MESSAGES_MAXIMUM);
    expect(sent.mostOften).toBeLessThanOrEqual(SENDS_MAXIMUM);
    expect(queues.waiting(queue).filter(({ sentAt }) => sentAt < START + MINUTE)).toEqual([]);
  },
);

// Two seconds.
it('queues the events of many tenants within the time of the publisher while their streams have no capacity', async () => {
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  const time = simulatedTime(START);
  const queues = simulatedQueues(time.now, SQS_URL);
  const fixtures = deliveryFixtures({ now: START });
  const tenants = await Promise.all(Array.from({ length: TENANTS }, () => fixtures.someone()));
  const service = await startSimulatedService(live, time, queues);
  refuseTable(time, () => time.now() < START + MINUTE, { table: 'deliveries', access: 'write' });

  for (const { tenant } of tenants) await commit([outbox('outbox').raise(fixtures.event(tenant))]);
  await service.run([]);

  expect(service.lateInvocations).toEqual([]);
  expect(new Set(posted.map(eventOf).map(({ tenant_id }) => tenant_id)).size).toBe(TENANTS);
});
