import { setTimeout as sleep } from 'node:timers/promises';
import { idOf, recordUlid } from '../functions/shared/ids.ts';
import { InvocationAccepted } from '../schemas/routes/ingestion.ts';
import { batches, senderOf } from './send.ts';
import type { MeasuredService } from './service.ts';
import { latencies } from './statistics.ts';
import { goal, type Row, type Table, table } from './table.ts';
import { benchEvent, request, SINGLE } from './traffic.ts';

const POLL_MILLISECONDS = 5;
const GOAL_P99_MILLISECONDS = 2_000;
/** A steady load that a small machine bears: an unsteady one would only measure its own backlog. */
const LOAD = { batch: 50, everyMilliseconds: 200 };

/** Milliseconds from the 202 until the record can be read by its id. */
const measureVisibility = async ({ runtime, sender }: MeasuredService): Promise<number> => {
  const event = benchEvent();
  const { text } = await request(runtime.baseUrl + SINGLE, sender.api_keys.ingest, event);
  const accepted = performance.now();
  // An id names its tenant by eight characters behind the prefix; the record's follows from the event.
  const tag = InvocationAccepted.parse(JSON.parse(text)).invocation_id.slice(4, 12);
  const ulid = recordUlid(sender.tenant_id, event.event_id, Date.parse(event.ingestion_timestamp));
  const url = `${runtime.baseUrl}/v1/attribution/${idOf('att', tag, ulid)}`;
  while ((await request(url, sender.api_keys.read, undefined, [404])).status === 404) {
    await sleep(POLL_MILLISECONDS);
  }
  return performance.now() - accepted;
};

const sample = async (service: MeasuredService, samples: number): Promise<number[]> => {
  const waits: number[] = [];
  for (let index = 0; index < samples; index += 1) waits.push(await measureVisibility(service));
  return waits;
};

/** From accepted to readable, alone and beside a steady load. */
export const benchVisibility = async (service: MeasuredService, samples: number): Promise<Table> => {
  const alone = await sample(service, samples);
  const load = senderOf(service, batches(LOAD.batch, 1));
  const sent: Promise<unknown>[] = [];
  const timer = setInterval(() => sent.push(load()), LOAD.everyMilliseconds);
  const beside = await sample(service, samples).finally(() => clearInterval(timer));
  await Promise.all(sent);
  await service.runtime.idle();

  const row = (load: string, waits: readonly number[]): Row => {
    const found = latencies(waits);
    return { load, samples, ...found, 'p99 goal': goal(found['p99 ms'], GOAL_P99_MILLISECONDS) };
  };
  const rate = (LOAD.batch * 1_000) / LOAD.everyMilliseconds;
  return table('From accepted to readable', [row('none', alone), row(`${rate} events/s`, beside)]);
};
