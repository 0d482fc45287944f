import {
  type AttributeValue,
  BatchWriteItemCommand,
  DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
} from '@aws-sdk/client-dynamodb';
import pMap from 'p-map';
import { type AttributionContext, attribute } from '../functions/attribution/attribute.ts';
import { loadFactors } from '../functions/impact/factors.ts';
import { toVersionItem } from '../functions/ledger/ledger.store.ts';
import { monthsPartitionOf, recordPartitionOf } from '../functions/ledger/ledgerKey.ts';
import { invocationUlid, recordUlid } from '../functions/shared/ids.ts';
import { monthOf } from '../functions/shared/month.ts';
import { Tenant } from '../functions/tenancy/tenant.ts';
import type { InvocationEvent } from '../schemas/ingestion/invocationEvent.ts';
import { prices } from './prices.ts';
import type { MeasuredService } from './service.ts';
import { type Table, table } from './table.ts';
import { benchEvent } from './traffic.ts';

type Item = Record<string, AttributeValue>;

/** Records lie over so many days; every hundred-thousandth is of the rare owner. */
const DAYS = 60;
const HOUR_MILLISECONDS = 60 * 60 * 1_000;
const DAY_MILLISECONDS = 24 * HOUR_MILLISECONDS;
const MINUTE_MILLISECONDS = 60_000;
const NEWEST_HOUR = Math.floor(Date.now() / HOUR_MILLISECONDS) * HOUR_MILLISECONDS - HOUR_MILLISECONDS;
/**
 * Hours that hold records, each in its first minute, epoch milliseconds: the totals of a large ledger are then made of
 * as many minutes as those of a small one, and can be summed while one waits.
 */
export const OCCUPIED_HOURS: readonly number[] = Array.from(
  { length: DAYS * 24 },
  (_, hour) => NEWEST_HOUR - hour * HOUR_MILLISECONDS,
);
const RARE = 100_000;
/** Spans of the trace that is looked up. */
const SPANS = 10;
const SERVICES = 33;
const OWNERS = 20;
/** What one request may put. */
const PUT_AT_ONCE = 25;
const CONCURRENCY = 8;

export const RARE_OWNER = 'team-rare';
export const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';

/** What the pages of a filled ledger are asked for. */
export interface SampleIds {
  readonly invocation: string;
}

const MODELS = [
  ['openai', 'gpt-4o'],
  ['openai', 'gpt-4o-mini'],
  ['anthropic', 'claude-sonnet-4-5'],
  ['google', 'gemini-2.5-flash'],
  ['nobody', 'unheard-of'],
] as const;

/** The event of a place in the ledger: services, each with its owner and model, surenesses and sizes in turn. */
const pagedEventAt = (index: number): InvocationEvent => {
  const service = index % SERVICES;
  const [provider, requested_model] = MODELS[service % MODELS.length] ?? MODELS[0];
  const { attributed_identity: _owner, attributed_service: _service, ...event } = benchEvent();
  const owner = index % RARE === 7 ? RARE_OWNER : `team-${service % OWNERS}`;
  return {
    ...event,
    provider,
    requested_model,
    input_tokens: 400 + (index % 1_000),
    cached_input_tokens: 400,
    ...(index % 9 !== 0 && { attributed_identity: owner, attributed_service: `service-${service}` }),
    attribution_confidence: 0.3 + (index % 60) / 100,
    ...(index < SPANS && { trace_id: TRACE }),
  };
};

/** Records by their place in the ledger, and what the tenant has to say of them. */
export interface LedgerLoad {
  readonly eventAt: (index: number) => InvocationEvent;
  readonly context?: AttributionContext;
}

/** Writes the reader's records straight into its tables, as the worker would; the engine has counted enough elsewhere. */
export const ledgerLoader = async (
  { runtime, reader }: MeasuredService,
  { eventAt, context = {} }: LedgerLoad = { eventAt: pagedEventAt },
) => {
  const client = new DynamoDBClient({
    endpoint: runtime.endpoints.dynamodb,
    region: 'us-east-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  });
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
  let landmarks: SampleIds = { invocation: '' };

  const put = (TableName: string, item: Item) => client.send(new PutItemCommand({ TableName, Item: item }));

  const versionAt = async (index: number, of: number): Promise<Item> => {
    const event = eventAt(index);
    const position = (index / of) * OCCUPIED_HOURS.length;
    const hour = OCCUPIED_HOURS[Math.floor(position)] ?? NEWEST_HOUR;
    const occurredAt = hour + Math.floor((1 - (position % 1)) * (MINUTE_MILLISECONDS - 1));
    const arrived = { occurredAt, receivedAt: occurredAt + 1_000, residency: null };
    const attribution = attribute(event, arrived, tenant, factors, context);
    const ulid = recordUlid(tenantId, event.event_id, occurredAt);
    if (index < SPANS) {
      const claim = `${tenantId}#${invocationUlid(tenantId, event.event_id)}`;
      await put(nameOf('TableClaims'), { pk: { S: claim }, record: { S: ulid } });
      await put(nameOf('TableTraces'), { pk: { S: `${tenantId}#${TRACE}` }, sk: { S: ulid } });
      landmarks = { invocation: attribution.record.invocation_id };
    }
    const expires = Math.ceil(occurredAt / 1_000) + 700 * 86_400;
    return toVersionItem(recordPartitionOf(tenant, ulid), ulid, attribution, expires);
  };

  const putAll = async (items: readonly Item[]): Promise<void> => {
    const requests = items.map((one) => ({ PutRequest: { Item: one } }));
    await client.send(new BatchWriteItemCommand({ RequestItems: { [nameOf('TableLedger')]: requests } }));
  };

  return {
    /** Puts so many records. */
    load: async (records: number): Promise<SampleIds> => {
      for (let day = 0; day <= DAYS; day += 1) {
        const month = monthOf(NEWEST_HOUR - day * DAY_MILLISECONDS);
        await put(nameOf('TableLedger'), { pk: { S: monthsPartitionOf(tenantId) }, sk: { S: month } });
      }
      const batches = Array.from({ length: Math.ceil(records / PUT_AT_ONCE) }, (_, at) => at * PUT_AT_ONCE);
      await pMap(
        batches,
        async (from) => {
          const indexes = Array.from({ length: Math.min(PUT_AT_ONCE, records - from) }, (_, at) => from + at);
          await putAll(await Promise.all(indexes.map((index) => versionAt(index, records))));
        },
        { concurrency: CONCURRENCY },
      );
      return landmarks;
    },
    /** What one record takes in the table and in each index, as the engine counts it. */
    indexCosts: async (): Promise<Table> => {
      const { ConsumedCapacity } = await client.send(
        new PutItemCommand({
          TableName: nameOf('TableLedger'),
          Item: await versionAt(SPANS, SPANS + 1),
          ReturnConsumedCapacity: 'INDEXES',
        }),
      );
      const counted = [
        ['the record itself', ConsumedCapacity?.Table],
        ...Object.entries(ConsumedCapacity?.LocalSecondaryIndexes ?? {}),
      ] as const;
      return table(
        'What the ledger and its indexes take for a million events',
        counted.map(([what, consumed]) => {
          const units = consumed?.CapacityUnits ?? Number.NaN;
          return {
            what,
            'write units an event': units,
            usd: (units * prices.dynamodbWriteUnit.usd * 1e6).toFixed(3),
          };
        }),
      );
    },
    stop: () => client.destroy(),
  };
};
