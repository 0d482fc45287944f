import { type AttributeValue, PutItemCommand, QueryCommand } from '@aws-sdk/client-dynamodb';
import type { StreamRecord, AttributeValue as StreamValue } from 'aws-lambda';
import * as z from 'zod';
import type { RaisedEvent } from '../../schemas/events.ts';
import { EVENT_RETENTION_SECONDS } from '../events/outbox.store.ts';
import type { EventRange } from '../events/raisedEvents.store.ts';
import type { RaisedItem } from '../events/relay.ts';
import type { ItemKey } from '../events/unpublishedEvents.store.ts';
import { batchGet } from '../shared/aws/batchGet.store.ts';
import { dynamodb } from '../shared/aws/dynamodb.client.ts';
import { sha256Of } from '../shared/hash.ts';
import { ulidInId } from '../shared/ids.ts';
import { timeOfUlid, ulidTime } from '../shared/ulid.ts';
import { fromVersionItem, type VersionItem } from './ledger.store.ts';
import { materializedEvent } from './materializedEvent.ts';

/** The versions of a row raised their events within one second, so that an event id leads to few rows. */
const SLOT_MS = 1_000;

/** The ULID of the event of a version, and the key of the version without its tenant. */
const RaisedVersion = z.tuple([z.string(), z.string(), z.string()]);
type RaisedVersion = z.infer<typeof RaisedVersion>;
const RaisedVersions = z.array(RaisedVersion);

const partitionOf = (tenantId: string): string => `${tenantId}#versions`;
const slotOf = (at: number): number => Math.floor(at / SLOT_MS) * SLOT_MS;
const toKey = (tenantId: string, [, partition, sk]: RaisedVersion): ItemKey => ({
  pk: `${tenantId}#${partition}`,
  sk,
});

/** Reads the events of versions from the ledger. */
export interface VersionEventReader {
  /** Null when no version raised this event, or it has expired. `ulid` is that of the event id. */
  readonly event: (tenantId: string, ulid: string) => Promise<RaisedEvent | null>;
  /**
   * The events created in [from, to) (epoch milliseconds), in order of creation. Reads at most `limit` events. If there are
   * more, the answer holds `limit` of them, not necessarily the first.
   */
  readonly between: (tenantId: string, range: EventRange) => Promise<RaisedEvent[]>;
}

export interface RaisedVersionStore extends VersionEventReader {
  /** Versions with their events, in order of creation. Versions that do not exist are left out. */
  readonly items: (tenantId: string, keys: readonly ItemKey[]) => Promise<RaisedItem[]>;
  /** Lists versions by the time of their events, so that they can be replayed. Idempotent. */
  readonly add: (tenantId: string, raised: readonly RaisedItem[]) => Promise<void>;
}

/** Stream records contain binary values in base64. */
const fromStreamValue = ({ B, ...others }: StreamValue): AttributeValue[] => {
  if (B !== undefined) return [{ B: Buffer.from(B, 'base64') }];
  if (others.S !== undefined) return [{ S: others.S }];
  return others.N === undefined ? [] : [{ N: others.N }];
};

const eventOfItem = (item: VersionItem): RaisedEvent =>
  materializedEvent(fromVersionItem(item, item['pk']?.S?.split('#')[0] ?? '').attribution);

/** The event of a version in the change stream of the ledger. */
export const eventOfVersion = ({ NewImage = {} }: StreamRecord): RaisedEvent =>
  eventOfItem(
    Object.fromEntries(
      Object.entries(NewImage).flatMap(([name, value]) =>
        fromStreamValue(value).map((converted) => [name, converted] as const),
      ),
    ),
  );

/**
 * The versions that raised events, listed by the time of the event. The event itself follows from the version in the
 * ledger. One row lists many versions: it costs 85 bytes a version, where a copy of the event costs a write unit.
 */
export const raisedVersions = (outboxTable: string, ledgerTable: string): RaisedVersionStore => {
  /** The listed versions whose events were created in [from, to), until more than `limit` are found. */
  const list = async (tenantId: string, { from, to, limit }: EventRange): Promise<RaisedVersion[]> => {
    const found = new Map<string, RaisedVersion>();
    let resume: Record<string, AttributeValue> | undefined;
    do {
      const { Items = [], LastEvaluatedKey } = await dynamodb.send(
        new QueryCommand({
          TableName: outboxTable,
          KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :to',
          ExpressionAttributeValues: {
            ':pk': { S: partitionOf(tenantId) },
            ':from': { S: ulidTime(slotOf(from)) },
            ':to': { S: ulidTime(to) },
          },
          ConsistentRead: true,
          ExclusiveStartKey: resume,
        }),
      );
      for (const { versions } of Items) {
        for (const version of RaisedVersions.parse(JSON.parse(versions?.S ?? '[]'))) {
          const at = timeOfUlid(version[0]);
          if (at >= from && at < to) found.set(version[0], version);
        }
      }
      resume = LastEvaluatedKey;
    } while (resume !== undefined && found.size <= limit);
    return [...found.values()].slice(0, limit);
  };

  const items = async (tenantId: string, keys: readonly ItemKey[]): Promise<RaisedItem[]> => {
    const unique = new Map(keys.map((key) => [`${key.pk} ${key.sk}`, key]));
    const own = [...unique.values()].filter(({ pk }) => pk.startsWith(`${tenantId}#`));
    const found = await batchGet(
      ledgerTable,
      own.map(({ pk, sk }) => ({ pk: { S: pk }, sk: { S: sk } })),
      { isConsistent: true },
    );
    return found
      .map((item) => ({
        key: { pk: item['pk']?.S ?? '', sk: item['sk']?.S ?? '' },
        event: eventOfItem(item),
      }))
      .toSorted((one, other) => (one.event.id < other.event.id ? -1 : 1));
  };
  const eventsOf = async (tenantId: string, listed: readonly RaisedVersion[]): Promise<RaisedEvent[]> => {
    const keys = listed.map((version) => toKey(tenantId, version));
    return (await items(tenantId, keys)).map(({ event }) => event);
  };

  return {
    items,
    event: async (tenantId, ulid) => {
      const at = timeOfUlid(ulid);
      const listed = await list(tenantId, { from: at, to: at + 1, limit: Number.POSITIVE_INFINITY });
      const version = listed.find(([eventUlid]) => eventUlid === ulid);
      return version === undefined ? null : ((await eventsOf(tenantId, [version]))[0] ?? null);
    },
    between: async (tenantId, range) => eventsOf(tenantId, await list(tenantId, range)),
    add: async (tenantId, raised) => {
      const versions = raised.map(
        ({ key, event }): RaisedVersion => [ulidInId(event.id), key.pk.slice(tenantId.length + 1), key.sk],
      );
      const rows = Map.groupBy(versions, ([ulid]) => slotOf(timeOfUlid(ulid)));
      await Promise.all(
        [...rows].map(([slot, row]) => {
          const text = JSON.stringify(row);
          return dynamodb.send(
            new PutItemCommand({
              TableName: outboxTable,
              Item: {
                pk: { S: partitionOf(tenantId) },
                // The digest keeps rows of the same second apart, and a repeated row overwrites itself.
                sk: { S: `${ulidTime(slot)}#${sha256Of(text).toString('base64url')}` },
                versions: { S: text },
                ttl: { N: String(Math.ceil(slot / 1_000) + EVENT_RETENTION_SECONDS) },
              },
            }),
          );
        }),
      );
    },
  };
};
