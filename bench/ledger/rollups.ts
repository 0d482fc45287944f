import type { InvocationEvent } from '../../schemas/ingestion/invocationEvent.ts';
import { billedSeconds } from '../cost/costModel.ts';
import { prices } from '../cost/prices.ts';
import type { MeasuredService } from '../support/service.ts';
import { goal, type Row, type Table, table } from '../support/table.ts';
import { BATCH, benchEvent, measure, request } from '../support/traffic.ts';
import {
  callRows,
  filterUsage,
  subtractUsage,
  sumOf,
  totalWork,
  type UsageByFunction,
} from '../support/usage.ts';

const MINUTE_MS = 60_000;
const BATCH_SIZE = 100;
/** Cost of indexes and rollups together, in USD per million events. */
const GOAL_USD = 1.3;
/** USD per million events of two local secondary indexes, with one write unit per record each. */
const INDEX_USD = 2 * prices.dynamodbWriteUnit.usd * 1e6;

const isRollups = /^WorkersRollups/;
const isWorker = /^WorkersAttribution/;

/** Events of one minute, spread over 33 services, 20 owners and 5 models. */
const minuteOf = (start: number, events: number): InvocationEvent[] =>
  Array.from({ length: events }, (_, index) => ({
    ...benchEvent(),
    occurred_at: new Date(start + Math.floor((index / events) * MINUTE_MS)).toISOString(),
    attributed_service: `service-${index % 33}`,
    attributed_identity: `team-${(index % 33) % 20}`,
    requested_model: ['gpt-4o', 'gpt-4o-mini', 'gpt-4.1', 'o3', 'o4-mini'][(index % 33) % 5] ?? 'gpt-4o',
  }));

const costOf = (used: UsageByFunction, memoryMegabytes: number): Record<string, number> => {
  const rollups = filterUsage(used, isRollups);
  const { invocations, cpuSeconds } = totalWork(rollups);
  const consumed = {
    name: 'rollups',
    memoryMegabytes,
    invocations,
    cpuSeconds,
    waits: sumOf(rollups, /./),
  };
  const gigabyteSeconds = billedSeconds(consumed) * (memoryMegabytes / 1_024);
  const write = /^dynamodb (?:Put|Update|Delete|Transact)/;
  const read = /^dynamodb (?:Get|Query)/;
  // One send, one receive and one delete per message: an upper bound, because receives and deletes are batched.
  const messages = sumOf(filterUsage(used, isWorker), /^sqs SendMessageCommand/);
  return {
    writes: sumOf(rollups, write, 'capacity') * prices.dynamodbWriteUnit.usd,
    reads: sumOf(rollups, read, 'capacity') * prices.dynamodbReadUnit.usd,
    compute: gigabyteSeconds * prices.lambdaGigabyteSecond.usd + invocations * prices.lambdaRequest.usd,
    queue: 3 * messages * prices.sqsRequest.usd,
  };
};

/** Cost of the rollups by events per minute, with the cost of the ledger index writes for comparison. */
export const benchRollups = async (service: MeasuredService, minutes: number): Promise<Table[]> => {
  const { runtime, sender } = service;
  const { memoryMiB } = service.functionOf('WorkersRollups');
  const send = (events: readonly InvocationEvent[]) =>
    request(runtime.baseUrl + BATCH, sender.api_keys.ingest, { events });
  const rows: Row[] = [];
  const operations: Row[] = [];
  let next = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS - MINUTE_MS;
  for (const perMinute of [10, 100, 1_000, 5_000]) {
    await runtime.idle({ delayed: true });
    const before = service.usage();
    for (let minute = 0; minute < minutes; minute += 1) {
      const events = minuteOf(next, perMinute);
      const requests = Array.from({ length: Math.ceil(perMinute / BATCH_SIZE) }, (_, at) =>
        events.slice(at * BATCH_SIZE, (at + 1) * BATCH_SIZE),
      );
      await measure(requests.length, 4, async () => send(requests.pop() ?? []));
      await runtime.idle({ delayed: true });
      next -= MINUTE_MS;
    }
    const used = subtractUsage(before, service.usage());
    const events = minutes * perMinute;
    const costs = costOf(used, memoryMiB);
    const usd = (Object.values(costs).reduce((sum, one) => sum + one, 0) / events) * 1e6;
    rows.push({
      'events/minute': perMinute,
      'rollup writes/minute': sumOf(filterUsage(used, isRollups), /PutItem|Transact/) / 3 / minutes,
      'µ$/minute': usd * perMinute,
      ...Object.fromEntries(
        Object.entries(costs).map(([what, sum]) => [what, ((sum / events) * 1e6).toFixed(3)]),
      ),
      'rollups, $': usd.toFixed(3),
      'with indexes, $': (usd + INDEX_USD).toFixed(3),
      goal: goal(usd + INDEX_USD, GOAL_USD),
    });
    operations.push(
      ...callRows(filterUsage(used, isRollups), minutes).map(({ operation, calls, units }) => ({
        'events/minute': perMinute,
        operation,
        calls,
        units,
      })),
    );
  }
  return [
    table(
      'Indexes and rollups: USD per million events, by event rate of the tenant',
      rows,
      'Rollup cost depends on the number of active minutes, not on events. A low rate costs more per event and less in total.',
      `Index writes cost USD ${INDEX_USD.toFixed(2)} at every rate. The calls of a worker are assumed to be sequential.`,
    ),
    table('Rollups: AWS calls and capacity units per minute of events', operations),
  ];
};
