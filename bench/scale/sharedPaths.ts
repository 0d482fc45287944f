import { setTimeout as sleep } from 'node:timers/promises';
import { measureVisibility } from '../ingestion/visibilityLatency.ts';
import type { MeasuredService } from '../support/service.ts';
import { percentile } from '../support/statistics.ts';
import { goal, type Row, type Table, table } from '../support/table.ts';
import { BATCH, benchBody, request } from '../support/traffic.ts';
import { eventOf, outboxWriter, register, waitForArrival } from '../webhooks/benchEndpoint.ts';
import type { Receiver } from '../webhooks/webhookReceiver.ts';

const GOAL_P99_RATIO = 1.2;
const NOISE_INTERVAL_MS = 200;
/** Events of the noisy tenant in each interval: more than the quiet one by a factor of hundred, and less than the machine takes. */
const NOISY_EVENTS = 40;
/** Of both tenants alternately, because the load of the machine changes. */
const ROUNDS = 4;

/** A part of the service that all tenants share. */
interface SharedPath {
  readonly name: string;
  /** Milliseconds that the quiet tenant waits for one event. */
  readonly quiet: () => Promise<number>;
  readonly noise: () => Promise<unknown>;
}

/** From an accepted event to its record, through the queue of accepted events. */
const queuePath = ({ runtime, sender, reader }: MeasuredService): SharedPath => ({
  name: 'queue: accepted event to record',
  quiet: () => measureVisibility(runtime.baseUrl, reader),
  noise: () => request(runtime.baseUrl + BATCH, sender.api_keys.ingest, benchBody(NOISY_EVENTS)),
});

/** From a change of a table to a webhook, through the stream of the table and the queue of deliveries. */
const streamPath = async (service: MeasuredService, receiver: Receiver): Promise<SharedPath> => {
  const writeEvents = outboxWriter(service);
  const quiet = await register(service, receiver, service.reader, '/quiet');
  const noisy = await register(service, receiver, service.sender, '/noisy');
  return {
    name: 'stream: committed event to webhook',
    quiet: async () => {
      const startedAt = performance.now();
      const event = eventOf(quiet);
      await writeEvents([event]);
      await waitForArrival(receiver, [event]);
      return (receiver.arrived.get(event.id) ?? 0) - startedAt;
    },
    noise: () => writeEvents(Array.from({ length: NOISY_EVENTS }, () => eventOf(noisy))),
  };
};

const waitsOf = async (path: SharedPath, times: number): Promise<number[]> => {
  const waits: number[] = [];
  for (let time = 0; time < times; time += 1) waits.push(await path.quiet());
  return waits;
};

/** What the quiet tenant waits while the noisy one sends. */
const waitsBeside = async (path: SharedPath, times: number): Promise<number[]> => {
  let isDone = false;
  const noise = (async () => {
    while (!isDone) await Promise.all([path.noise(), sleep(NOISE_INTERVAL_MS)]);
  })();
  try {
    return await waitsOf(path, times);
  } finally {
    isDone = true;
    await noise;
  }
};

const pathRow = async (path: SharedPath, settle: () => Promise<void>, times: number): Promise<Row> => {
  const alone: number[] = [];
  const beside: number[] = [];
  await waitsBeside(path, Math.ceil(times / ROUNDS));
  for (let round = 0; round < ROUNDS; round += 1) {
    await settle();
    alone.push(...(await waitsOf(path, Math.ceil(times / ROUNDS))));
    beside.push(...(await waitsBeside(path, Math.ceil(times / ROUNDS))));
  }
  const ratio = percentile(beside, 0.99) / percentile(alone, 0.99);
  return {
    path: path.name,
    samples: alone.length,
    'alone p50 ms': percentile(alone, 0.5),
    'alone p99 ms': percentile(alone, 0.99),
    'beside p50 ms': percentile(beside, 0.5),
    'beside p99 ms': percentile(beside, 0.99),
    'p99 ratio': ratio,
    goal: goal(ratio, GOAL_P99_RATIO),
  };
};

/** What a tenant waits on the paths that it shares with a noisy one: alone, and while that one sends. */
export const benchSharedPaths = async (
  service: MeasuredService,
  receiver: Receiver,
  times: number,
): Promise<Table> => {
  const settle = () => service.runtime.idle();
  const rows = [
    await pathRow(queuePath(service), settle, times),
    await pathRow(await streamPath(service, receiver), settle, times),
  ];
  return table(
    'Neighbours: waits of one tenant on shared paths, alone and beside a noisy tenant',
    rows,
    `The noisy tenant sends ${(NOISY_EVENTS * 1_000) / NOISE_INTERVAL_MS} events a second. Here both share the cores of one machine, which a deployment does not.`,
  );
};
