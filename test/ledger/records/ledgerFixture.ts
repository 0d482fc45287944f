import { DeleteItemCommand, type DynamoDBClient, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { attribute } from '../../../functions/attribution/engine/attribute.ts';
import type { Attribution } from '../../../functions/ledger/records/attribution.ts';
import {
  type KeyRange,
  type LedgerReader,
  ledgerWriter,
  type Version,
} from '../../../functions/ledger/records/ledger.store.ts';
import { recordPartitionOf, shardBitsOf, versionKeyOf } from '../../../functions/ledger/records/ledgerKey.ts';
import { listRecords } from '../../../functions/ledger/records/query/listRecords.ts';
import { recordUlid } from '../../../functions/platform/shared/ids.ts';
import type { Interval } from '../../../functions/platform/shared/time/interval.ts';
import { monthOf } from '../../../functions/platform/shared/time/month.ts';
import type { Tenant } from '../../../functions/platform/tenancy/tenant.ts';
import { anEvent, aTenant, noFactors } from '../../attribution/engine/events.ts';

const writer = ledgerWriter('ledger', () => 0);

/** A record of a tenant, written from an event with this id. */
export interface TestRecord {
  readonly eventId: string;
  readonly occurredAt: number;
  /** Default: 0. */
  readonly shardBits?: number;
}

export const eventIdOf = (index: number): string =>
  `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`;
/** The records of a tenant take the number of shard bits in turn. */
export const testRecord = (
  occurredAt: number,
  index: number,
  shardBitsList: readonly number[] = [0],
): TestRecord => ({
  eventId: eventIdOf(index),
  occurredAt,
  shardBits: shardBitsList[index % shardBitsList.length] ?? 0,
});
export const ulidOfRecord = (tenant: Tenant, { eventId, occurredAt, shardBits }: TestRecord): string =>
  recordUlid(tenant.tenant_id, eventId, occurredAt, shardBits);
export const eventsOf = (versions: readonly Version[]): string[] =>
  versions.map(({ attribution }) => attribution.record.event_id);

let tenants = 0;
/** A tenant without records. */
export const newTenant = (): Tenant => {
  tenants += 1;
  return aTenant({ tenant_id: `tenant-${tenants}` });
};

const attributionOf = (tenant: Tenant, written: TestRecord, receivedAt: number): Attribution =>
  attribute(
    anEvent({ event_id: written.eventId }),
    { occurredAt: written.occurredAt, receivedAt, residency: null, record: ulidOfRecord(tenant, written) },
    tenant,
    noFactors,
  );

/** Writes a record like the recorder: the month first. */
export const writeRecord = async (tenant: Tenant, written: TestRecord, receivedAt: number): Promise<void> => {
  const ulid = ulidOfRecord(tenant, written);
  await writer.openMonth(tenant.tenant_id, monthOf(written.occurredAt), shardBitsOf(ulid));
  await writer.add(recordPartitionOf(tenant, ulid), ulid, attributionOf(tenant, written, receivedAt));
};

/** Writes the next version and ends the previous one, like an override. */
export const writeVersion = async (
  client: DynamoDBClient,
  tenant: Tenant,
  written: TestRecord,
  version: number,
  at: number,
): Promise<void> => {
  const ulid = ulidOfRecord(tenant, written);
  const pk = { S: recordPartitionOf(tenant, ulid) };
  const { record, ...rest } = attributionOf(tenant, written, at);
  await writer.add(pk.S, ulid, {
    ...rest,
    record: { ...record, version, owner: `version ${version}` },
  });
  await client.send(
    new UpdateItemCommand({
      TableName: 'ledger',
      Key: { pk, sk: { S: versionKeyOf(ulid, version - 1) } },
      UpdateExpression: 'SET #to = :at',
      ExpressionAttributeNames: { '#to': 'to' },
      ExpressionAttributeValues: { ':at': { N: String(at) } },
    }),
  );
};

/** Replaces the first version of a record, as an operator or an erasure does. */
export const replaceVersion = async (
  client: DynamoDBClient,
  tenant: Tenant,
  written: TestRecord,
  owner: string,
): Promise<void> => {
  const ulid = ulidOfRecord(tenant, written);
  const pk = recordPartitionOf(tenant, ulid);
  const Key = { pk: { S: pk }, sk: { S: versionKeyOf(ulid, 1) } };
  await client.send(new DeleteItemCommand({ TableName: 'ledger', Key }));
  const { record, ...rest } = attributionOf(tenant, written, written.occurredAt);
  await writer.add(pk, ulid, { ...rest, record: { ...record, owner } });
};

/** A reader that counts the reads of a page. */
export const countingReader = (reader: LedgerReader) => {
  let listed = 0;
  let ranges: KeyRange[] = [];
  let versions = 0;
  const counting: LedgerReader = {
    ...reader,
    months: (tenantId) => {
      listed += 1;
      return reader.months(tenantId);
    },
    read: async (tenantId, range) => {
      ranges.push(range);
      const read = await reader.read(tenantId, range);
      versions += read.versions.length;
      return read;
    },
  };
  return {
    reader: counting,
    /** Counts since the previous call. */
    take: () => {
      const counts = {
        listed,
        reads: ranges.length,
        versions,
        partitions: new Set(ranges.map(({ partition }) => partition)).size,
        months: new Set(ranges.map(({ partition }) => partition.split('#')[1])).size,
      };
      listed = 0;
      versions = 0;
      ranges = [];
      return counts;
    },
  };
};

/** Lists all pages like the list route. */
export const listAllPages = async (
  reader: LedgerReader,
  options: {
    readonly tenant: Tenant;
    readonly period: Interval;
    readonly descending: boolean;
    readonly size: number;
    readonly asOf: number;
    readonly residency?: string | null;
    /** Called after each page, before the next. */
    readonly between?: (page: readonly Version[]) => Promise<void>;
  },
): Promise<Version[]> => {
  const { size, between, ...request } = options;
  const versionsFound: Version[] = [];
  let after: string | undefined;
  for (;;) {
    const { items, resume } = await listRecords(reader, { residency: null, ...request, after, limit: size });
    versionsFound.push(...items);
    await between?.(items);
    if (resume === null) return versionsFound;
    after = resume;
  }
};
