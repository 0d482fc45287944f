import { DeleteItemCommand, GetItemCommand, PutItemCommand, QueryCommand } from '@aws-sdk/client-dynamodb';
import { DAY_MS, MINUTE_MS } from '../../../schemas/durations.ts';
import { dynamodb } from '../../platform/shared/aws/dynamodb.client.ts';
import { cacheLookups } from '../../platform/shared/caches/lookupCache.ts';
import { sha256Of } from '../../platform/shared/hash.ts';
import type { Clock } from '../../platform/shared/time/clock.ts';
import { utcDateOf } from '../../platform/shared/time/toIso.ts';
import { timeOfUlid } from '../../platform/shared/ulid.ts';
import { RETENTION_MILLISECONDS } from './ledgerItem.ts';

/** Partitions that hold the list. Every tenant writes to it after midnight UTC. */
const PARTITIONS = 8;
/** Days that a process remembers to have listed. */
const KNOWN_MAXIMUM = 10_000;
/** How long it remembers them. A restore or an erasure may delete the list while a process writes. */
const KNOWN_MS = 10 * MINUTE_MS;

/** Rows of a day of calls that were written on one day, and that may be in no file of the archive. Days are in UTC. */
export interface UnarchivedDay {
  readonly tenant_id: string;
  readonly day: string;
  /** The day on which the rows were written. Their expiry follows from it. */
  readonly written: string;
}

/** No tenant id is empty, so the partition is that of no tenant. */
const partitionOf = (index: number): string => `#unarchived#${index}`;
const keyOf = ({ tenant_id, day, written }: UnarchivedDay) => ({
  pk: { S: partitionOf((sha256Of(tenant_id)[0] ?? 0) % PARTITIONS) },
  sk: { S: `${written}#${tenant_id}#${day}` },
});

const unarchivedDayOf = (sortKey: string): UnarchivedDay => {
  const [written = '', tenant_id = '', day = ''] = sortKey.split('#');
  return { tenant_id, day, written };
};

/** The tenant in the sort key of a listed day. */
export const tenantOfUnarchivedDay = (sortKey: string): string => unarchivedDayOf(sortKey).tenant_id;

/** Lists the day of a row before the row is written, once in a process for each day of calls and day of writing. */
export type ListUnarchivedDay = (tenantId: string, ulid: string, writtenAt: number) => Promise<void>;

export const unarchivedDayWriter = (table: string, clock: Clock): ListUnarchivedDay => {
  const list = cacheLookups(
    async (sortKey) => {
      const listed = unarchivedDayOf(sortKey);
      const Key = keyOf(listed);
      // A read costs a tenth of a write, and most processes find the row of another one.
      const { Item } = await dynamodb.send(new GetItemCommand({ TableName: table, Key }));
      if (Item === undefined) {
        const ttl = Math.ceil((Date.parse(listed.written) + DAY_MS + RETENTION_MILLISECONDS) / 1_000);
        await dynamodb.send(
          new PutItemCommand({ TableName: table, Item: { ...Key, ttl: { N: String(ttl) } } }),
        );
      }
      return true;
    },
    { lifetime: KNOWN_MS, capacity: KNOWN_MAXIMUM, clock },
  );
  return async (tenantId, ulid, writtenAt) => {
    const day = { tenant_id: tenantId, day: utcDateOf(timeOfUlid(ulid)), written: utcDateOf(writtenAt) };
    await list(keyOf(day).sk.S);
  };
};

export interface UnarchivedDays {
  /**
   * The days whose rows were written before `before` (a day), oldest first within each partition. `after` is the `next` of
   * the page before.
   */
  readonly page: (
    before: string,
    after: string | null,
    limit: number,
  ) => Promise<{ readonly items: UnarchivedDay[]; readonly next: string | null }>;
  readonly remove: (day: UnarchivedDay) => Promise<void>;
}

export const unarchivedDays = (table: string): UnarchivedDays => ({
  page: async (before, after, limit) => {
    const [index = '0', ...rest] = after?.split('|') ?? [];
    const start = rest.join('|');
    const { Items = [], LastEvaluatedKey } = await dynamodb.send(
      new QueryCommand({
        TableName: table,
        KeyConditionExpression:
          start === '' ? 'pk = :pk AND sk < :before' : 'pk = :pk AND sk BETWEEN :after AND :before',
        ExpressionAttributeValues: {
          ':pk': { S: partitionOf(Number(index)) },
          ':before': { S: before },
          ...(start !== '' && { ':after': { S: `${start}~` } }),
        },
        Limit: limit,
      }),
    );
    const items = Items.map((item) => unarchivedDayOf(item['sk']?.S ?? ''));
    const last = LastEvaluatedKey?.['sk']?.S;
    if (last !== undefined) return { items, next: `${index}|${last}` };
    const following = Number(index) + 1;
    return { items, next: following < PARTITIONS ? `${following}|` : null };
  },
  remove: async (day) => {
    await dynamodb.send(new DeleteItemCommand({ TableName: table, Key: keyOf(day) }));
  },
});
