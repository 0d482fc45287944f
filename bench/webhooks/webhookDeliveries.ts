import { setTimeout as sleep } from 'node:timers/promises';
import { Settings } from '../../lib/settings.ts';
import type { RaisedEvent } from '../../schemas/delivery/events.ts';
import { BATCH_EVENTS_MAXIMUM } from '../../schemas/delivery/webhookBatches.ts';
import { workers } from '../../schemas/platform/workers.ts';
import { type Consumption, costRows, totalOf } from '../cost/costModel.ts';
import type { MeasuredService } from '../support/service.ts';
import { latencies, percentile } from '../support/statistics.ts';
import { goal, type Table, table } from '../support/table.ts';
import {
  callRows,
  filterUsage,
  subtractUsage,
  sumOf,
  totalWork,
  type UsageByFunction,
} from '../support/usage.ts';
import {
  type Endpoint,
  eventOf,
  outboxWriter,
  register,
  setBatchSize,
  type WriteEvents,
  waitForArrival,
} from './benchEndpoint.ts';
import type { Receiver } from './webhookReceiver.ts';

/** Interval between two events of a tenant in the isolation benchmark. */
const EVENT_INTERVAL_MS = 100;
const GOAL_P99_RATIO = 1.2;
const WARM_UP_EVENTS = 60;
/** Assumed round trip to a receiver. */
const RECEIVER_SECONDS = 0.1;

/** Milliseconds from outbox write to receipt, for events written one at a time. */
const measureLatencies = async (
  writeEvents: WriteEvents,
  receiver: Receiver,
  endpoint: Endpoint,
  count: number,
) => {
  const writtenAt = new Map<string, number>();
  const events: RaisedEvent[] = [];
  for (let index = 0; index < count; index += 1) {
    const event = eventOf(endpoint);
    writtenAt.set(event.id, performance.now());
    events.push(event);
    await writeEvents([event]);
    await sleep(EVENT_INTERVAL_MS);
  }
  await waitForArrival(receiver, events);
  return events.map(({ id }) => (receiver.arrived.get(id) ?? 0) - (writtenAt.get(id) ?? 0));
};

const FUNCTIONS = { publish: /^WorkersPublish/, deliver: /^WorkersDeliver/ };

