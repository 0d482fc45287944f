import {
  type AttributeValue,
  BatchWriteItemCommand,
  DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
} from '@aws-sdk/client-dynamodb';
import pMap from 'p-map';
import { type AttributionContext, attribute } from '../../functions/attribution/engine/attribute.ts';
import { loadFactors } from '../../functions/impact/factors.ts';
import { toVersionItem } from '../../functions/ledger/records/ledger.store.ts';
import {
  directoryKeyOf,
  directoryPartitionOf,
  recordPartitionOf,
} from '../../functions/ledger/records/ledgerKey.ts';
import { type SortEntry, sortEntryOf } from '../../functions/ledger/records/sortIndex/sortEntry.ts';
import { toBlockItem } from '../../functions/ledger/records/sortIndex/sortIndexItem.store.ts';
import { invocationUlid, recordUlid } from '../../functions/platform/shared/ids.ts';
import { monthOf } from '../../functions/platform/shared/time/month.ts';
import { timeOfUlid } from '../../functions/platform/shared/ulid.ts';
import { Tenant } from '../../functions/platform/tenancy/tenant.ts';
import type { InvocationEvent } from '../../schemas/ingest/invocationEvent.ts';
import { localClient } from '../../test/support/localAws.ts';
import { prices } from '../cost/prices.ts';
import type { MeasuredService } from '../support/service.ts';
import { type Table, table } from '../support/table.ts';
import { benchEvent } from '../support/traffic.ts';

type Item = Record<string, AttributeValue>;

/** The records are spread over this many days. */
const DAYS = 60;
const HOUR_MS = 60 * 60 * 1_000;
const DAY_MS = 24 * HOUR_MS;
const MINUTE_MS = 60_000;
const NEWEST_HOUR = Math.floor(Date.now() / HOUR_MS) * HOUR_MS - HOUR_MS;
/**
 * Hours that contain records, in epoch milliseconds. All records of an hour are in its first minute, so that a large ledger
 * has as many rollup minutes as a small one and rollups are rebuilt quickly.
 */
export const OCCUPIED_HOURS: readonly number[] = Array.from(
  { length: DAYS * 24 },
  (_, hour) => NEWEST_HOUR - hour * HOUR_MS,
);
/** One record in this many belongs to the rare owner. */
const RARE_OWNER_INTERVAL = 100_000;
/** Number of spans of the trace that the queries look up. */
const TRACE_SPANS = 10;
const SERVICES = 33;
const OWNERS = 20;
/** Maximum items of one BatchWriteItem request. */
const WRITE_BATCH_SIZE = 25;
const CONCURRENCY = 8;
const BLOCK_ENTRIES = 1_024;

export const RARE_OWNER = 'team-rare';
export const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';

/** Ids of loaded records that the queries use. */
export interface SampleIds {
  readonly invocation: string;
}

const MODELS = [
  ['openai', 'gpt-4o'],
  ['openai', 'gpt-4o-mini'],
  ['anthropic', 'claude-sonnet-4-5'],
  ['google', 'gemini-2.5-flash'],
  ['unknown-provider', 'unknown-model'],
] as const;

/** The event at an index. Each service has one owner and one model. Confidence and token counts vary with the index. */
export const callOfLedger = (index: number): InvocationEvent => {
  const service = index % SERVICES;
  const [provider, requested_model] = MODELS[service % MODELS.length] ?? MODELS[0];
  const { attributed_identity: _owner, attributed_service: _service, ...event } = benchEvent();
  const owner = index % RARE_OWNER_INTERVAL === 7 ? RARE_OWNER : `team-${service % OWNERS}`;
  return {
    ...event,
    provider,
    requested_model,
    input_tokens: 400 + (index % 1_000),
    cached_input_tokens: 400,
    ...(index % 9 !== 0 && { attributed_identity: owner, attributed_service: `service-${service}` }),
    attribution_confidence: 0.3 + (index % 60) / 100,
    ...(index < TRACE_SPANS && { trace_id: TRACE }),
  };
};

/** Generates the events by index, and the attribution context of the tenant. */
export interface LedgerLoad {
  readonly eventAt: (index: number) => InvocationEvent;
  readonly context?: AttributionContext;
}

