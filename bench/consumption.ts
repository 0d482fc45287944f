import type { FunctionUsage } from '../local/lambda/meter.ts';
import type { Consumption, FunctionConsumption } from './costModel.ts';

/** Usage by function, as the runtime counts it at the SDK. */
export type UsageByFunction = Readonly<Record<string, FunctionUsage>>;

/** What happened between two counts. */
export const difference = (before: UsageByFunction, after: UsageByFunction): Record<string, FunctionUsage> =>
  Object.fromEntries(
    Object.entries(after).map(([name, now]) => {
      const then = before[name];
      const calls = Object.entries(now.calls).map(([operation, { calls: count, capacity }]) => [
        operation,
        {
          calls: count - (then?.calls[operation]?.calls ?? 0),
          capacity: capacity - (then?.calls[operation]?.capacity ?? 0),
        },
      ]);
      return [
        name,
        {
          invocations: now.invocations - (then?.invocations ?? 0),
          cpuMicros: now.cpuMicros - (then?.cpuMicros ?? 0),
          calls: Object.fromEntries(calls),
        },
      ];
    }),
  );

const READS = /^dynamodb (?:GetItem|Query)/;
const WRITES = /^dynamodb (?:PutItem|UpdateItem|DeleteItem)/;
const KEYS = /^kms /;

/** Sums calls or capacity units over the operations that match. */
const sumOf = (usage: UsageByFunction, operations: RegExp, quantity: 'calls' | 'capacity'): number =>
  Object.values(usage)
    .flatMap(({ calls }) => Object.entries(calls))
    .filter(([operation]) => operations.test(operation))
    .reduce((sum, [, counted]) => sum + counted[quantity], 0);

/** Memory of each function, and how many AWS calls of one invocation wait for one another; from the stack and the code. */
const shapes = [
  { match: /^UnitsIngestion/, name: 'ingestion', memoryMegabytes: 512, waits: 3 },
  { match: /^WorkersAttribution/, name: 'attribution worker', memoryMegabytes: 1_024, waits: 2 },
] as const;

/** Bytes of an access log line; functions write nothing when they succeed. */
const ACCESS_LOG_BYTES = 150;
/** SQS bills a request by 64 KB of what it carries. */
const SQS_CHUNK_BYTES = 64 * 1_024;
/** Messages that Lambda's poller receives and deletes at once under steady traffic; the embedded one waits 100 ms at most. */
const POLLER_BATCH = 10;

/** How much was sent between two counts. */
export interface Traffic {
  readonly events: number;
  readonly httpRequests: number;
  readonly messages: number;
  readonly messageBytes: number;
}

/** What one event took. Sends are counted at the SDK; receives and deletes are Lambda's own and follow from the messages. */
export const consumptionOf = (usage: UsageByFunction, traffic: Traffic): Consumption => {
  const { events, httpRequests, messages, messageBytes } = traffic;
  const functions: FunctionConsumption[] = shapes.flatMap(({ match, name, memoryMegabytes, waits }) =>
    Object.entries(usage)
      .filter(([logicalId, { invocations }]) => match.test(logicalId) && invocations > 0)
      .map(([, counted]) => {
        const invocations =
          name === 'ingestion' ? counted.invocations : Math.min(counted.invocations, messages / POLLER_BATCH);
        return {
          name,
          memoryMegabytes,
          invocations: invocations / events,
          cpuSeconds: counted.cpuMicros / 1e6 / events,
          waits: (waits * invocations) / events,
        };
      }),
  );
  const sent = messages * Math.ceil(messageBytes / SQS_CHUNK_BYTES);
  const received = Math.max(messages / POLLER_BATCH, (messages * messageBytes) / SQS_CHUNK_BYTES);
  return {
    httpRequests: httpRequests / events,
    functions,
    writeUnits: sumOf(usage, WRITES, 'capacity') / events,
    indexWriteUnits: 0,
    readUnits: sumOf(usage, READS, 'capacity') / events,
    sqsRequests: (sent + received + messages / POLLER_BATCH) / events,
    kmsRequests: sumOf(usage, KEYS, 'calls') / events,
    logBytes: (httpRequests * ACCESS_LOG_BYTES) / events,
  };
};

/** AWS calls and capacity units for one event, by operation, for people to read. */
export const callRows = (usage: UsageByFunction, events: number) =>
  Object.entries(usage).flatMap(([name, { calls }]) =>
    Object.entries(calls)
      .filter(([, counted]) => counted.calls > 0)
      .map(([operation, counted]) => ({
        function: name.replace(/Function[0-9A-F]{8}$/, ''),
        operation: operation.replace(/Command$/, ''),
        calls: Number((counted.calls / events).toFixed(4)),
        units: Number((counted.capacity / events).toFixed(4)),
      })),
  );
