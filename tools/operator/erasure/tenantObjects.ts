import { DeleteObjectsCommand, ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import { draftsPrefix, manifestsPrefix, recordsPrefix } from '../../../functions/archive/archivedDay.ts';
import type { BucketName } from '../../../schemas/platform/buckets.ts';
import type { TenantRows } from './tenantRows.ts';

/**
 * The prefixes of a tenant's objects. `exportWork` has none: its objects are named by export, and expire after two days.
 */
export const objectPrefixes: Readonly<Record<BucketName, (tenantId: string) => readonly string[]>> = {
  artefacts: (tenantId) => [`models/${tenantId}/`, `training/${tenantId}`],
  exports: (tenantId) => [`exports/tenant=${tenantId}/`],
  exportWork: () => [],
  archive: (tenantId) => [recordsPrefix(tenantId), draftsPrefix(tenantId), manifestsPrefix(tenantId)],
};

/** The objects of one bucket that belong to a tenant. */
export const tenantObjects = (name: BucketName, bucket: string, tenantId: string): TenantRows => {
  // The local engine serves all buckets at one address.
  const s3 = new S3Client({ forcePathStyle: process.env['AWS_ENDPOINT_URL_S3'] !== undefined });
  const pages = async function* (): AsyncGenerator<string[]> {
    for (const prefix of objectPrefixes[name](tenantId)) {
      let resume: string | undefined;
      do {
        const { Contents = [], NextContinuationToken } = await s3.send(
          new ListObjectsV2Command({ Bucket: bucket, Prefix: prefix, ContinuationToken: resume }),
        );
        // `training/acme` is also the start of `training/acme-labs`.
        yield Contents.flatMap(({ Key = '' }) => (prefix.endsWith('/') || Key === prefix ? [Key] : []));
        resume = NextContinuationToken;
      } while (resume !== undefined);
    }
  };
  return {
    count: async () => {
      let sum = 0;
      for await (const page of pages()) sum += page.length;
      return sum;
    },
    erase: async () => {
      for await (const page of pages()) {
        if (page.length === 0) continue;
        const { Errors = [] } = await s3.send(
          new DeleteObjectsCommand({ Bucket: bucket, Delete: { Objects: page.map((Key) => ({ Key })) } }),
        );
        if (Errors.length > 0) throw new Error(`${Errors.length} objects of ${bucket} were not deleted.`);
      }
    },
  };
};
