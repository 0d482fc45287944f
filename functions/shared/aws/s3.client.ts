import { S3Client } from '@aws-sdk/client-s3';
import { settings } from '../settings.ts';
import { publishCalls, requestHandler } from './awsCalls.ts';

export const s3 = new S3Client({
  requestHandler,
  maxAttempts: 3,
  // An engine on this machine has one address for all buckets; S3 itself has one for each.
  forcePathStyle: settings.AWS_ENDPOINT_URL_S3 !== undefined,
});
publishCalls(s3.middlewareStack, 's3');

export { GetObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3';
