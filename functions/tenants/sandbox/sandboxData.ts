import type { BucketName } from '../../../schemas/platform/buckets.ts';
import { erasedBuckets, erasedTables } from '../../../schemas/platform/needs/sandboxNeeds.ts';
import type { TableName } from '../../../schemas/platform/tables.ts';
import { permanentPartitions } from '../../ledger/erasure/permanentRows.ts';
import { rowOwners } from '../../ledger/erasure/rowOwner.ts';
import { tenantRows } from '../../ledger/erasure/tenantRows.store.ts';
import type { Tenant } from '../../platform/tenancy/tenant.ts';
import type { ResetActions } from './resetStep.ts';

/** The physical names of tables and buckets. */
interface ResourceNames {
  readonly table: (name: TableName) => string;
  readonly bucket: (name: BucketName) => string;
}

/** The rows and objects of a sandbox tenant that a reset deletes, and no others. */
export const sandboxData = (
  tenant: Tenant,
  names: ResourceNames,
): Pick<ResetActions, 'tables' | 'objects'> => ({
  tables: erasedTables.map((name) =>
    tenantRows(
      name,
      names.table(name),
      (row) =>
        rowOwners[name]?.(row, tenant) === true && row.pk !== permanentPartitions[name]?.(tenant.tenant_id),
    ),
  ),
  objects: erasedBuckets.map((name) => ({
    erase: async () => {
      // Loaded on first use: most runs only send live traffic.
      const { tenantObjects } = await import('../../ledger/erasure/tenantObjects.store.ts');
      await tenantObjects(name, names.bucket(name), tenant.tenant_id).erase();
    },
  })),
});
