import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { StreamRecord, AttributeValue as StreamValue } from 'aws-lambda';
import type { RaisedEvent } from '../../../../schemas/delivery/events.ts';
import type { EventRange } from '../../../platform/outbox/raisedEvents.store.ts';
import type { RaisedItem } from '../../../platform/outbox/relay.ts';
import type { ItemKey } from '../../../platform/outbox/unpublishedEvents.store.ts';
import { batchGet } from '../../../platform/shared/aws/batches/batchGet.store.ts';
import { queryPages } from '../../../platform/shared/aws/queryPages.store.ts';
import { ulidInId } from '../../../platform/shared/ids.ts';
import { timeOfUlid, ulidTime } from '../../../platform/shared/ulid.ts';
import { fromVersionItem, type VersionItem } from '../ledger.store.ts';
import { materializedEvent } from './materializedEvent.ts';
import { type RaisedVersion, RaisedVersions, raisedPartitionOf, slotOf } from './raisedVersionLog.store.ts';

const toKey = (tenantId: string, [, partition, sk]: RaisedVersion): ItemKey => ({
  pk: `${tenantId}#${partition}`,
  sk,
});

/** Reads the events of versions from the ledger. */
export interface VersionEventReader {
  /** Null when no version raised this event, or it has expired. `ulid` is that of the event id. */
  readonly event: (tenantId: string, ulid: string) => Promise<RaisedEvent | null>;
  /**
   * The events created in [from, to) (epoch milliseconds), in order of creation. Null when more than `limit` versions are
   * listed, even if some of them were never written.
   */
  readonly between: (tenantId: string, range: EventRange) => Promise<RaisedEvent[] | null>;
}

export interface RaisedVersionStore extends VersionEventReader {
  /** Versions with their events, in order of creation. Versions that do not exist are left out. */
  readonly items: (tenantId: string, keys: readonly ItemKey[]) => Promise<RaisedItem[]>;
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
 * Reads versions that raised events, by the list that their writers keep. A listed version may not exist, or may have been
 * written by another writer with another event: the ledger has the last word.
 */
export const raisedVersions = (outboxTable: string, ledgerTable: string): RaisedVersionStore => {
  /** The listed versions whose events were created in [from, to), until more than `limit` are found. */
  const list = async (tenantId: string, { from, to, limit }: EventRange): Promise<RaisedVersion[]> => {
    const found = new Map<string, RaisedVersion>();
    const query = {
      TableName: outboxTable,
      KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :to',
      ExpressionAttributeValues: {
        ':pk': { S: raisedPartitionOf(tenantId) },
        ':from': { S: ulidTime(slotOf(from)) },
        ':to': { S: ulidTime(to) },
      },
      ConsistentRead: true,
    };
    for await (const items of queryPages(query)) {
      for (const { versions } of items) {
        for (const version of RaisedVersions.parse(JSON.parse(versions?.S ?? '[]'))) {
          const at = timeOfUlid(version[0]);
          if (at >= from && at < to) found.set(version[0], version);
        }
      }
      if (found.size > limit) break;
    }
    return [...found.values()];
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
      if (version === undefined) return null;
      return (await eventsOf(tenantId, [version])).find(({ id }) => ulidInId(id) === ulid) ?? null;
    },
    between: async (tenantId, range) => {
      const listed = await list(tenantId, range);
      if (listed.length > range.limit) return null;
      const events = await eventsOf(tenantId, listed);
      return events.filter(({ created_at }) => {
        const at = Date.parse(created_at);
        return at >= range.from && at < range.to;
      });
    },
  };
};
