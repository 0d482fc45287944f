import { batchGet } from '../../../platform/shared/aws/batches/batchGet.store.ts';
import type { Tenant } from '../../../platform/tenancy/tenant.ts';
import { fromVersionItem, type Version } from '../ledger.store.ts';
import { recordPartitionOf, versionKeyOf } from '../ledgerKey.ts';

export interface VersionKey {
  readonly ulid: string;
  readonly version: number;
}

export interface VersionBatchReader {
  /** The versions that exist under these keys, by their sort key in the ledger, strongly consistent. */
  readonly read: (
    tenant: Pick<Tenant, 'tenant_id'>,
    keys: readonly VersionKey[],
  ) => Promise<ReadonlyMap<string, Version>>;
}

export const versionBatchReader = (table: string, clock: () => number): VersionBatchReader => ({
  read: async (tenant, keys) => {
    // A version has several sort entries when a retry decided otherwise. A batch must not repeat a key.
    const partitions = new Map(
      keys.map(({ ulid, version }) => [versionKeyOf(ulid, version), recordPartitionOf(tenant, ulid)]),
    );
    const requested = [...partitions].map(([sk, pk]) => ({ pk: { S: pk }, sk: { S: sk } }));
    const items = await batchGet(table, requested, { isConsistent: true });
    const now = clock();
    // The table may still hold expired versions.
    const kept = items.filter(({ ttl }) => Number(ttl?.N) > now / 1_000);
    return new Map(kept.map((item) => [item['sk']?.S ?? '', fromVersionItem(item, tenant.tenant_id, now)]));
  },
});
