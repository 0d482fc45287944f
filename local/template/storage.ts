import * as z from 'zod';
import { declared, ignored, type Reading } from './declared.ts';

const Bucket = z.strictObject({
  BucketName: z.string().optional(),
  BucketEncryption: ignored,
  CorsConfiguration: ignored,
  IntelligentTieringConfigurations: ignored,
  LifecycleConfiguration: ignored,
  LoggingConfiguration: ignored,
  OwnershipControls: ignored,
  PublicAccessBlockConfiguration: ignored,
  Tags: ignored,
  VersioningConfiguration: ignored,
});

/** The names of the declared buckets. */
export const buckets = (reading: Reading): string[] =>
  declared(reading, 'AWS::S3::Bucket', Bucket).map(({ identity }) => identity.name);
