import { setTimeout as sleep } from 'node:timers/promises';
import { DynamoDBClient, paginateQuery } from '@aws-sdk/client-dynamodb';
import { LOG_SHARD_BITS_MAXIMUM } from '../../functions/ledger/records/sortIndex/compactSortIndex.ts';
import { logShardsOf } from '../../functions/ledger/records/sortIndex/sortIndexItem.store.ts';
import type { InvocationEvent } from '../../schemas/ingest/invocationEvent.ts';
import { localClient } from '../../test/support/localAws.ts';
import { billedSeconds } from '../cost/costModel.ts';
import { itemSize, unitsOf, WRITE_UNIT_BYTES } from '../cost/itemSize.ts';
import { prices } from '../cost/prices.ts';
import type { Rate } from '../cost/trafficMix.ts';
import type { MeasuredService } from '../support/service.ts';
import { goal, type Row, type Table, table } from '../support/table.ts';
import { BATCH, benchEvent, measure, request, SINGLE } from '../support/traffic.ts';
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

/** Cost of one rate. */
export interface RollupCost {
  readonly label: string;
  /** Events a second of the tenant. */
  readonly rate: Rate;
  /** USD per million events: rollups, and the log and blocks of the index of sorted lists. */
  readonly usd: number;
  readonly parts: Readonly<Record<string, number>>;
  readonly goal: number;
  /** Calls of the rollups worker. */
  readonly used: UsageByFunction;
  readonly perMinute: number;
}

interface Sending {
  readonly label: string;
  readonly rate: Rate;
  readonly perMinute: number;
  /** Sends one event at a time, at the rate itself. Otherwise a minute of events is sent at once, in batches. */
  readonly isPaced: boolean;
  readonly goal: number;
}

/** A tenant with 5,000 events a second has 16 shards, and one with 1,000 has two. A unit of work is a shard and minute, so one shard is measured. */
const SENDINGS: readonly Sending[] = [
  { label: '1/s', rate: 1, perMinute: 60, isPaced: true, goal: 0.8 },
  { label: '10/s', rate: 10, perMinute: 600, isPaced: true, goal: 0.8 },
  { label: '100/s', rate: 100, perMinute: 6_000, isPaced: false, goal: 0.15 },
  { label: '1,000/s (a shard of 2)', rate: 1_000, perMinute: 30_000, isPaced: false, goal: 0.15 },
  { label: '5,000/s (a shard of 16)', rate: 5_000, perMinute: 18_750, isPaced: false, goal: 0.15 },
];

/** Write units of the rows of the log of the sort index, which the attribution worker writes. They stay for 30 days. */
const logUnits = async ({ runtime, sender }: MeasuredService): Promise<number> => {
  const client = new DynamoDBClient(localClient(runtime.endpoints.dynamodb));
  let units = 0;
  for (const shard of logShardsOf(sender.tenant_id, { shardBits: LOG_SHARD_BITS_MAXIMUM })) {
    const pages = paginateQuery(
      { client },
      {
        TableName: runtime.outputs['TableLedger'],
        KeyConditionExpression: 'pk = :shard',
        ExpressionAttributeValues: { ':shard': { S: shard } },
      },
    );
    for await (const { Items = [] } of pages) {
      for (const item of Items) if (item['sortEntries']) units += unitsOf(itemSize(item), WRITE_UNIT_BYTES);
    }
  }
  client.destroy();
  return units;
};

const sendMinute = async (service: MeasuredService, { perMinute, isPaced }: Sending, start: number) => {
  const { runtime, sender } = service;
  const key = sender.api_keys.ingest;
  const events = minuteOf(start, perMinute);
  if (isPaced) {
    for (const event of events) {
      const due = performance.now() + MINUTE_MS / perMinute;
      const now = new Date().toISOString();
      await request(runtime.baseUrl + SINGLE, key, { ...event, occurred_at: now, ingestion_timestamp: now });
      await sleep(Math.max(0, due - performance.now()));
    }
    return;
  }
  const requests = Array.from({ length: Math.ceil(perMinute / BATCH_SIZE) }, (_, at) =>
    events.slice(at * BATCH_SIZE, (at + 1) * BATCH_SIZE),
  );
  await measure(requests.length, 4, async () =>
    request(runtime.baseUrl + BATCH, key, { events: requests.pop() ?? [] }),
  );
};

/** Counts what the rollups and the index of sorted lists consume at each rate. */
export const measureRollups = async (service: MeasuredService, minutes: number): Promise<RollupCost[]> => {
  const { runtime } = service;
  const { memoryMiB } = service.functionOf('WorkersRollups');
  const costs: RollupCost[] = [];
  let next = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS - MINUTE_MS;
  for (const sending of SENDINGS) {
    const { label, rate, perMinute, isPaced, goal: limit } = sending;
    await runtime.idle({ delayed: true });
    const before = service.usage();
    const logBefore = await logUnits(service);
    for (let minute = 0; minute < minutes; minute += 1) {
      await sendMinute(service, sending, next);
      if (!isPaced) await runtime.idle({ delayed: true });
      next -= MINUTE_MS;
    }
    await runtime.idle({ delayed: true });
    const used = subtractUsage(before, service.usage());
    const millions = (minutes * perMinute) / 1e6;
    const log = ((await logUnits(service)) - logBefore) * prices.dynamodbWriteUnit.usd;
    const parts = Object.fromEntries(
      Object.entries({ log, ...costOf(used, memoryMiB) }).map(([part, usd]) => [part, usd / millions]),
    );
    const usd = Object.values(parts).reduce((sum, one) => sum + one, 0);
    costs.push({ label, rate, usd, parts, goal: limit, used: filterUsage(used, isRollups), perMinute });
  }
  return costs;
};

/** Cost of the index and the rollups by event rate, and the calls behind it. */
export const rollupTables = (costs: readonly RollupCost[], minutes: number): Table[] => [
  table(
    'Index and rollups: USD per million events, by event rate of the tenant',
    costs.map(
      ({ label, usd, parts, goal: limit }): Row => ({
        rate: label,
        ...Object.fromEntries(Object.entries(parts).map(([part, cost]) => [part, cost.toFixed(3)])),
        total: usd.toFixed(3),
        goal: goal(usd, limit),
      }),
    ),
    'log: rows of the index that the attribution worker writes. The calls of a worker are assumed to be sequential.',
  ),
  table(
    'Rollups: AWS calls and capacity units per minute of events',
    costs.flatMap(({ label, used }) =>
      callRows(used, minutes).map(({ operation, calls, units }) => ({
        rate: label,
        operation,
        calls,
        units,
      })),
    ),
  ),
];

export const benchRollups = async (service: MeasuredService, minutes: number): Promise<Table[]> =>
  rollupTables(await measureRollups(service, minutes), minutes);
