import { type Month, monthOf, startOfMonth } from '../shared/month.ts';
import { timeOfUlid } from '../shared/ulid.ts';
import { shardCountAt, type Tenant } from '../tenancy/tenant.ts';

/** The partition of one month and shard of a tenant: small tenants fill few partitions, large ones spread a month over shards. */
export const partitionOf = (tenantId: string, month: Month, shard: number): string =>
  `${tenantId}#${month}#${shard}`;

/** The partition that lists a tenant's months, so that a walk skips the empty ones. */
export const monthsPartitionOf = (tenantId: string): string => `${tenantId}#months`;

const SHARD_CHARACTERS = 6;
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** The shard of a record: follows from its id and the shard count of its time, so that an id names its own key. */
const shardOf = (ulid: string, count: number): number => {
  let value = 0;
  for (const character of ulid.slice(-SHARD_CHARACTERS)) value = value * 32 + ALPHABET.indexOf(character);
  return value % count;
};

/** Versions of a record lie side by side, the first first. */
export const versionKeyOf = (ulid: string, version: number): string =>
  `${ulid}#${String(version).padStart(6, '0')}`;

/** Where a record lives. */
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
