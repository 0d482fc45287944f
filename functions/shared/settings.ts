import * as z from 'zod';
import { type BucketName, type KeyName, type QueueName, variableOf } from '../../schemas/stores.ts';
import type { TableName } from '../../schemas/tables.ts';

const Settings = z
  .object({
    /** The address clients use, without a trailing slash: the issuer of tokens and the root of links. */
    BASE_URL: z.url().transform((url) => url.replace(/\/$/, '')),
    ENVIRONMENT: z.enum(['production', 'sandbox', 'local']),
    /** Opens the contract routes (OpenAPI document, error pages) to callers without a credential. */
    PUBLIC_CONTRACT: z.enum(['true', 'false']).transform((value) => value === 'true'),
    /** Multiplies every rate and burst; for trying limits out on one machine. */
    RATE_LIMIT_SCALE: z.coerce.number().positive().optional(),
    /** One address for all buckets, where an engine on this machine stands for S3. */
    AWS_ENDPOINT_URL_S3: z.string().optional(),
    /** Shifts the clock; for trying expiry out on one machine. */
    CLOCK_OFFSET_SECONDS: z.coerce.number().optional(),
  })
  .refine(
    (settings) =>
      settings.ENVIRONMENT === 'local' ||
      (settings.RATE_LIMIT_SCALE === undefined && settings.CLOCK_OFFSET_SECONDS === undefined),
    'RATE_LIMIT_SCALE and CLOCK_OFFSET_SECONDS are for the local environment only',
  );
export type Settings = z.infer<typeof Settings>;

/** What the stack told this function about itself. Read once; a missing variable fails the first cold start. */
export const settings: Settings = Settings.parse(process.env);

/** Where a resource of the stack is. Throws when the stack gave this function no such need. */
export const resource = (
  kind: 'table' | 'queue' | 'bucket' | 'key',
  name: TableName | QueueName | `${QueueName}DeadLetter` | BucketName | KeyName,
): string =>
  z.string({ error: `${variableOf(kind, name)} is not set` }).parse(process.env[variableOf(kind, name)]);
