import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import * as z from 'zod';
import { EVENT_RETENTION_SECONDS } from '../../../platform/outbox/outbox.store.ts';
import type { ItemKey } from '../../../platform/outbox/unpublishedEvents.store.ts';
import { dynamodb } from '../../../platform/shared/aws/dynamodb.client.ts';
import { type NonEmptyBatch, singleFlightBatch } from '../../../platform/shared/caches/singleFlightBatch.ts';
import { sha256Of } from '../../../platform/shared/hash.ts';
import { ulidInId } from '../../../platform/shared/ids.ts';
import { timeOfUlid, ulidTime } from '../../../platform/shared/ulid.ts';
import type { Attribution } from '../attribution.ts';
import { materializedEvent } from './materializedEvent.ts';

/** The versions of a row raise their events within one second, so that an event id leads to few rows. */
const SLOT_MS = 1_000;

/** The ULID of the event of a version, and the key of the version without its tenant. */
const RaisedVersion = z.tuple([z.string(), z.string(), z.string()]);
export type RaisedVersion = z.infer<typeof RaisedVersion>;
export const RaisedVersions = z.array(RaisedVersion);

export const raisedPartitionOf = (tenantId: string): string => `${tenantId}#versions`;
export const slotOf = (at: number): number => Math.floor(at / SLOT_MS) * SLOT_MS;

/** Lists a version before it is written. */
export type ListRaisedVersion = (key: ItemKey, version: Attribution) => Promise<void>;

const rowOf = (tenantId: string, slot: number, versions: readonly RaisedVersion[]) => {
  const text = JSON.stringify(versions);
  return {
    pk: { S: raisedPartitionOf(tenantId) },
    // The digest keeps rows of the same second apart, and a repeated row overwrites itself.
    sk: { S: `${ulidTime(slot)}#${sha256Of(text).toString('base64url')}` },
    versions: { S: text },
    ttl: { N: String(Math.ceil(slot / 1_000) + EVENT_RETENTION_SECONDS) },
  };
};

/**
 * The list of versions that raise events, by the time of the event. A writer lists a version before it writes the version.
 * So a replay finds each version that exists, whether its event was ever published or not. Versions of a tenant that a
 * process writes at the same time share a row.
 */
export const raisedVersionLog = (outboxTable: string): ListRaisedVersion => {
  const append = singleFlightBatch(
    async (
      items: NonEmptyBatch<{ readonly tenantId: string; readonly version: RaisedVersion }>,
    ): Promise<void> => {
      const [{ tenantId }] = items;
      const rows = Map.groupBy(
        items.map(({ version }) => version),
        ([ulid]) => slotOf(timeOfUlid(ulid)),
      );
      await Promise.all(
        [...rows].map(([slot, versions]) =>
          dynamodb.send(
            new PutItemCommand({ TableName: outboxTable, Item: rowOf(tenantId, slot, versions) }),
          ),
        ),
      );
    },
  );
  return (key, version) => {
    const { tenant_id: tenantId } = version.record;
    const event = materializedEvent(version);
    return append(tenantId, {
      tenantId,
      version: [ulidInId(event.id), key.pk.slice(tenantId.length + 1), key.sk],
    });
  };
};
