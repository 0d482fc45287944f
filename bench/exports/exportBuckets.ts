import { readFileSync, writeFileSync } from 'node:fs';
import { GetObjectCommand, ListObjectsV2Command, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import * as z from 'zod';
import { localClient } from '../../test/support/localAws.ts';
import type { MeasuredService } from '../support/service.ts';

const Listed = z.object({ Contents: z.array(z.object({ Key: z.string() })).default([]) });

/** Direct S3 access to the export buckets, without the service. */
export const exportBuckets = ({ runtime, functionOf }: MeasuredService) => {
  const s3 = new S3Client({ ...localClient(runtime.endpoints.s3), forcePathStyle: true });
  const { variables } = functionOf('WorkersExportWrite');
  const bucket = (variable: string) => {
    const Bucket = z
      .string({ error: `the export function has no variable ${variable}` })
      .parse(variables[variable]);
    const read = async (Key: string): Promise<Uint8Array> => {
      const { Body } = await s3.send(new GetObjectCommand({ Bucket, Key }));
      if (Body === undefined) throw new Error(`object ${Key} has no body`);
      return Body.transformToByteArray();
    };
    return {
      put: async (Key: string, Body: string): Promise<void> => {
        await s3.send(new PutObjectCommand({ Bucket, Key, Body }));
      },
      get: async (key: string): Promise<string> => Buffer.from(await read(key)).toString('utf8'),
      putFile: async (Key: string, path: string): Promise<void> => {
        await s3.send(new PutObjectCommand({ Bucket, Key, Body: readFileSync(path) }));
      },
      getFile: async (key: string, path: string): Promise<void> => writeFileSync(path, await read(key)),
      bytes: (key: string) => read(key),
      /** The first object keys with this prefix, in order. */
      keysOf: async (Prefix: string): Promise<string[]> => {
        const answer = await s3.send(new ListObjectsV2Command({ Bucket, Prefix }));
        return Listed.parse(answer).Contents.map(({ Key }) => Key);
      },
    };
  };
  return {
    work: bucket('BUCKET_EXPORT_WORK'),
    delivered: bucket('BUCKET_EXPORTS'),
    stop: () => s3.destroy(),
  };
};
