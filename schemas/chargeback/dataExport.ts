import * as z from 'zod';
import { roleNamePrefixes } from '../platform/trustedRoles.ts';
import { BucketRegion, customerRole, roleTrust, s3Location } from './customerBucket.ts';

const PREFIX = roleNamePrefixes.billImports;

/** An export of AWS Data Exports, and the role that may read it. */
export const DataExport = z
  .strictObject({
    location: s3Location(1, 's3://bucket/prefix/export-name').meta({
      id: 'DataExportLocation',
      description: 'The bucket, the S3 path prefix and the name of the export',
      example: 's3://example-bills/attribution/bedrock',
    }),
    region: BucketRegion,
    role_arn: customerRole(PREFIX).meta({
      description: `An IAM role of your account that may read the export. Its name begins with ${PREFIX}`,
    }),
  })
  .meta({ id: 'DataExport' });
export type DataExport = z.infer<typeof DataExport>;

/** An export with what the trust policy of its role must name. */
export const TrustedDataExport = z
  .object({ ...DataExport.shape, ...roleTrust })
  .meta({ id: 'TrustedDataExport' });
