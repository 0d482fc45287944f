import type { BucketName } from '../../../schemas/platform/buckets.ts';
import { DeleteObjectsCommand, ListObjectsV2Command, s3 } from '../../platform/shared/aws/s3.client.ts';
import { objectPrefixes } from './objectPrefixes.ts';
import type { TenantRows } from './tenantRows.store.ts';

/** The objects of one bucket that belong to a tenant. */
export const tenantObjects = (name: BucketName, bucket: string, tenantId: string): TenantRows => {
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
