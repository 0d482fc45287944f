import { deflateSync, inflateSync } from 'node:zlib';
import { GetObjectCommand, ListObjectsV2Command, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { objectPrefixes } from '../../../../functions/ledger/erasure/objectPrefixes.ts';
import type { Rename } from './rename.ts';

/** Trained models and training states are deflated JSON. Their labels can be names. Returns the number of renamed objects. */
export const renameInArtefacts = async (
  bucket: string,
  tenantId: string,
  rename: Rename,
): Promise<number> => {
  // The local engine serves all buckets at one address.
  const s3 = new S3Client({ forcePathStyle: process.env['AWS_ENDPOINT_URL_S3'] !== undefined });
  let renamed = 0;
  const renameObject = async (Key: string): Promise<void> => {
    const { Body } = await s3.send(new GetObjectCommand({ Bucket: bucket, Key }));
    const before = inflateSync((await Body?.transformToByteArray()) ?? new Uint8Array()).toString('utf8');
    const after = rename.json(before);
    if (after === before) return;
    await s3.send(new PutObjectCommand({ Bucket: bucket, Key, Body: deflateSync(after) }));
    renamed += 1;
  };
  for (const prefix of objectPrefixes.artefacts(tenantId)) {
    let resume: string | undefined;
    do {
      const { Contents = [], NextContinuationToken } = await s3.send(
        new ListObjectsV2Command({ Bucket: bucket, Prefix: prefix, ContinuationToken: resume }),
      );
      for (const { Key = '' } of Contents) {
        // `training/acme` is also the start of `training/acme-labs`.
        if (prefix.endsWith('/') || Key === prefix) await renameObject(Key);
      }
      resume = NextContinuationToken;
    } while (resume !== undefined);
  }
  return renamed;
};
