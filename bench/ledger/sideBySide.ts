import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { GetQueueAttributesCommand, SQSClient } from '@aws-sdk/client-sqs';
import * as z from 'zod';
import type { InvocationEvent } from '../../schemas/ingest/invocationEvent.ts';
import { localClient } from '../../test/support/localAws.ts';
import { findDeployment } from '../../tools/operator/deployment.ts';
import { tenantAdministration } from '../../tools/operator/tenants.ts';
import type { Call } from '../../tools/replay/row.ts';
import type { MeasuredService } from '../support/service.ts';
import { type Row, type Table, table } from '../support/table.ts';
import { BATCH, benchEvent, measure, request, SINGLE } from '../support/traffic.ts';
import { differingViews, killFunctions, requestDespiteKills } from './sideBySideFaults.ts';

const BATCH_SIZE = 100;
const TAGS = 2_000;
const OWNERS = 200;
/** An event a minute, twelve times as fast. */
const QUIET_PAUSE_MS = 5_000;
const POLL_MS = 250;
/** Within this time a record can be read, by the service level. */
const GOAL_SECONDS = 30;
/** How long the ledger refuses all writes: a sixtieth of a quarter of an hour. */
const OUTAGE_MS = 15_000;

const Usage = z.object({ totals: z.object({ invocations: z.int() }), stale: z.boolean() });
const Page = z.object({ data: z.array(z.unknown()) });

interface BenchTenant {
  readonly name: string;
  readonly ingest: string;
  readonly read: string;
  readonly admin: string;
}

/** An event whose group no other event shares. Each has two of the tags. */
const eventOfGroup = (index: number): InvocationEvent => ({
  ...benchEvent(),
  attributed_identity: `owner-${index % OWNERS}`,
  attributed_service: `service-${index}`,
  tags: [`tag:${index % TAGS}`, `tag:${(index * 7 + 1) % TAGS}`],
});

const eventsOfGroups = (first: number): InvocationEvent[] =>
  Array.from({ length: BATCH_SIZE }, (_, index) => eventOfGroup(first + index));

const openQuiet = async ({ folder }: MeasuredService): Promise<BenchTenant> => {
  const administration = await tenantAdministration(
    await findDeployment({ stack: undefined, dataDir: folder }),
  );
  const tenantId = `quiet-${randomUUID().slice(0, 8)}`;
  const tenant = await administration.open({ tenantId, name: 'Quiet', plan: 'enterprise', residency: [] });
  const key = await administration.issueKey(tenant, 'bench');
  return { name: 'an event a minute, 12 times as fast', ingest: key, read: key, admin: key };
};

const totalOfTenant = async ({ runtime }: MeasuredService, { read }: BenchTenant) => {
  const from = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
  const { text } = await request(`${runtime.baseUrl}/v1/reports/usage?from=${from}`, read);
  return Usage.parse(JSON.parse(text));
};

const deadLetters = async ({ runtime }: MeasuredService): Promise<number> => {
  const sqs = new SQSClient(localClient(runtime.endpoints.sqs));
  let count = 0;
  for (const [name, QueueUrl] of Object.entries(runtime.outputs)) {
    if (!/^Queue.*DeadLetter$/.test(name)) continue;
    const { Attributes = {} } = await sqs.send(
      new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['ApproximateNumberOfMessages'] }),
    );
    count += Number(Attributes['ApproximateNumberOfMessages']);
  }
  sqs.destroy();
  return count;
};

/** Sends an event and waits until it can be read. Resolves to the seconds. */
const secondsUntilReadable = async ({ runtime }: MeasuredService, tenant: BenchTenant): Promise<number> => {
  const event = benchEvent();
  const startedAt = performance.now();
  await requestDespiteKills(runtime.baseUrl + SINGLE, tenant.ingest, event);
  const url = `${runtime.baseUrl}/v1/attribution?limit=1&occurred_at[gte]=${event.occurred_at}`;
  for (;;) {
    const { text } = await requestDespiteKills(url, tenant.read);
    if (Page.parse(JSON.parse(text)).data.length > 0) return (performance.now() - startedAt) / 1_000;
    await sleep(POLL_MS);
  }
};

/** Refuses all writes to the ledger while events arrive. Resolves to the seconds from its end until everything is summed. */
const secondsToDrainOutage = async (
  { runtime }: MeasuredService,
  send: () => Promise<void>,
): Promise<number> => {
  const ledger = runtime.outputs['TableLedger'] ?? '';
  runtime.throttle(ledger, 'write', 1);
  await send();
  await sleep(OUTAGE_MS);
  runtime.throttle(ledger, 'write', 0);
  const endedAt = performance.now();
  await runtime.idle({ delayed: true });
  return (performance.now() - endedAt) / 1_000;
};

