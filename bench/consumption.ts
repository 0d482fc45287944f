import type { Consumption, FunctionConsumption } from './costModel.ts';
import { filterUsage, sumOf, totalWork, type UsageByFunction } from './usage.ts';

const READS = /^dynamodb (?:BatchGetItem|GetItem|Query)/;
const WRITES = /^dynamodb (?:PutItem|UpdateItem|DeleteItem)/;
const ANY = /./;

export const isIngestion = /^Units(?:Batch)?Ingestion/;
const isWorker = /^WorkersAttribution/;
/** Megabytes of both functions, as the stack declares them. */
export interface Memory {
  readonly ingestion: number;
  readonly worker: number;
}

/** An access log line of the gateway (five fields), with the 26 bytes that CloudWatch adds to each. */
const ACCESS_LOG_BYTES = 145;
/** Status line and headers of an accepted request: ours, the gateway's and the rate limit's. */
const RESPONSE_HEAD_BYTES = 500;
/** SQS bills a request by 64 KB of what it carries. */
const SQS_CHUNK_BYTES = 64 * 1_024;
/** The most messages SQS hands out or deletes with one request. */
export const FULL_BATCH = 10;
/** Events of one message that the worker handles at once. */
const WORKER_CONCURRENCY = 16;

/** What was sent between two counts, and how it travelled. */
export interface Traffic {
  readonly events: number;
  readonly httpRequests: number;
  /** Bytes of all response bodies. */
  readonly responseBytes: number;
  /** Messages on the queue, the bytes of them all, and the requests that put them there. */
  readonly messages: number;
  readonly messageBytes: number;
  readonly sends: number;
  /** Messages that the poller received at once. */
  readonly messagesPerBatch: number;
  /** Bytes the functions logged. */
  readonly logBytes: number;
}

/** Requests as SQS bills them, when `requests` of them carry `bytes` in all. */
export const billedRequests = (requests: number, bytes: number): number =>
  requests === 0 ? 0 : requests * Math.max(1, Math.ceil(bytes / requests / SQS_CHUNK_BYTES));

const ingestionOf = (
  usage: UsageByFunction,
  events: number,
  memoryMegabytes: number,
): FunctionConsumption[] => {
  const used = filterUsage(usage, isIngestion);
  const { invocations, cpuSeconds } = totalWork(used);
  // Every call of a request waits for the one before: bucket, claim, queue.
  const waits = sumOf(used, ANY) / events;
  return invocations === 0
    ? []
    : [
        {
          name: 'ingestion',
          memoryMegabytes,
          invocations: invocations / events,
          cpuSeconds: cpuSeconds / events,
          waits,
        },
      ];
};

/** The worker, invoked for every `messagesPerBatch` messages; its CPU time for one event is as it was measured. */
const workerOf = (usage: UsageByFunction, traffic: Traffic, memoryMegabytes: number): FunctionConsumption => {
  const { events, messages, messagesPerBatch } = traffic;
  const used = filterUsage(usage, isWorker);
  const { cpuSeconds } = totalWork(used);
  const invocations = messages / messagesPerBatch / events;
  // The calls of one event wait for each other. What is looked up now and then is no call of every event.
  const chain = Math.round(sumOf(used, ANY) / events) * Math.ceil(events / messages / WORKER_CONCURRENCY);
  return {
    name: 'attribution worker',
    memoryMegabytes,
    invocations,
    cpuSeconds: cpuSeconds / events,
    waits: chain * invocations,
  };
};

/**
 * What one event took. Sends are counted at the SDK; receives and deletes are Lambda's own, one of each for a batch.
 * Empty receives are left out: they cost the same a month whatever the traffic.
 */
export const consumptionOf = (usage: UsageByFunction, traffic: Traffic, memory: Memory): Consumption => {
  const { events, httpRequests, messages, messageBytes, sends, messagesPerBatch } = traffic;
  const batches = messages / messagesPerBatch;
  const sqs = billedRequests(sends, messageBytes) + billedRequests(batches, messageBytes) + batches;
  const logBytes = traffic.logBytes + httpRequests * ACCESS_LOG_BYTES;
  const bytesOut = traffic.responseBytes + httpRequests * RESPONSE_HEAD_BYTES;
  return {
    httpRequests: httpRequests / events,
    functions: [...ingestionOf(usage, events, memory.ingestion), workerOf(usage, traffic, memory.worker)],
    writeUnits: sumOf(usage, WRITES, 'capacity') / events,
    indexWriteUnits: 0,
    readUnits: sumOf(usage, READS, 'capacity') / events,
    sqsRequests: sqs / events,
    kmsRequests: sumOf(usage, /^kms /) / events,
    logBytes: logBytes / events,
    bytesOut: bytesOut / events,
  };
};
