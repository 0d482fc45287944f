import { type Month, monthOf } from '../../platform/shared/time/month.ts';
import { timeOfUlid } from '../../platform/shared/ulid.ts';
import type { Tenant } from '../../platform/tenancy/tenant.ts';

type TenantKey = Pick<Tenant, 'tenant_id'>;

/** Partition key of one month and shard of a tenant. Shards spread the months of large tenants over several partitions. */
const partitionOf = (tenantId: string, month: Month, shard: number): string =>
  `${tenantId}#${month}#${shard}`;

/**
 * Partition key of a tenant's directory: the months that contain records, with each number of shard bits that occurs in
 * them. Readers read it first, so they query no empty month and miss no shard.
 */
export const directoryPartitionOf = (tenantId: string): string => `${tenantId}#directory`;

export const directoryKeyOf = (month: Month, shardBits: number): string =>
  `${month}#${String(shardBits).padStart(2, '0')}`;

/** The part of the ledger in one month: its records are in the first `shards` partitions. */
export interface MonthShards {
  readonly month: Month;
  readonly shards: number;
}

/**
 * The months of a directory from its sort keys, ascending. A month has as many shards as its highest number of shard bits
 * requires.
 */
export const monthsOfDirectory = (keys: readonly string[]): MonthShards[] => {
  const shardsByMonth = new Map<Month, number>();
  for (const key of keys) {
    const [month = '', shardBits] = key.split('#');
    shardsByMonth.set(month, Math.max(shardsByMonth.get(month) ?? 1, 2 ** Number(shardBits)));
  }
  return [...shardsByMonth]
    .map(([month, shards]) => ({ month, shards }))
    .sort((one, other) => (one.month < other.month ? -1 : 1));
};

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
/** The random part of a ULID starts with the 4 bits that hold the number of shard bits, and each character has 5 bits. */
const SHARD_BITS_CHARACTER = 10;
/** Characters of the digest that select the shard: 20 bits, for at most 15 bits of a shard. */
const SHARD_CHARACTERS = 4;

/**
 * The number of shard bits in a record's ULID: its month had 2 to the power of it shards when the record was first written.
 */
export const shardBitsOf = (ulid: string): number => ALPHABET.indexOf(ulid.charAt(SHARD_BITS_CHARACTER)) >> 1;

/** The shard of a record. It depends on the id only, so the number of shard bits of a tenant may change at any time. */
export const shardOfRecord = (ulid: string, shardBits = shardBitsOf(ulid)): number => {
  let value = 0;
  for (const character of ulid.slice(-SHARD_CHARACTERS)) value = value * 32 + ALPHABET.indexOf(character);
  return value % 2 ** shardBits;
};

/** Sort key of a version. Versions of a record are adjacent, in ascending order. */
export const versionKeyOf = (ulid: string, version: number): string =>
  `${ulid}#${String(version).padStart(6, '0')}`;

/** Partition key of a record. */
export const recordPartitionOf = (tenant: TenantKey, ulid: string): string =>
  partitionOf(tenant.tenant_id, monthOf(timeOfUlid(ulid)), shardOfRecord(ulid));

/** Every partition of a month. */
export const partitionsOfMonth = (tenant: TenantKey, { month, shards }: MonthShards): string[] =>
  Array.from({ length: shards }, (_, shard) => partitionOf(tenant.tenant_id, month, shard));

/** The tenant, month and shard of a partition. */
export const partsOfPartition = (
  partition: string,
): { readonly tenantId: string; readonly month: Month; readonly shard: number } => {
  const [tenantId = '', month = '', shard] = partition.split('#');
  return { tenantId, month, shard: Number(shard) };
};
