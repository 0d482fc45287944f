import { setTimeout as sleep } from 'node:timers/promises';
import { idOf, recordUlid } from '../../functions/platform/shared/ids.ts';
import { InvocationAccepted } from '../../schemas/routes/ingest/events.ts';
import type { MeasuredService } from '../support/service.ts';
import { latencies } from '../support/statistics.ts';
import { goal, type Row, type Table, table } from '../support/table.ts';
import { benchEvent, request, SINGLE } from '../support/traffic.ts';
import { batches, senderOf } from './ingestModes.ts';

const POLL_INTERVAL_MS = 5;
const GOAL_P99_MS = 2_000;
/** A constant load that a small machine sustains. A higher load would measure its own backlog. */
const LOAD = { batch: 50, intervalMs: 200 };

/** Milliseconds from the 202 response until the record is readable by its id. */
export const measureVisibility = async (
  baseUrl: string,
  sender: MeasuredService['sender'],
): Promise<number> => {
  const event = benchEvent();
  const { text } = await request(baseUrl + SINGLE, sender.api_keys.ingest, event);
  const acceptedAt = performance.now();
  // Characters 4 to 11 of an id are the tenant tag. The record id is derived from the event.
  const tag = InvocationAccepted.parse(JSON.parse(text)).invocation_id.slice(4, 12);
  const ulid = recordUlid(sender.tenant_id, event.event_id, Date.parse(event.ingestion_timestamp));
  const url = `${baseUrl}/v1/attribution/${idOf('att', tag, ulid)}`;
  while ((await request(url, sender.api_keys.read, undefined, [404])).status === 404) {
    await sleep(POLL_INTERVAL_MS);
  }
  return performance.now() - acceptedAt;
};

const sample = async ({ runtime, sender }: MeasuredService, samples: number): Promise<number[]> => {
  const waits: number[] = [];
  for (let index = 0; index < samples; index += 1)
    waits.push(await measureVisibility(runtime.baseUrl, sender));
  return waits;
};

/** Latency from accepted event to readable record, idle and under a constant load. */
export const benchVisibility = async (service: MeasuredService, samples: number): Promise<Table> => {
  const idle = await sample(service, samples);
  const load = senderOf(service, batches(LOAD.batch, 1));
  const sent: Promise<unknown>[] = [];
  const timer = setInterval(() => sent.push(load()), LOAD.intervalMs);
  const loaded = await sample(service, samples).finally(() => clearInterval(timer));
  await Promise.all(sent);
  await service.runtime.idle();

  const row = (load: string, waits: readonly number[]): Row => {
    const percentiles = latencies(waits);
    return { load, samples, ...percentiles, 'p99 goal': goal(percentiles['p99 ms'], GOAL_P99_MS) };
  };
  const rate = (LOAD.batch * 1_000) / LOAD.intervalMs;
  return table('Ingestion: latency from accepted event to readable record', [
    row('none', idle),
    row(`${rate} events/s`, loaded),
  ]);
};
