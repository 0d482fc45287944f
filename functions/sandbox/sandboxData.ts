import { type BucketName, bucketNames } from '../../schemas/platform/buckets.ts';
import type { TableName } from '../../schemas/platform/tables.ts';
import { rowOwners } from '../erasure/rowOwner.ts';
import { tenantRows } from '../erasure/tenantRows.store.ts';
import type { Tenant } from '../tenancy/tenant.ts';
import { erasedTables } from './erasedTables.ts';
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
    tenantRows(name, names.table(name), (row) => rowOwners[name]?.(row, tenant) === true),
  ),
  objects: bucketNames
    // Its objects name no tenant, and expire.
    .filter((name) => name !== 'exportWork')
    .map((name) => ({
      erase: async () => {
        // Loaded on first use: most runs only send live traffic.
        const { tenantObjects } = await import('../erasure/tenantObjects.store.ts');
        await tenantObjects(name, names.bucket(name), tenant.tenant_id).erase();
      },
    })),
});
