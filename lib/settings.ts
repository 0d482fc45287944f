import { RemovalPolicy } from 'aws-cdk-lib';
import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { Node } from 'constructs';
import * as z from 'zod';
import { Instants } from '../schemas/platform/keySchedule.ts';

/** Context from the command line arrives as text, from `cdk.json` as JSON. */
const Flag = z.union([z.boolean(), z.stringbool()]);
const List = z.union([z.array(z.string()), z.string().transform((text) => text.split(','))]);

/** An AWS account id admits that account's own IAM decisions; a role ARN admits this role alone. */
const Principal = z
  .string()
  .regex(/^(?:\d{12}|arn:aws[a-z-]*:iam::\d{12}:role\/[\w+=,.@/-]+)$/, 'must be an account id or a role ARN');

const Shape = z.strictObject({
  environment: z.enum(['production', 'sandbox', 'local']).default('production'),
  /** Whether callers without a credential may read the OpenAPI document and the error pages. Default: not in production. */
  publicContract: Flag.optional(),
  /** The tenant that events of unmapped producers belong to, where a deployment serves one tenant only. */
  singleTenant: z
    .string()
    .regex(/^[a-z0-9][a-z0-9-]{0,62}$/)
    .optional(),
  /** The address clients use, where a custom domain fronts the API. Default: the API's own endpoint. */
  baseUrl: z
    .url({ protocol: /^https$/ })
    .transform((url) => url.replace(/\/$/, ''))
    .optional(),
  /** Who may put events on the ingestion queue with their own AWS credentials. Default: nobody. */
  producerPrincipals: List.pipe(z.array(Principal)).default([]),
  /** Receives alarms. Default: the topic has no subscriber. */
  alarmEmail: z.email().optional(),
  /**
   * The address that notifications are mailed from, an identity verified in SES, or of a domain that is. Default: none,
   * and nothing is mailed.
   */
  notificationSender: z.email().optional(),
  /** The OpenID Connect provider users sign in through, by its issuer. Default: a Cognito user pool of the stack's own. */
  oidcIssuer: z.url({ protocol: /^https?$/ }).optional(),
  /** The public client there; it must admit `{baseUrl}/v1/oauth/callback` as a redirect URI. */
  oidcClientId: z.string().min(1).optional(),
  /**
   * The instants from which the token signing keys sign, one key each, the earliest first. A key is published as soon as
   * it is listed; docs/runbooks/signing-key-rotation.md says when to add and drop one. Default: one key for all time.
   */
  signingKeys: List.transform(([first = '', ...others]): [string, ...string[]] => [first, ...others])
    .pipe(Instants)
    .default([0]),
});

const Consistent = Shape.refine(
  ({ oidcIssuer, oidcClientId }) => (oidcIssuer === undefined) === (oidcClientId === undefined),
  { error: 'oidcIssuer and oidcClientId are given together or not at all' },
).refine(
  // On one machine a provider beside the service needs no certificate.
  ({ environment, oidcIssuer = 'https:' }) => environment === 'local' || oidcIssuer.startsWith('https:'),
  { path: ['oidcIssuer'], error: 'must begin with https' },
);

/** What distinguishes one deployment from another. Everything else is the same everywhere. */
export const Settings = Consistent.transform((given) => {
  const production = given.environment === 'production';
  return {
    ...given,
    publicContract: given.publicContract ?? !production,
    /** Data that a mistaken delete or a replaced resource must not take along. */
    removalPolicy: production ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    protected: production,
    logRetention: production ? RetentionDays.ONE_MONTH : RetentionDays.ONE_WEEK,
  };
});
export type Settings = z.infer<typeof Settings>;
export type SettingsInput = z.input<typeof Settings>;

/** Settings given to the CDK command as context, such as `-c environment=sandbox`. Throws a ZodError on a wrong one. */
export const settingsFromContext = (node: Node): Settings =>
  Settings.parse(
    Object.fromEntries(Object.keys(Shape.shape).map((name) => [name, node.tryGetContext(name)] as const)),
  );
