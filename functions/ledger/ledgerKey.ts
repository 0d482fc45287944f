import { type Month, monthOf, startOfMonth } from '../shared/month.ts';
import { timeOfUlid } from '../shared/ulid.ts';
import { shardCountAt, type Tenant } from '../tenancy/tenant.ts';

/** Partition key of one month and shard of a tenant. Shards spread the months of large tenants over several partitions. */
export const partitionOf = (tenantId: string, month: Month, shard: number): string =>
  `${tenantId}#${month}#${shard}`;

/** Partition key of the list of a tenant's months, so that queries skip empty months. */
export const monthsPartitionOf = (tenantId: string): string => `${tenantId}#months`;

const SHARD_CHARACTERS = 6;
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** The shard of a record. It depends only on the id and the shard count at that time, so the key follows from the id. */
const shardOf = (ulid: string, count: number): number => {
  let value = 0;
  for (const character of ulid.slice(-SHARD_CHARACTERS)) value = value * 32 + ALPHABET.indexOf(character);
  return value % count;
};

/** Sort key of a version. Versions of a record are adjacent, in ascending order. */
export const versionKeyOf = (ulid: string, version: number): string =>
  `${ulid}#${String(version).padStart(6, '0')}`;

/** Partition key of a record. */
export const recordPartitionOf = (tenant: Pick<Tenant, 'tenant_id' | 'shards'>, ulid: string): string => {
  const occurredAt = timeOfUlid(ulid);
  const shard = shardOf(ulid, shardCountAt(tenant, occurredAt));
  return partitionOf(tenant.tenant_id, monthOf(occurredAt), shard);
};

/** Every partition of a month: as many as the highest shard count that applied within it. */
export const partitionsOfMonth = (tenant: Pick<Tenant, 'tenant_id' | 'shards'>, month: Month): string[] => {
  const begin = startOfMonth(month);
  const within = tenant.shards.filter((shard) => shard.from > begin && monthOf(shard.from) === month);
  const count = Math.max(shardCountAt(tenant, begin), ...within.map((shard) => shard.count));
  return Array.from({ length: count }, (_, shard) => partitionOf(tenant.tenant_id, month, shard));
};
