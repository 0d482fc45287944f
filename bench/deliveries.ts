import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { BatchWriteItemCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { createEvent } from '../functions/events/createEvent.ts';
import { tagInId } from '../functions/shared/ids.ts';
import { ulidOf } from '../functions/shared/ulid.ts';
import type { RaisedEvent } from '../schemas/events.ts';
import { workers } from '../schemas/platform/workers.ts';
import { type Consumption, costRows, totalOf } from './costModel.ts';
import type { MeasuredService } from './service.ts';
import { latencies, percentile } from './statistics.ts';
import { goal, type Table, table } from './table.ts';
import { request } from './traffic.ts';
import { callRows, filterUsage, subtractUsage, sumOf, totalWork, type UsageByFunction } from './usage.ts';
import type { Receiver } from './webhookReceiver.ts';

/** As many as a batch of writes takes. */
const RAISED_AT_ONCE = 25;
const POLL_MILLISECONDS = 20;
/** Between two events of either tenant whose deliveries are compared. */
const STEADY_MILLISECONDS = 100;
const GOAL_P99_RATIO = 1.2;
const WARM_UP = 60;
/** A round trip to a receiver, in seconds: an assumption. */
const RECEIVER_SECONDS = 0.1;

interface Endpoint {
  readonly tenant: { readonly tenant_id: string; readonly tag: string };
  readonly path: string;
}

const register = async (
  { runtime }: MeasuredService,
  receiver: Receiver,
  tenant: MeasuredService['sender'],
  path: string,
): Promise<Endpoint> => {
  const body = { url: receiver.urlOf(path), events: ['apikey.rotated'] };
  const { text } = await request(`${runtime.baseUrl}/api/v1/webhooks`, tenant.api_keys.admin, body, [201]);
  await runtime.idle();
  return { tenant: { tenant_id: tenant.tenant_id, tag: tagInId(JSON.parse(text).id) }, path };
};

const eventOf = ({ tenant }: Endpoint): RaisedEvent => {
  const at = Date.now();
  const data = {
    api_key_id: 'key_1',
    name: 'Gateway',
    rotated_at: new Date(at).toISOString(),
    previous_secret_valid_until: null,
  };
  return createEvent('apikey.rotated', data, { ulid: ulidOf(at, randomBytes(10)), at, tenant });
};

/** Puts events into the outbox, past their causes. */
const outboxWriter = ({ runtime }: MeasuredService) => {
  const client = new DynamoDBClient({
    endpoint: runtime.endpoints.dynamodb,
    region: 'us-east-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  });
  return async (events: readonly RaisedEvent[]): Promise<void> => {
    for (let at = 0; at < events.length; at += RAISED_AT_ONCE) {
      const puts = events.slice(at, at + RAISED_AT_ONCE).map((event) => ({
        PutRequest: {
          Item: {
            pk: { S: event.tenant_id },
            sk: { S: event.id },
            document: { S: JSON.stringify(event) },
          },
        },
      }));
      await client.send(
        new BatchWriteItemCommand({ RequestItems: { [runtime.outputs['TableOutbox'] ?? '']: puts } }),
      );
    }
  };
};
type Raise = ReturnType<typeof outboxWriter>;

const waitForArrival = async ({ arrived }: Receiver, events: readonly RaisedEvent[]): Promise<void> => {
  while (!events.every(({ id }) => arrived.has(id))) await sleep(POLL_MILLISECONDS);
};

/** Milliseconds from raised to received, of a tenant that raises one after the other. */
const measureSteady = async (raise: Raise, receiver: Receiver, endpoint: Endpoint, count: number) => {
  const raised = new Map<string, number>();
  const events: RaisedEvent[] = [];
  for (let index = 0; index < count; index += 1) {
    const event = eventOf(endpoint);
    raised.set(event.id, performance.now());
    events.push(event);
    await raise([event]);
    await sleep(STEADY_MILLISECONDS);
  }
  await waitForArrival(receiver, events);
  return events.map(({ id }) => (receiver.arrived.get(id) ?? 0) - (raised.get(id) ?? 0));
};

const FUNCTIONS = { publish: /^WorkersPublish/, dispatch: /^WorkersDispatch/, deliver: /^WorkersDeliver/ };

/** What one delivery took, of an event with one endpoint, in full batches. */
const consumptionOf = (usage: UsageByFunction, deliveries: number): Consumption => {
  const functions = (['publish', 'dispatch', 'deliver'] as const).map((name) => {
    const { invocations, cpuSeconds } = totalWork(filterUsage(usage, FUNCTIONS[name]));
    const perDelivery = invocations / deliveries;
    // Calls of one batch run side by side: what a delivery waits for, its batch waits for.
    const chain = name === 'deliver' ? 10 + RECEIVER_SECONDS / 0.005 : 4;
    return {
      name,
      memoryMegabytes: workers[name].memoryMegabytes,
      invocations: perDelivery,
      cpuSeconds: cpuSeconds / deliveries,
      waits: chain * perDelivery,
    };
  });
  const sends = sumOf(usage, /^sqs /);
  const received = 2 * totalWork(filterUsage(usage, FUNCTIONS.deliver)).invocations;
  return {
    httpRequests: 0,
    functions,
    writeUnits:
      sumOf(usage, /^dynamodb (?:PutItem|UpdateItem|DeleteItem|TransactWriteItems)/, 'capacity') / deliveries,
    indexWriteUnits: 0,
    readUnits: sumOf(usage, /^dynamodb (?:BatchGetItem|GetItem|Query)/, 'capacity') / deliveries,
    sqsRequests: (sends + received) / deliveries,
    kmsRequests: sumOf(usage, /^kms /) / deliveries,
    logBytes: 0,
    bytesOut: 0,
  };
};

interface DeliveryBench {
  readonly service: MeasuredService;
  readonly receiver: Receiver;
  readonly raise: Raise;
  readonly healthy: Endpoint;
}

const manyOf = (endpoint: Endpoint, count: number) => Array.from({ length: count }, () => eventOf(endpoint));

/** What a delivery takes, and how many a second this machine makes. */
const measureCosts = async (
  { service, receiver, raise, healthy }: DeliveryBench,
  count: number,
): Promise<Table[]> => {
  const warm = manyOf(healthy, WARM_UP);
  await raise(warm);
  await waitForArrival(receiver, warm);
  await service.runtime.idle({ delayed: true });

  const before = service.usage();
  const events = manyOf(healthy, count);
  const began = performance.now();
  await raise(events);
  await waitForArrival(receiver, events);
  const seconds = (Math.max(...events.map(({ id }) => receiver.arrived.get(id) ?? 0)) - began) / 1_000;
  await service.runtime.idle({ delayed: true });
  const used = subtractUsage(before, service.usage());
  const rows = costRows(consumptionOf(used, count)).filter(({ usd }) => usd > 0);
  return [
    table(
      'Webhooks: USD for a million deliveries',
      [
        ...rows.map(({ item, perEvent, unit, usd }) => ({ item, 'a delivery': perEvent, unit, usd })),
        { item: 'Total', 'a delivery': null, unit: '', usd: totalOf(rows) },
      ],
      `${count} events of one endpoint raised at once, each answered at once with 200. A receiver far away is taken to answer in`,
      `${RECEIVER_SECONDS * 1_000} ms, for which a batch of ten waits once. Reads of the tables' streams are free of charge for Lambda.`,
      'Writes that were refused (a slot that was taken) are not counted.',
    ),
    table('Webhooks: AWS calls and capacity units for one delivery', callRows(used, count)),
    table(
      'Webhooks: deliveries on this machine',
      [{ deliveries: count, 'per second': count / seconds }],
      'Engines, functions and receiver share its cores: Lambda has them apart.',
    ),
  ];
};

/** Who waits for whom: the same traffic of two tenants, the receiver of one of which answers, and then hangs. */
const measureNeighbours = async (
  { service, receiver, raise, healthy }: DeliveryBench,
  samples: number,
): Promise<Table[]> => {
  const other = await register(service, receiver, service.reader, '/other');
  const beside = async (count: number): Promise<number[]> => {
    let isOver = false;
    const others = (async () => {
      while (!isOver) {
        await raise([eventOf(other)]);
        await sleep(STEADY_MILLISECONDS);
      }
    })();
    const waits = await measureSteady(raise, receiver, healthy, count);
    isOver = true;
    await others;
    return waits;
  };
  await beside(WARM_UP);
  const answering = await beside(samples);
  receiver.hanging.add(other.path);
  // Until its first calls hang.
  await beside(WARM_UP);
  const hanging = await beside(samples);
  const ratio = percentile(hanging, 0.99) / percentile(answering, 0.99);
  return [
    table(
      'Webhooks: from raised to received, beside a tenant whose receiver hangs for ten seconds each time',
      [
        { beside: 'a receiver that answers', samples, ...latencies(answering), 'p99 ratio': 1, goal: '' },
        {
          beside: 'the same, hanging',
          samples,
          ...latencies(hanging),
          'p99 ratio': ratio,
          goal: goal(ratio, GOAL_P99_RATIO),
        },
      ],
      `Each tenant raises one event each ${STEADY_MILLISECONDS} ms; four environments here, and another each second while`,
      `all hang; ${workers.deliver.concurrency} as deployed. The embedded engine has no fair queues.`,
    ),
  ];
};

/** Webhooks over the embedded engines; the service may call the receiver on this machine. */
export const benchDeliveries = async (
  service: MeasuredService,
  receiver: Receiver,
  quick: boolean,
): Promise<Table[]> => {
  const healthy = await register(service, receiver, service.sender, '/healthy');
  const running = { service, receiver, raise: outboxWriter(service), healthy };
  return [
    ...(await measureCosts(running, quick ? 300 : 1_000)),
    ...(await measureNeighbours(running, quick ? 150 : 400)),
  ];
};
