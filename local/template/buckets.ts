import * as z from 'zod';
import { ignored, type ResolvedTemplate, resourcesOfType } from './resourcesOfType.ts';

const LifecycleRule = z.strictObject({
  Status: z.enum(['Enabled', 'Disabled']),
  ExpirationInDays: z.coerce.number().int().min(1).optional(),
  Prefix: z.string().default(''),
  // The local engine has no object versions, and incomplete uploads cost nothing.
  AbortIncompleteMultipartUpload: ignored,
  Id: ignored,
  NoncurrentVersionExpiration: ignored,
});

const Bucket = z.strictObject({
  BucketName: z.string().optional(),
  LifecycleConfiguration: z
    .strictObject({ Rules: z.array(LifecycleRule), TransitionDefaultMinimumObjectSize: ignored })
    .default({ Rules: [] }),
  BucketEncryption: ignored,
  CorsConfiguration: ignored,
  IntelligentTieringConfigurations: ignored,
  LoggingConfiguration: ignored,
  OwnershipControls: ignored,
  PublicAccessBlockConfiguration: ignored,
  Tags: ignored,
  VersioningConfiguration: ignored,
});

/** Objects with this key prefix expire after this many days. */
export interface Expiration {
  prefix: string;
  days: number;
}

export interface BucketDeclaration {
  name: string;
  expirations: Expiration[];
}

export const readBuckets = (template: ResolvedTemplate): BucketDeclaration[] =>
  resourcesOfType(template, 'AWS::S3::Bucket', Bucket).map(({ identity, properties }) => ({
    name: identity.name,
    expirations: properties.LifecycleConfiguration.Rules.flatMap(({ Status, Prefix, ExpirationInDays }) =>
      Status === 'Enabled' && ExpirationInDays !== undefined
        ? [{ prefix: Prefix, days: ExpirationInDays }]
        : [],
    ),
  }));
