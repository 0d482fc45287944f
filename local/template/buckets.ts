import * as z from 'zod';
import { ignored, type ResolvedTemplate, resourcesOfType } from './resourcesOfType.ts';

const LifecycleRule = z.strictObject({
  Status: z.enum(['Enabled', 'Disabled']),
  ExpirationInDays: z.coerce.number().int().min(1).optional(),
  Prefix: z.string().default(''),
  // Versions are not kept here, and parts of an upload that nobody completes cost nothing.
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

/** After how many days objects whose key begins so are deleted. */
export interface Expiration {
  prefix: string;
  days: number;
}

export interface BucketDeclaration {
  name: string;
  expirations: Expiration[];
}

export const readBuckets = (reading: ResolvedTemplate): BucketDeclaration[] =>
  resourcesOfType(reading, 'AWS::S3::Bucket', Bucket).map(({ identity, properties }) => ({
    name: identity.name,
    expirations: properties.LifecycleConfiguration.Rules.flatMap(({ Status, Prefix, ExpirationInDays }) =>
      Status === 'Enabled' && ExpirationInDays !== undefined
        ? [{ prefix: Prefix, days: ExpirationInDays }]
        : [],
    ),
  }));
