import * as z from 'zod';
import {
  type BucketName,
  type KeyName,
  type QueueName,
  type StateMachineName,
  variableOf,
} from '../../schemas/platform/resources.ts';
import type { TableName } from '../../schemas/platform/tables.ts';

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
    /** The address that mail comes from; without one, none is sent. */
    NOTIFICATION_SENDER: z.email().optional(),
    /** `host:port` of webhook receivers that are not judged, separated by commas; for receivers on one machine. */
    WEBHOOK_ALLOW_HOSTS: z
      .string()
      .optional()
      .transform((hosts) => (hosts === undefined || hosts === '' ? [] : hosts.split(','))),
    /** A certificate authority (PEM) that webhook receivers are believed by, beside the public ones; likewise. */
    WEBHOOK_CA: z.string().optional(),
    /** Multiplies the waits between attempts at a webhook, and how long they go on; for trying them out on one machine. */
    WEBHOOK_RETRY_SCALE: z.coerce.number().positive().default(1),
  })
  .refine(
    (settings) =>
      settings.ENVIRONMENT === 'local' ||
      (settings.RATE_LIMIT_SCALE === undefined &&
        settings.CLOCK_OFFSET_SECONDS === undefined &&
        settings.WEBHOOK_ALLOW_HOSTS.length === 0 &&
        settings.WEBHOOK_CA === undefined &&
        settings.WEBHOOK_RETRY_SCALE === 1),
    'RATE_LIMIT_SCALE, CLOCK_OFFSET_SECONDS and the settings of webhook receivers are for the local environment only',
  );
export type Settings = z.infer<typeof Settings>;

/** What the stack told this function about itself. Read once; a missing variable fails the first cold start. */
export const settings: Settings = Settings.parse(process.env);

/** Where a resource of the stack is. Throws when the stack gave this function no such need. */
export const resource = (
  kind: 'table' | 'queue' | 'bucket' | 'stateMachine' | 'key',
  name: TableName | QueueName | `${QueueName}DeadLetter` | BucketName | StateMachineName | KeyName,
): string =>
  z.string({ error: `${variableOf(kind, name)} is not set` }).parse(process.env[variableOf(kind, name)]);
