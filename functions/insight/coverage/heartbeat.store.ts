import { type AttributeValue, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import * as z from 'zod';
import { DAY_SECONDS } from '../../../schemas/durations.ts';
import { PathwayCategory } from '../../../schemas/ingest/invocationEvent.ts';
import { HEARTBEAT_RETENTION_DAYS } from '../../../schemas/insight/coverage.ts';
import { optionalCall } from '../../platform/shared/aws/calls/optionalCall.ts';
import { dynamodb } from '../../platform/shared/aws/dynamodb.client.ts';
import { queryPages } from '../../platform/shared/aws/queryPages.store.ts';
import { sha256Of } from '../../platform/shared/hash.ts';
import { readRow } from '../../platform/shared/readRow.ts';
import { slotKey, slotStart } from './timeSlot.ts';

/** Most rows read per tenant, newest first. It limits the cost of a tenant whose layer names change all the time. */
const ROWS_MAXIMUM = 10_000;

/** The layer, source system and residency lane that captured calls of a pathway. */
export const Capture = z.object({
  pathway_category: PathwayCategory,
  ingestion_layer: z.string(),
  source_system: z.string().nullable(),
  residency: z.string().nullable(),
});
export type Capture = z.infer<typeof Capture>;

/** The time slots in which a capture was active, ascending (epoch milliseconds). */
export interface Observation {
  readonly capture: Capture;
  readonly slots: readonly number[];
}

export interface HeartbeatStore {
  /** Adds a time slot to the slots of its day. Idempotent and independent of order. */
  readonly add: (tenantId: string, capture: Capture, slot: number) => Promise<void>;
}

export interface HeartbeatReader {
  /** Observations with slots since an instant (epoch milliseconds). */
  readonly observations: (tenantId: string, since: number) => Promise<Observation[]>;
}

const partitionOf = (tenantId: string): string => `${tenantId}#seen`;

/** Digest of the names. Names may be long and contain any character, so they cannot be part of the key. */
const captureKey = (capture: Capture): string =>
  sha256Of('capture', JSON.stringify(Object.values(capture)))
    .toString('base64url')
    .slice(0, 22);

export const heartbeatStore = (table: string): HeartbeatStore => ({
  add: async (tenantId, capture, slot) => {
    const { day, index } = slotKey(slot);
    await dynamodb.send(
      new UpdateItemCommand({
        TableName: table,
        Key: { pk: { S: partitionOf(tenantId) }, sk: { S: `${day}#${captureKey(capture)}` } },
        // ADD on a set is idempotent, so concurrent writers need no coordination.
        UpdateExpression: 'ADD slots :slot SET #capture = :capture, #ttl = :ttl',
        ExpressionAttributeNames: { '#capture': 'capture', '#ttl': 'ttl' },
        ExpressionAttributeValues: {
          ':slot': { NS: [String(index)] },
          ':capture': { S: JSON.stringify(capture) },
          ':ttl': { N: String(slotStart(day, 0) / 1_000 + (HEARTBEAT_RETENTION_DAYS + 1) * DAY_SECONDS) },
        },
      }),
      optionalCall(),
    );
  },
});

const slotsIn = (item: Record<string, AttributeValue>): number[] => {
  const day = (item['sk']?.S ?? '').slice(0, 10);
  return (item['slots']?.NS ?? []).map((index) => slotStart(day, Number(index)));
};

export const heartbeatReader = (table: string): HeartbeatReader => ({
  observations: async (tenantId, since) => {
    const byCapture = new Map<string, { capture: Capture; slots: number[] }>();
    const query = {
      TableName: table,
      KeyConditionExpression: 'pk = :pk AND sk >= :from',
      ExpressionAttributeValues: {
        ':pk': { S: partitionOf(tenantId) },
        ':from': { S: slotKey(since).day },
      },
      ScanIndexForward: false,
      ConsistentRead: true,
    };
    let rows = 0;
    for await (const items of queryPages(query)) {
      for (const item of items) {
        const key = (item['sk']?.S ?? '').slice(11);
        const [known] = readRow({ table, pk: partitionOf(tenantId), sk: item['sk']?.S }, () => [
          byCapture.get(key) ?? { capture: Capture.parse(JSON.parse(item['capture']?.S ?? '')), slots: [] },
        ]);
        if (known === undefined) continue;
        known.slots.push(...slotsIn(item).filter((slot) => slot >= since));
        byCapture.set(key, known);
      }
      rows += items.length;
      if (rows >= ROWS_MAXIMUM) break;
    }
    return [...byCapture.values()]
      .filter(({ slots }) => slots.length > 0)
      .map(({ capture, slots }) => ({ capture, slots: slots.sort((one, other) => one - other) }));
  },
});
