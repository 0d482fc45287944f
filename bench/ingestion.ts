import { packMessages } from '../functions/ingestion/acceptedMessage.ts';
import type { Memory, Traffic } from './consumption.ts';
import { batches, type IngestMode, queued, type Send, senderOf, single, traced } from './send.ts';
import type { MeasuredService } from './service.ts';
import { benchEvent, measure } from './traffic.ts';
import { filterUsage, subtractUsage, sumOf, totalWork, type UsageByFunction } from './usage.ts';

/** What was counted while events went one way, from the first request until the last record. */
export interface IngestResult {
  readonly way: IngestMode;
  readonly used: UsageByFunction;
  readonly memory: Memory;
  readonly traffic: Traffic;
  /** Milliseconds of each request. */
  readonly each: readonly number[];
  readonly seconds: number;
  /** Seconds from the last acceptance until every event was a record. */
  readonly drainSeconds: number;
}

/** The bodies a batch travels in: as many as the service itself makes of it. */
const messagesOf = (way: IngestMode): readonly string[] => {
  const events = Array.from({ length: way.batch }, () => JSON.stringify(benchEvent(way)));
  return way.kind === 'queue'
    ? events
    : packMessages({ tenant_id: 'acme', received_at: Date.now(), residency: null }, events);
};

/** Sends `events` events and counts them through; cold starts and first look-ups come before. */
const ingest = async (service: MeasuredService, way: IngestMode, events: number): Promise<IngestResult> => {
  const { runtime, usage, logBytes } = service;
  const send: Send = senderOf(service, way);
  const requests = Math.ceil(events / way.batch);
  await measure(Math.ceil(requests / 10), way.concurrency, send);
  await runtime.idle();

  const before = usage();
  const logged = logBytes();
  const { results, seconds } = await measure(requests, way.concurrency, send);
  const accepted = performance.now();
  await runtime.idle();
  const drainSeconds = (performance.now() - accepted) / 1_000;
  const used = subtractUsage(before, usage());

  const bodies = messagesOf(way);
  const messages = requests * bodies.length;
  const http = way.kind === 'http';
  const traffic: Traffic = {
    events: requests * way.batch,
    httpRequests: http ? requests : 0,
    responseBytes: results.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0),
    messages,
    messageBytes: requests * bodies.reduce((sum, body) => sum + Buffer.byteLength(body), 0),
    sends: http ? sumOf(used, /^sqs Send/) : requests,
    messagesPerBatch: messages / totalWork(filterUsage(used, /^WorkersAttribution/)).invocations,
    logBytes: logBytes() - logged,
  };
  return {
    way,
    used,
    memory: {
      ingestion: service.functionOf(way.batch === 1 ? 'UnitsIngestion' : 'UnitsBatchIngestion').memoryMiB,
      worker: service.functionOf('WorkersAttribution').memoryMiB,
    },
    traffic,
    each: results.map(({ milliseconds }) => milliseconds),
    seconds,
    drainSeconds,
  };
};

/** Every way in turn, at the concurrency its traffic usually has. */
export const ingestAll = async (service: MeasuredService, quick: boolean) => {
  const few = quick ? 300 : 1_500;
  return {
    single: await ingest(service, single(8), few),
    singleTraced: await ingest(service, traced(single(8)), few),
    ten: await ingest(service, batches(10, 4), few),
    hundred: await ingest(service, batches(100, 4), quick ? 1_000 : 6_000),
    hundredTraced: await ingest(service, traced(batches(100, 4)), quick ? 1_000 : 6_000),
    queue: await ingest(service, queued(8), few),
    alone: await ingest(service, single(1), few / 5),
    crowded: await ingest(service, single(32), few),
  };
};
export type IngestResults = Awaited<ReturnType<typeof ingestAll>>;