/**
 * Three tenants at once: one with as many groups as events, one with a rare event, and one that sends as fast as the machine
 * takes it, while functions are killed. Then the ledger refuses all writes for a while. Afterwards all totals must equal what
 * was sent, and lists, index, reports and an export must agree.
 */
export const benchSideBySide = async (
  service: MeasuredService,
  groups: number,
  calls: readonly Call[] = [],
): Promise<Table[]> => {
  const { runtime, reader, sender } = service;
  const wide = {
    name: `${groups} groups, ${TAGS} tags`,
    ingest: reader.api_keys.ingest,
    read: reader.api_keys.read,
    admin: reader.api_keys.admin,
  };
  const loud = {
    name: calls.length === 0 ? 'the highest rate' : 'the highest rate, calls of the trace',
    ingest: sender.api_keys.ingest,
    read: sender.api_keys.read,
    admin: sender.api_keys.admin,
  };
  const quiet = await openQuiet(service);
  const before = new Map<BenchTenant, number>();
  for (const tenant of [wide, loud, quiet]) {
    before.set(tenant, (await totalOfTenant(service, tenant)).totals.invocations);
  }
  const sent = new Map<BenchTenant, number>();
  const count = (tenant: BenchTenant, events: number) => sent.set(tenant, (sent.get(tenant) ?? 0) + events);
  const sendBatch = async (tenant: BenchTenant, events: readonly InvocationEvent[]): Promise<void> => {
    await requestDespiteKills(runtime.baseUrl + BATCH, tenant.ingest, { events });
    count(tenant, events.length);
  };

  let called = 0;
  /** The next call of the trace, as one of now. After the last comes the first. */
  const loudEvent = (): InvocationEvent => {
    called += 1;
    return { ...benchEvent(), ...calls[called % Math.max(1, calls.length)] };
  };
  let isRunning = true;
  let next = 0;
  const startedAt = performance.now();
  const sendWide = measure(groups / BATCH_SIZE, 2, async () => {
    const first = next;
    next += BATCH_SIZE;
    await sendBatch(wide, eventsOfGroups(first));
  }).finally(() => {
    isRunning = false;
  });
  const sendLoud = Promise.all(
    Array.from({ length: 4 }, async () => {
      while (isRunning) await sendBatch(loud, Array.from({ length: BATCH_SIZE }, loudEvent));
    }),
  );
  const late: number[] = [];
  const sendQuiet = (async () => {
    while (isRunning) {
      late.push(await secondsUntilReadable(service, quiet));
      count(quiet, 1);
      await sleep(QUIET_PAUSE_MS);
    }
  })();
  const killing = killFunctions(runtime, () => isRunning);
  await Promise.all([sendWide, sendLoud, sendQuiet]);
  const kills = await killing;
  const seconds = (performance.now() - startedAt) / 1_000;
  const rates = new Map([...sent].map(([tenant, events]) => [tenant, events / seconds]));

  const drainedAfter = await secondsToDrainOutage(service, async () => {
    for (const tenant of [wide, loud, quiet]) await sendBatch(tenant, eventsOfGroups(0));
  });

  const slowest = Math.max(...late);
  const dead = await deadLetters(service);
  const rows: Row[] = [];
  for (const tenant of [wide, loud, quiet]) {
    const { totals, stale } = await totalOfTenant(service, tenant);
    const counted = totals.invocations - (before.get(tenant) ?? 0);
    const expected = sent.get(tenant) ?? 0;
    const differing = await differingViews(runtime.baseUrl, tenant.admin);
    const isMet =
      counted === expected &&
      !stale &&
      differing.length === 0 &&
      (tenant !== quiet || slowest <= GOAL_SECONDS);
    rows.push({
      tenant: tenant.name,
      'events sent': expected,
      'accepted a second': tenant === quiet ? null : (rates.get(tenant) ?? 0),
      'in the totals': counted,
      'views that differ': differing.join(', ') || 'none',
      'slowest readable after s': tenant === quiet ? slowest : null,
      goal: isMet && dead === 0 ? 'met' : 'MISSED',
    });
  }
  return [
    table(
      'Three tenants side by side with kills of functions, and an outage of the ledger',
      rows,
      `Goal: every event is in the totals once, no dead letter, the rare event is readable within ${GOAL_SECONDS} s, and lists, index, reports and a FOCUS export agree to the last digit.`,
      `After ${OUTAGE_MS / 1_000} s in which the ledger refused all writes, everything was summed in ${drainedAfter.toFixed(0)} s, with ${dead} dead letters. ${kills} functions were killed while they processed an event. ${late.length} rare events were timed.`,
    ),
  ];
};
