import * as z from 'zod';

/** A bucket has no dot, because their certificates do not match. https://docs.aws.amazon.com/AmazonS3/latest/userguide/bucketnamingrules.html */
const BUCKET = '[a-z0-9][a-z0-9-]{1,61}[a-z0-9]';
const SEGMENT = "/[A-Za-z0-9!_.*'()-]{1,128}";
/** Names that are no bucket, such as the alias of an access point, and parts of a path that leave it. */
const RESERVED =
  /^s3:\/\/(?:xn--|sthree-|amzn-s3-demo-)|^s3:\/\/[^/]*(?:-s3alias|--ol-s3|--x-s3|--table-s3)(?:\/|$)|\/\.{1,2}(?:\/|$)/;
const LOCATION_LENGTH_MAXIMUM = 512;

/** A place in a bucket of a customer, `s3://bucket/prefix`, with at least so many parts of a prefix. `form` says it in an error. */
export const s3Location = (segmentsMinimum: 0 | 1, form: string) =>
  z
    .string()
    .max(LOCATION_LENGTH_MAXIMUM)
    .regex(new RegExp(`^s3://${BUCKET}(?:${SEGMENT}){${segmentsMinimum},8}$`), `must be ${form}`)
    .refine((location) => !RESERVED.test(location), 'must name a bucket and a plain path');

/** The AWS Region of a bucket, in a partition of accounts that pay in USD. */
export const BucketRegion = z
  .string()
  .regex(/^(?:af|ap|ca|eu|il|me|mx|sa|us|us-gov)-[a-z]{4,12}-\d$/, 'must be the AWS Region of the bucket')
  .meta({ description: 'The AWS Region of the bucket', example: 'us-east-1' });

/** IAM role names have at most 64 characters. */
const ROLE_NAME_MAXIMUM = 64;

/** The ARN of a role of a customer. Its name begins with `prefix`, so that the IAM policy of the service can name all of them. */
export const customerRole = (prefix: string) =>
  z
    .string()
    .regex(
      new RegExp(
        `^arn:(?:aws|aws-us-gov):iam::\\d{12}:role/${prefix}[\\w+=,.@-]{1,${ROLE_NAME_MAXIMUM - prefix.length}}$`,
      ),
      `must be the ARN of an IAM role without a path, whose name begins with ${prefix}`,
    );

/** What the trust policy of a role of a customer must name. */
export const roleTrust = {
  external_id: z.string().meta({
    description:
      'The external id that the service sends when it assumes the role. The trust policy of the role must require it, so that the service can use the role for nothing else',
  }),
  trusted_role_arn: z.string().meta({
    description: 'The IAM role of the service. The trust policy of the role must name it as the principal',
  }),
};
