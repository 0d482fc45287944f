import * as z from 'zod';

const Arn = (service: string) =>
  z.string().regex(new RegExp(`^arn:aws[a-z-]*:${service}:`), `must be an ARN of ${service}`);

/** What the stack uses instead of resources of its own. */
export const BedrockLogsSettings = z.strictObject({
  /** A bucket that has the log already. It must send its events to EventBridge. Default: a new bucket. */
  bucketName: z
    .string()
    .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/)
    .optional(),
  /** The KMS key of this bucket. */
  kmsKeyArn: Arn('kms').optional(),
  /** The log group to which Bedrock writes its log. Default: none. */
  logGroup: z.string().min(1).max(512).optional(),
});
export type BedrockLogsSettings = z.infer<typeof BedrockLogsSettings>;