/** Resources per delivery, for events with one endpoint, in full batches. */
const consumptionOf = (usage: UsageByFunction, deliveries: number): Consumption => {
  const functions = (['publish', 'deliver'] as const).map((name) => {
    const { invocations, cpuSeconds } = totalWork(filterUsage(usage, FUNCTIONS[name]));
    const perDelivery = invocations / deliveries;
    // The deliveries of one batch run concurrently, so a batch waits as long as one delivery.
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
  const pollerRequests = 2 * totalWork(filterUsage(usage, FUNCTIONS.deliver)).invocations;
  return {
    httpRequests: 0,
    functions,
    writeUnits:
      sumOf(usage, /^dynamodb (?:PutItem|UpdateItem|DeleteItem|TransactWriteItems)/, 'capacity') / deliveries,
    indexWriteUnits: 0,
    readUnits: sumOf(usage, /^dynamodb (?:BatchGetItem|GetItem|Query)/, 'capacity') / deliveries,
    sqsRequests: (sends + pollerRequests) / deliveries,
    kmsRequests: sumOf(usage, /^kms /) / deliveries,
    logBytes: 0,
    bytesOut: 0,
  };
};

interface DeliveryBench {
  readonly service: MeasuredService;
  readonly receiver: Receiver;
  readonly writeEvents: WriteEvents;
  readonly healthy: Endpoint;
}

const eventsOf = (endpoint: Endpoint, count: number) =>
  Array.from({ length: count }, () => eventOf(endpoint));

/** Deliveries of events that are written together, to one endpoint. */
const measureDeliveries = async (
  { service, receiver, writeEvents, healthy }: DeliveryBench,
  count: number,
) => {
  const warmUp = eventsOf(healthy, WARM_UP_EVENTS);
  await writeEvents(warmUp);
  await waitForArrival(receiver, warmUp);
  await service.runtime.idle({ delayed: true });

  const before = service.usage();
  const requestsBefore = receiver.requests.get(healthy.path) ?? 0;
  const events = eventsOf(healthy, count);
  const startedAt = performance.now();
  await writeEvents(events);
  await waitForArrival(receiver, events);
  const seconds = (Math.max(...events.map(({ id }) => receiver.arrived.get(id) ?? 0)) - startedAt) / 1_000;
  await service.runtime.idle({ delayed: true });
  const used = subtractUsage(before, service.usage());
  const requests = (receiver.requests.get(healthy.path) ?? 0) - requestsBefore;
  return { used, requests, seconds, consumption: consumptionOf(used, count) };
};

/** Cost per delivery, and deliveries per second on this machine. `title` names the form of the requests. */
const measureCosts = async (bench: DeliveryBench, title: string, count: number): Promise<Table[]> => {
  const { used, requests, seconds, consumption } = await measureDeliveries(bench, count);
  const rows = costRows(consumption).filter(({ usd }) => usd > 0);
  return [
    table(
      `Webhooks${title}: USD per million deliveries`,
      [
        ...rows.map(({ item, perEvent, unit, usd }) => ({ item, 'per delivery': perEvent, unit, usd })),
        { item: 'Total', 'per delivery': null, unit: '', usd: totalOf(rows) },
      ],
      `${count} events for one endpoint, written together. The receiver answers 200 immediately. The cost model assumes that a`,
      `remote receiver answers in ${RECEIVER_SECONDS * 1_000} ms; a batch of ten waits that long once. Lambda reads table streams free of charge.`,
      'Failed conditional writes (endpoint lease already held) are not counted.',
    ),
    table(`Webhooks${title}: AWS calls and capacity units per delivery`, callRows(used, count)),
    table(
      `Webhooks${title}: throughput on this machine`,
      [
        {
          deliveries: count,
          'per second': count / seconds,
          requests,
          'CPU ms per delivery':
            1_000 * consumption.functions.reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0),
        },
      ],
      'Engines, functions and receiver share the cores of this machine. In AWS they do not.',
    ),
  ];
};

/** An endpoint of the sender, and a writer of its events. */
const deliveryBench = async (service: MeasuredService, receiver: Receiver): Promise<DeliveryBench> => ({
  service,
  receiver,
  writeEvents: outboxWriter(service),
  healthy: await register(service, receiver, service.sender, '/healthy'),
});

/** USD of a million deliveries of one event each. */
export const measureDeliveryUsd = async (
  service: MeasuredService,
  receiver: Receiver,
  count: number,
): Promise<number> => {
  const { consumption } = await measureDeliveries(await deliveryBench(service, receiver), count);
  return totalOf(costRows(consumption));
};

/** Tenant isolation: delivery latency while the receiver of another tenant answers, and while it hangs. */
const measureIsolation = async (
  { service, receiver, writeEvents, healthy }: DeliveryBench,
  samples: number,
): Promise<Table[]> => {
  const other = await register(service, receiver, service.reader, '/other');
  const measureBeside = async (count: number): Promise<number[]> => {
    let isDone = false;
    const others = (async () => {
      while (!isDone) {
        await writeEvents([eventOf(other)]);
        await sleep(EVENT_INTERVAL_MS);
      }
    })();
    const waits = await measureLatencies(writeEvents, receiver, healthy, count);
    isDone = true;
    await others;
    return waits;
  };
  await measureBeside(WARM_UP_EVENTS);
  const answering = await measureBeside(samples);
  receiver.hanging.add(other.path);
  // Wait until the first calls to the other receiver hang.
  await measureBeside(WARM_UP_EVENTS);
  const hanging = await measureBeside(samples);
  const ratio = percentile(hanging, 0.99) / percentile(answering, 0.99);
  return [
    table(
      'Webhooks: latency from event to receipt, while the receiver of another tenant hangs for ten seconds per call',
      [
        { 'other receiver': 'answers', samples, ...latencies(answering), 'p99 ratio': 1, goal: '' },
        {
          'other receiver': 'hangs',
          samples,
          ...latencies(hanging),
          'p99 ratio': ratio,
          goal: goal(ratio, GOAL_P99_RATIO),
        },
      ],
      `Each tenant raises one event every ${EVENT_INTERVAL_MS} ms. The function has four environments here, plus one more per second`,
      `while all hang, and ${Settings.parse({}).deliveryConcurrency} when deployed.`,
    ),
  ];
};

/** Webhook cost, throughput and tenant isolation on the embedded engines. The service must be allowed to call the receiver. */
export const benchWebhooks = async (
  service: MeasuredService,
  receiver: Receiver,
  quick: boolean,
): Promise<Table[]> => {
  const running = await deliveryBench(service, receiver);
  const { healthy } = running;
  const count = quick ? 300 : 1_000;
  const single = await measureCosts(running, '', count);
  await setBatchSize(service, healthy, BATCH_EVENTS_MAXIMUM);
  const batches = await measureCosts(running, ' in batches', count);
  await setBatchSize(service, healthy, 1);
  return [...single, ...batches, ...(await measureIsolation(running, quick ? 150 : 400))];
};
