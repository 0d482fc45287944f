import { filterUsage, sumOf, totalWork, type UsageByFunction } from '../support/usage.ts';
import type { Consumption, FunctionConsumption } from './costModel.ts';

const READS = /^dynamodb (?:BatchGetItem|GetItem|Query)/;
const WRITES = /^dynamodb (?:PutItem|UpdateItem|DeleteItem|BatchWriteItem|BatchExecuteStatement)/;
const ANY_OPERATION = /./;

export const isIngestion = /^Units(?:Ingest(?:Batches)?|Otlp)/;
const isWorker = /^WorkersAttribution/;
/** Memory of both functions in MB, from the stack. */
export interface Memory {
  readonly ingestion: number;
  readonly worker: number;
}

/** One access log line of the gateway (five fields), plus the 26 bytes that CloudWatch adds to each line. */
const ACCESS_LOG_BYTES = 145;
/** Status line and headers of an accepted response, including those of the gateway and the rate limit. */
const RESPONSE_HEAD_BYTES = 500;
/** SQS bills each 64 KB chunk of a payload as one request. */
const SQS_CHUNK_BYTES = 64 * 1_024;
/** Maximum number of messages that one SQS request receives or deletes. */
export const FULL_BATCH = 10;
/** Events of one message that the worker handles concurrently. */
const WORKER_CONCURRENCY = 16;

/** Traffic between two readings of the usage counters. */
export interface Traffic {
  readonly events: number;
  readonly httpRequests: number;
  /** Bytes of all response bodies. */
  readonly responseBytes: number;
  /** Number of queue messages, their total bytes, and the requests that sent them. */
  readonly messages: number;
  readonly messageBytes: number;
  readonly sends: number;
  /** Mean number of messages that the poller received per request. */
  readonly messagesPerBatch: number;
  /** Bytes that the functions logged. */
  readonly logBytes: number;
  /** Capacity units in tables of the class for infrequent access. */
  readonly infrequent: { readonly writeUnits: number; readonly readUnits: number };
}

/** Number of requests that SQS bills for `requests` requests that carry `bytes` in total. */
export const billedRequests = (requests: number, bytes: number): number =>
  requests === 0 ? 0 : requests * Math.max(1, Math.ceil(bytes / requests / SQS_CHUNK_BYTES));

const ingestionOf = (
  usage: UsageByFunction,
  events: number,
  memoryMegabytes: number,
): FunctionConsumption[] => {
  const used = filterUsage(usage, isIngestion);
  const { invocations, cpuSeconds } = totalWork(used);
  // The calls of one request are sequential: rate limit, dedup claim, queue.
  const waits = sumOf(used, ANY_OPERATION) / events;
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

/** The worker: one invocation per `messagesPerBatch` messages. CPU time per event is the measured value. */
const workerOf = (usage: UsageByFunction, traffic: Traffic, memoryMegabytes: number): FunctionConsumption => {
  const { events, messages, messagesPerBatch } = traffic;
  const used = filterUsage(usage, isWorker);
  const { cpuSeconds } = totalWork(used);
  const invocations = messages / messagesPerBatch / events;
  // The calls of one event are sequential. Rounding drops occasional look-ups that not every event makes.
  const chain =
    Math.round(sumOf(used, ANY_OPERATION) / events) * Math.ceil(events / messages / WORKER_CONCURRENCY);
  return {
    name: 'attribution worker',
    memoryMegabytes,
    invocations,
    cpuSeconds: cpuSeconds / events,
    waits: chain * invocations,
  };
};

/**
 * Resources per event. Sends are counted at the SDK. Lambda's poller adds one receive and one delete for each batch.
 * Empty receives are excluded, because their monthly cost does not depend on the traffic.
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
    infrequent: {
      writeUnits: traffic.infrequent.writeUnits / events,
      readUnits: traffic.infrequent.readUnits / events,
    },
    sqsRequests: sqs / events,
    // A producer of its own decides whether its messages have a group.
    fairRequests: (httpRequests === 0 ? 0 : billedRequests(sends, messageBytes)) / events,
    kmsRequests: sumOf(usage, /^kms /) / events,
    logBytes: logBytes / events,
    bytesOut: bytesOut / events,
  };
};
