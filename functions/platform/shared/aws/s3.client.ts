import { S3Client } from '@aws-sdk/client-s3';
import { publishCalls, requestHandler } from './calls/awsCalls.ts';

export const s3 = new S3Client({
  requestHandler,
  maxAttempts: 3,
  // The local engine serves all buckets at one address. S3 has one address per bucket.
  forcePathStyle: process.env['AWS_ENDPOINT_URL_S3'] !== undefined,
});
publishCalls(s3.middlewareStack, 's3');

export {
  DeleteObjectsCommand,
  GetBucketLocationCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  NoSuchKey,
  PutObjectCommand,
} from '@aws-sdk/client-s3';
