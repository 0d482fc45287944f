import * as z from 'zod';
import type { Need } from '../../../schemas/platform/resources.ts';
import {
  type ResourceKind,
  type ResourceName,
  variableOf,
  variablesOfNeed,
} from '../../../schemas/platform/resourceVariables.ts';

const Settings = z
  .object({
    /** The public base URL, without a trailing slash. It is the issuer of tokens and the root of links. */
    BASE_URL: z.url().transform((url) => url.replace(/\/$/, '')),
    /** The URL of another console with the same pages, without a trailing slash. Default: our own. */
    CONSOLE_URL: z
      .url()
      .transform((url) => url.replace(/\/$/, ''))
      .optional(),
    ENVIRONMENT: z.enum(['production', 'sandbox', 'local']),
    /** Opens the contract routes (OpenAPI document, error pages) to callers without a credential. */
    PUBLIC_CONTRACT: z.enum(['true', 'false']).transform((value) => value === 'true'),
    /** Proxies of the operator in front of the API, of which each appends to `X-Forwarded-For`. Default: none. */
    TRUSTED_PROXIES: z.coerce.number().int().min(0).max(8).default(0),
    /** Multiplies every rate and burst. For local tests of rate limits only. */
    RATE_LIMIT_SCALE: z.coerce.number().positive().optional(),
    /** Shifts the clock. For local tests of expiry only. */
    CLOCK_OFFSET_SECONDS: z.coerce.number().optional(),
    /** The sender address of e-mail. Without it, no e-mail is sent. */
    NOTIFICATION_SENDER: z.email().optional(),
    /** The delay that collects changes of a minute, to measure the one of production. For local benchmarks only. */
    ROLLUPS_DELAY_SECONDS: z.coerce.number().int().nonnegative().optional(),
    /** `host:port` of webhook receivers that skip the URL policy, separated by commas. For local receivers only. */
    WEBHOOK_ALLOW_HOSTS: z
      .string()
      .optional()
      .transform((hosts) => (hosts === undefined || hosts === '' ? [] : hosts.split(','))),
    /** A certificate authority (PEM) trusted for webhook receivers besides the public ones. For local receivers only. */
    WEBHOOK_CA: z.string().optional(),
    /** Base URLs of servers that replace the billing APIs of the providers. For local tests only. */
    BILLS_OPENAI_URL: z.url().optional(),
    BILLS_ANTHROPIC_URL: z.url().optional(),
    BILLS_S3_URL: z.url().optional(),
    /** The S3 engine of one machine, which stands for the buckets of export destinations. For local runs only. */
    EXPORTS_S3_URL: z.url().optional(),
    /** Multiplies the delays between webhook attempts and the retry period. For local tests only. */
    WEBHOOK_RETRY_SCALE: z.coerce.number().positive().default(1),
  })
  .refine(
    (settings) =>
      settings.ENVIRONMENT === 'local' ||
      (settings.RATE_LIMIT_SCALE === undefined &&
        settings.CLOCK_OFFSET_SECONDS === undefined &&
        settings.ROLLUPS_DELAY_SECONDS === undefined &&
        settings.BILLS_OPENAI_URL === undefined &&
        settings.BILLS_ANTHROPIC_URL === undefined &&
        settings.BILLS_S3_URL === undefined &&
        settings.EXPORTS_S3_URL === undefined &&
        settings.WEBHOOK_ALLOW_HOSTS.length === 0 &&
        settings.WEBHOOK_CA === undefined &&
        settings.WEBHOOK_RETRY_SCALE === 1),
    'RATE_LIMIT_SCALE, CLOCK_OFFSET_SECONDS, ROLLUPS_DELAY_SECONDS, the BILLS_*, EXPORTS_* and WEBHOOK_* settings are allowed in the local environment only',
  );
export type Settings = z.infer<typeof Settings>;

/** The settings of this function, read once from its environment. A missing variable fails the cold start. */
export const settings: Settings = Settings.parse(process.env);

const variable = (name: string): string => z.string({ error: `${name} is not set` }).parse(process.env[name]);

/** The name, URL or ARN of the resource of a need. Throws if this function has no need of it, or if it has several. */
export const resourceOf = (need: Need): string => {
  const [name, ...others] = variablesOfNeed(need);
  if (name === undefined || others.length > 0) throw new Error(`${need} has no single resource`);
  return variable(name);
};

/** The name, URL or ARN of a resource. Throws if this function has no need of it. */
export const resource = (kind: ResourceKind, name: ResourceName): string => variable(variableOf(kind, name));
