import type { InvocationEvent } from '../schemas/ingestion/invocationEvent.ts';
import { billedSeconds } from './costModel.ts';
import { prices } from './prices.ts';
import type { MeasuredService } from './service.ts';
import { goal, type Row, type Table, table } from './table.ts';
import { BATCH, benchEvent, measure, request } from './traffic.ts';
import { callRows, filterUsage, subtractUsage, sumOf, totalWork, type UsageByFunction } from './usage.ts';

const MINUTE = 60_000;
const BATCH_SIZE = 100;
/** Cost of indexes and rollups together for a million events, in USD. */
const GOAL_USD = 1.3;
/** Two local secondary indexes, one write unit of the smallest size for each record. */
const INDEX_USD = 2 * prices.dynamodbWriteUnit.usd * 1e6;

const isRollups = /^WorkersRollups/;
const isWorker = /^WorkersAttribution/;

/** Events of a minute: 33 services of 20 owners on 5 models, as many as there are events for. */
const minuteOf = (start: number, events: number): InvocationEvent[] =>
  Array.from({ length: events }, (_, index) => ({
    ...benchEvent(),
    occurred_at: new Date(start + Math.floor((index / events) * MINUTE)).toISOString(),
    attributed_service: `service-${index % 33}`,
    attributed_identity: `team-${(index % 33) % 20}`,
    requested_model: ['gpt-4o', 'gpt-4o-mini', 'gpt-4.1', 'o3', 'o4-mini'][(index % 33) % 5] ?? 'gpt-4o',
  }));

const dollarsOf = (used: UsageByFunction, memoryMegabytes: number): Record<string, number> => {
  const rollups = filterUsage(used, isRollups);
  const { invocations, cpuSeconds } = totalWork(rollups);
  const function_ = {
    name: 'rollups',
    memoryMegabytes,
    invocations,
    cpuSeconds,
    waits: sumOf(rollups, /./),
  };
  const gigabyteSeconds = billedSeconds(function_) * (memoryMegabytes / 1_024);
  const write = /^dynamodb (?:Put|Update|Delete|Transact)/;
  const read = /^dynamodb (?:Get|Query)/;
  // Each message is sent, and received and deleted with others: as if it came alone.
  const messages = sumOf(filterUsage(used, isWorker), /^sqs SendMessageCommand/);
  return {
    writes: sumOf(rollups, write, 'capacity') * prices.dynamodbWriteUnit.usd,
    reads: sumOf(rollups, read, 'capacity') * prices.dynamodbReadUnit.usd,
    compute: gigabyteSeconds * prices.lambdaGigabyteSecond.usd + invocations * prices.lambdaRequest.usd,
    queue: 3 * messages * prices.sqsRequest.usd,
  };
};

/** What keeping the totals of a tenant takes, by how many events a minute has; index writes of the ledger beside it. */
export const benchRollups = async (service: MeasuredService, minutes: number): Promise<Table[]> => {
  const { runtime, sender } = service;
  const { memoryMiB } = service.functionOf('WorkersRollups');
  const send = (events: readonly InvocationEvent[]) =>
    request(runtime.baseUrl + BATCH, sender.api_keys.ingest, { events });
  const rows: Row[] = [];
  const operations: Row[] = [];
  let next = Math.floor(Date.now() / MINUTE) * MINUTE - MINUTE;
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
      next -= MINUTE;
    }
    const used = subtractUsage(before, service.usage());
    const events = minutes * perMinute;
    const dollars = dollarsOf(used, memoryMiB);
    const usd = (Object.values(dollars).reduce((sum, one) => sum + one, 0) / events) * 1e6;
    rows.push({
      'events a minute': perMinute,
      'sums of each minute': sumOf(filterUsage(used, isRollups), /PutItem|Transact/) / 3 / minutes,
      'µ$ a minute': usd * perMinute,
      ...Object.fromEntries(
        Object.entries(dollars).map(([what, sum]) => [what, ((sum / events) * 1e6).toFixed(3)]),
      ),
      'rollups, $': usd.toFixed(3),
      'with indexes, $': (usd + INDEX_USD).toFixed(3),
      goal: goal(usd + INDEX_USD, GOAL_USD),
    });
    operations.push(
      ...callRows(filterUsage(used, isRollups), minutes).map(({ operation, calls, units }) => ({
        'events a minute': perMinute,
        operation,
        calls,
        units,
      })),
    );
  }
  return [
    table(
      'Indexes and rollups: USD for a million events, by how busy a tenant is',
      rows,
      'Sums follow from minutes in which anything happened, not from events: a quiet tenant costs more for each event, and less in all.',
      `The indexes take ${INDEX_USD.toFixed(2)} whatever happens. Each call of a worker is taken to wait for the one before.`,
    ),
    table('Rollups: AWS calls and capacity units for one minute of events', operations),
  ];
};
