import * as z from 'zod';

/** The first part of the names of all roles that the service may assume. Its IAM policy names them too. */
export const EXPORT_ROLE_PREFIX = 'attribution-bills-';

/**
 * `s3://bucket/prefix/name`. A bucket has no dot, because their certificates do not match.
 * https://docs.aws.amazon.com/AmazonS3/latest/userguide/bucketnamingrules.html
 */
const LOCATION = /^s3:\/\/[a-z0-9][a-z0-9-]{1,61}[a-z0-9](?:\/[A-Za-z0-9!_.*'()-]{1,128}){1,8}$/;
/** Names that are no bucket, such as the alias of an access point, and parts of a path that leave it. */
const RESERVED =
  /^s3:\/\/(?:xn--|sthree-|amzn-s3-demo-)|^s3:\/\/[^/]*(?:-s3alias|--ol-s3|--x-s3|--table-s3)\/|\/\.{1,2}(?:\/|$)/;
/** Regions whose accounts pay in USD. */
const REGION = /^(?:af|ap|ca|eu|il|me|mx|sa|us|us-gov)-[a-z]{4,12}-\d$/;
/** IAM role names have at most 64 characters. */
const ROLE = /^arn:(?:aws|aws-us-gov):iam::\d{12}:role\/attribution-bills-[\w+=,.@-]{1,46}$/;

/** An export of AWS Data Exports, and the role that may read it. */
export const DataExport = z
  .strictObject({
    location: z
      .string()
      .max(512)
      .regex(LOCATION, 'must be s3://bucket/prefix/export-name')
      .refine((location) => !RESERVED.test(location), 'must name a bucket and a plain path')
      .meta({
        description: 'The bucket, the S3 path prefix and the name of the export',
        example: 's3://example-bills/attribution/bedrock',
      }),
    region: z.string().regex(REGION, 'must be the AWS Region of the bucket').meta({
      description: 'The AWS Region of the bucket',
      example: 'us-east-1',
    }),
    role_arn: z
      .string()
      .regex(
        ROLE,
        `must be the ARN of an IAM role without a path, whose name begins with ${EXPORT_ROLE_PREFIX}`,
      )
      .meta({
        description: `An IAM role of your account that may read the export. Its name begins with ${EXPORT_ROLE_PREFIX}`,
      }),
  })
  .meta({ id: 'DataExport' });
export type DataExport = z.infer<typeof DataExport>;

/** An export with what the trust policy of its role must name. */
export const TrustedDataExport = z
  .object({
    ...DataExport.shape,
    external_id: z.string().meta({
      description:
        'The external id that the service sends when it assumes the role. The trust policy of the role must require it, so that the service can use the role for this source only',
    }),
    trusted_role_arn: z.string().meta({
      description: 'The IAM role of the service. The trust policy of the role must name it as the principal',
    }),
  })
  .meta({ id: 'TrustedDataExport' });
