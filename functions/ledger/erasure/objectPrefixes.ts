import type { BucketName } from '../../../schemas/platform/buckets.ts';
import { draftsPrefix, manifestsPrefix, recordsPrefix } from '../archive/archivedDay.ts';

/**
 * The prefixes of a tenant's objects. `exportWork` has none: its objects are named by export, and expire after two days.
 */
export const objectPrefixes: Readonly<Record<BucketName, (tenantId: string) => readonly string[]>> = {
  artefacts: (tenantId) => [`models/${tenantId}/`, `training/${tenantId}`],
  exports: (tenantId) => [`exports/tenant=${tenantId}/`],
  exportWork: () => [],
  archive: (tenantId) => [recordsPrefix(tenantId), draftsPrefix(tenantId), manifestsPrefix(tenantId)],
};