/** Writes records of the reader tenant directly to its tables, in the format of the worker. These writes are not measured. */
export const ledgerLoader = async (
  { runtime, reader }: MeasuredService,
  { eventAt, context = {} }: LedgerLoad = { eventAt: callOfLedger },
) => {
  const client = new DynamoDBClient(localClient(runtime.endpoints.dynamodb));
  const nameOf = (output: string): string => runtime.outputs[output] ?? '';
  const { Item } = await client.send(
    new GetItemCommand({
      TableName: nameOf('TableTenants'),
      Key: { pk: { S: `tenant#${reader.tenant_id}` } },
    }),
  );
  const tenant = Tenant.parse(JSON.parse(Item?.['document']?.S ?? '{}'));
  const { tenant_id: tenantId } = tenant;
  const factors = await loadFactors();
  let sampleIds: SampleIds = { invocation: '' };

  const put = (TableName: string, item: Item) => client.send(new PutItemCommand({ TableName, Item: item }));

  /** Sort entries of loaded records that are not in a block yet. */
  let sortEntries: SortEntry[] = [];
  /** Writes blocks of the size that merging leaves for a tenant with a call every two seconds. */
  const putBlocks = async (): Promise<void> => {
    const byMonth = Map.groupBy(sortEntries, ({ ulid }) => monthOf(timeOfUlid(ulid)));
    sortEntries = [];
    for (const [month, found] of byMonth) {
      for (let at = 0; at < found.length; at += BLOCK_ENTRIES) {
        const some = found.slice(at, at + BLOCK_ENTRIES);
        await put(nameOf('TableLedger'), toBlockItem(tenantId, month, 'merged', some));
      }
    }
  };

  const versionAt = async (index: number, total: number): Promise<Item> => {
    const event = eventAt(index);
    const position = (index / total) * OCCUPIED_HOURS.length;
    const hour = OCCUPIED_HOURS[Math.floor(position)] ?? NEWEST_HOUR;
    const occurredAt = hour + Math.floor((1 - (position % 1)) * (MINUTE_MS - 1));
    const arrival = { occurredAt, receivedAt: occurredAt + 1_000, residency: null };
    const attribution = attribute(event, arrival, tenant, factors, context);
    const ulid = recordUlid(tenantId, event.event_id, occurredAt);
    if (index < TRACE_SPANS) {
      const claim = `${tenantId}#${invocationUlid(tenantId, event.event_id)}`;
      await put(nameOf('TableClaims'), { pk: { S: claim }, record: { S: ulid } });
      await put(nameOf('TableTraces'), { pk: { S: `${tenantId}#${TRACE}` }, sk: { S: ulid } });
      sampleIds = { invocation: attribution.record.invocation_id };
    }
    sortEntries.push(sortEntryOf(attribution.record, ulid));
    const expires = Math.ceil(occurredAt / 1_000) + 700 * 86_400;
    return toVersionItem(recordPartitionOf(tenant, ulid), ulid, attribution, expires);
  };

  const putAll = async (items: readonly Item[]): Promise<void> => {
    const requests = items.map((one) => ({ PutRequest: { Item: one } }));
    await client.send(new BatchWriteItemCommand({ RequestItems: { [nameOf('TableLedger')]: requests } }));
  };

  return {
    /** Writes this many records. Resolves to ids for the queries. */
    load: async (records: number): Promise<SampleIds> => {
      for (let day = 0; day <= DAYS; day += 1) {
        const month = monthOf(NEWEST_HOUR - day * DAY_MS);
        await put(nameOf('TableLedger'), {
          pk: { S: directoryPartitionOf(tenantId) },
          sk: { S: directoryKeyOf(month, 0) },
        });
      }
      const batches = Array.from(
        { length: Math.ceil(records / WRITE_BATCH_SIZE) },
        (_, at) => at * WRITE_BATCH_SIZE,
      );
      await pMap(
        batches,
        async (from) => {
          const indexes = Array.from(
            { length: Math.min(WRITE_BATCH_SIZE, records - from) },
            (_, at) => from + at,
          );
          await putAll(await Promise.all(indexes.map((index) => versionAt(index, records))));
        },
        { concurrency: CONCURRENCY },
      );
      await putBlocks();
      return sampleIds;
    },
    /** Write units of one record, as the engine counts them. */
    recordCosts: async (): Promise<Table> => {
      const { ConsumedCapacity } = await client.send(
        new PutItemCommand({
          TableName: nameOf('TableLedger'),
          Item: await versionAt(TRACE_SPANS, TRACE_SPANS + 1),
          ReturnConsumedCapacity: 'TOTAL',
        }),
      );
      const units = ConsumedCapacity?.CapacityUnits ?? Number.NaN;
      return table('Ledger writes: USD per million events', [
        { 'write units/event': units, usd: (units * prices.dynamodbWriteUnit.usd * 1e6).toFixed(3) },
      ]);
    },
    stop: () => client.destroy(),
  };
};
