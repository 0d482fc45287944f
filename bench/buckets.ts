import { GetObjectCommand, ListObjectsV2Command, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import * as z from 'zod';
import type { MeasuredService } from './service.ts';

const Listed = z.object({ Contents: z.tuple([z.object({ Key: z.string() })]) });

/** The buckets of exports, from outside the service. */
export const exportBuckets = ({ runtime, functionOf }: MeasuredService) => {
  const s3 = new S3Client({
    endpoint: runtime.endpoints.s3,
    region: 'us-east-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
    forcePathStyle: true,
  });
  const { variables } = functionOf('WorkersExportWrite');
  const bucket = (variable: string) => {
    const Bucket = z.string({ error: `no ${variable}` }).parse(variables[variable]);
    const read = async (Key: string, Range?: string): Promise<Uint8Array> => {
      const { Body } = await s3.send(new GetObjectCommand({ Bucket, Key, Range }));
      if (Body === undefined) throw new Error(`${Key} is empty`);
      return Body.transformToByteArray();
    };
    return {
      put: async (Key: string, Body: string): Promise<void> => {
        await s3.send(new PutObjectCommand({ Bucket, Key, Body }));
      },
      get: async (key: string): Promise<string> => Buffer.from(await read(key)).toString('utf8'),
      getRange: (key: string, from: number, to: number) => read(key, `bytes=${from}-${to}`),
      bytes: (key: string) => read(key),
      /** The key of the only object, or the first, whose key begins so. Throws where there is none. */
      keyOf: async (Prefix: string): Promise<string> => {
        const answer = await s3.send(new ListObjectsV2Command({ Bucket, Prefix, MaxKeys: 1 }));
        return Listed.parse(answer).Contents[0].Key;
      },
    };
  };
  return {
    work: bucket('BUCKET_EXPORT_WORK'),
    delivered: bucket('BUCKET_EXPORTS'),
    stop: () => s3.destroy(),
  };
};
