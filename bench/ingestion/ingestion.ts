import { packMessages } from '../../functions/ingest/events/acceptedMessage.ts';
import type { Memory, Traffic } from '../cost/consumption.ts';
import type { MeasuredService } from '../support/service.ts';
import { benchEvent, measure } from '../support/traffic.ts';
import { filterUsage, subtractUsage, sumOf, totalWork, type UsageByFunction } from '../support/usage.ts';
import { batches, type IngestMode, queued, type Send, senderOf, single, traced } from './ingestModes.ts';

/** Measurements for one ingest mode, from the first request until the last record is written. */
export interface IngestResult {
  readonly mode: IngestMode;
  readonly used: UsageByFunction;
  readonly memory: Memory;
  readonly traffic: Traffic;
  /** Milliseconds of each request. */
  readonly latenciesMs: readonly number[];
  readonly seconds: number;
  /** Seconds from the last accepted request until every event is recorded. */
  readonly drainSeconds: number;
}

/** The queue message bodies of one batch, packed as the service packs them. */
const messagesOf = (mode: IngestMode): readonly string[] => {
  const events = Array.from({ length: mode.batch }, () => JSON.stringify(benchEvent(mode)));
  return mode.kind === 'queue'
    ? events
    : packMessages(
        {
          tenant_id: 'acme',
          stated_by: { kind: 'api_key', id: 'key' },
          received_at: Date.now(),
          residency: null,
        },
        events,
      );
};

/** The function that receives the events of a mode. */
const unitOf = ({ kind, batch }: IngestMode): string => {
  if (kind === 'otlp') return 'UnitsOtlp';
  return batch === 1 ? 'UnitsIngest' : 'UnitsIngestBatches';
};

/** Sends `events` events and measures them until they are recorded. A warm-up absorbs cold starts and first look-ups. */
export const ingest = async (
  service: MeasuredService,
  mode: IngestMode,
  events: number,
  send: Send = senderOf(service, mode),
): Promise<IngestResult> => {
  const { runtime, usage, logBytes, infrequentUnits } = service;
  const requests = Math.ceil(events / mode.batch);
  await measure(Math.ceil(requests / 10), mode.concurrency, send);
  await runtime.idle();

  const before = usage();
  const logBytesBefore = logBytes();
  const infrequentBefore = infrequentUnits();
  const { results, seconds } = await measure(requests, mode.concurrency, send);
  const acceptedAt = performance.now();
  await runtime.idle();
  const drainSeconds = (performance.now() - acceptedAt) / 1_000;
  const used = subtractUsage(before, usage());

  const infrequent = infrequentUnits();
  const bodies = messagesOf(mode);
  const messages = requests * bodies.length;
  const http = mode.kind !== 'queue';
  const traffic: Traffic = {
    events: requests * mode.batch,
    httpRequests: http ? requests : 0,
    responseBytes: results.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0),
    messages,
    messageBytes: requests * bodies.reduce((sum, body) => sum + Buffer.byteLength(body), 0),
    sends: http ? sumOf(used, /^sqs Send/) : requests,
    messagesPerBatch: messages / totalWork(filterUsage(used, /^WorkersAttribution/)).invocations,
    logBytes: logBytes() - logBytesBefore,
    infrequent: {
      writeUnits: infrequent.writeUnits - infrequentBefore.writeUnits,
      readUnits: infrequent.readUnits - infrequentBefore.readUnits,
    },
  };
  return {
    mode,
    used,
    memory: {
      ingestion: service.functionOf(unitOf(mode)).memoryMiB,
      worker: service.functionOf('WorkersAttribution').memoryMiB,
    },
    traffic,
    latenciesMs: results.map(({ milliseconds }) => milliseconds),
    seconds,
    drainSeconds,
  };
};

/** Measures every ingest mode in turn, at the typical concurrency of its traffic. */
export const measureIngestion = async (service: MeasuredService, quick: boolean) => {
  const eventCount = quick ? 300 : 1_500;
  return {
    single: await ingest(service, single(8), eventCount),
    singleTraced: await ingest(service, traced(single(8)), eventCount),
    ten: await ingest(service, batches(10, 4), eventCount),
    hundred: await ingest(service, batches(100, 4), quick ? 1_000 : 6_000),
    hundredTraced: await ingest(service, traced(batches(100, 4)), quick ? 1_000 : 6_000),
    queue: await ingest(service, queued(8), eventCount),
    oneClient: await ingest(service, single(1), eventCount / 5),
    manyClients: await ingest(service, single(32), eventCount),
  };
};
export type IngestResults = Awaited<ReturnType<typeof measureIngestion>>;
