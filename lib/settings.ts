import { RemovalPolicy } from 'aws-cdk-lib';
import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import * as z from 'zod';
import { Instants } from '../schemas/platform/keySchedule.ts';
import type { UnitName } from '../schemas/routes/route.ts';
import { edgeOf } from './edge/edgeSettings.ts';
import { deploymentNameOf } from './names.ts';
import {
  CertificateArn,
  Concurrency,
  DomainName,
  Flag,
  List,
  Memory,
  Origin,
  Principal,
  Reservation,
} from './settingTypes.ts';

const Shape = z.strictObject({
  environment: z.enum(['production', 'sandbox', 'local']).default('production'),
  /**
   * Whether the stack, its tables and its user pool refuse to be deleted. Default: in production. CloudFormation cannot undo
   * a failed first creation of protected resources, so `npm run deploy` creates a stack without protection, and then adds it.
   */
  protection: Flag.optional(),
  /** Whether the OpenAPI document and the error pages are public. Default: not in production. */
  publicContract: Flag.optional(),
  /** The tenant for events of unregistered senders, in a deployment with one tenant. */
  singleTenant: z
    .string()
    .regex(/^[a-z0-9][a-z0-9-]{0,62}$/)
    .optional(),
  /** The custom domain of the API, with its certificate in ACM, in the region of the stack. Default: none. */
  domainName: DomainName.optional(),
  certificateArn: CertificateArn.optional(),
  /**
   * The domain of a CloudFront distribution with a web ACL in front of the API, with its certificate in `us-east-1`.
   * Requires `domainName`, which becomes the origin. Default: none.
   */
  edgeDomainName: DomainName.optional(),
  edgeCertificateArn: CertificateArn.optional(),
  /** Requests in five minutes that the web ACL admits from one address. Default: what one enterprise credential may send. */
  edgeRateLimit: z.coerce.number().int().min(10).max(2_000_000_000).default(2_000_000),
  /** The public base URL if something else fronts the API. Default: the CloudFront, custom or default domain. */
  baseUrl: z
    .url({ protocol: /^https$/ })
    .transform((url) => url.replace(/\/$/, ''))
    .optional(),
  /**
   * Proxies in front of the API that all requests pass and that each append the address of their caller to
   * `X-Forwarded-For`. Default: none, and no header decides about an address.
   */
  trustedProxies: z.coerce.number().int().min(0).max(8).default(0),
  /**
   * Requests per second and burst that the stage admits for all tenants together. Set both after the quota of the account
   * was raised. Default: the default quota of an account, so that the stage is never narrower than the account.
   */
  throttleRate: z.coerce.number().int().positive().default(10_000),
  throttleBurst: z.coerce.number().int().positive().default(5_000),
  /**
   * Write units a second for which the ledger and the dedup claims are prepared in advance, for a one-off charge. A table
   * that was never warmed accepts 4,000 and takes minutes to grow. Cannot be lowered. Default: not prepared.
   */
  warmWrites: z.coerce.number().int().min(4_000).optional(),
  /**
   * Write units a second that each table accepts at most. It bounds what an attack, or a loop by mistake, can cost in an
   * hour. Writes above it are throttled. Default: the quota of the account.
   */
  maximumWrites: z.coerce.number().int().min(1_000).optional(),
  /**
   * Batches of one queue that are processed at the same time, for each queue but those of deliveries and notifications. It
   * stops a backlog from using up the concurrency of the account, which the API shares, and the write throughput of the tables.
   * `none`: no limit, and fewer polls of idle queues. For deployments with few calls.
   */
  workerConcurrency: Concurrency.default(20),
  /** The same for deliveries to webhooks. A receiver that hangs occupies a batch for ten seconds. */
  deliveryConcurrency: Concurrency.default(250),
  /**
   * Messages of one batch of accepted events. Fuller batches cost less for each event. A message that ends the function
   * repeats the others of its batch.
   */
  eventBatch: z.coerce.number().int().min(1).max(100).default(10),
  /**
   * Concurrency that is reserved for units of the API, such as `ingest=200`: they have it whatever the others do, and no
   * more. Default: none, because a new account has none to reserve.
   */
  reservedConcurrency: List.pipe(z.array(Reservation))
    .transform((reservations): Partial<Record<UnitName, number>> => Object.fromEntries(reservations))
    .default({}),
  /** Megabytes of single functions, and with them their CPU. Default: what each unit and worker declares. */
  functionMemory: List.pipe(z.array(Memory))
    .transform((given): Readonly<Record<string, number>> => Object.fromEntries(given))
    .default({}),
  /** Partitions of an export that are read at the same time. Each competes with other reads of the ledger. */
  exportConcurrency: z.coerce.number().int().min(1).max(40).default(8),
  /** Origins whose pages may call the API from a browser. Default: none. */
  corsOrigins: List.pipe(z.array(Origin)).default([]),
  /** Another console with the same pages, to which e-mails and chats link. Default: the console of the stack. */
  consoleUrl: z.url({ protocol: /^https$/ }).optional(),
  /** AWS principals that may send events to the ingestion queue. Default: none. */
  producerPrincipals: List.pipe(z.array(Principal)).default([]),
  /** Receives alarms of both severities. Default: the topics have no subscriber. */
  alarmEmail: z.email().optional(),
  /** Receives alarms that cannot wait, in place of `alarmEmail`. */
  pageEmail: z.email().optional(),
  /**
   * The monthly spend of the deployment in USD at which `alarmEmail` is told, at 80 % and at 100 %. Its tag `deployment`
   * must be activated for cost allocation. Default: none.
   */
  monthlyBudget: z.coerce.number().positive().optional(),
  /**
   * Whether a deployment changes the API functions gradually and rolls back on failures. It takes ten minutes
   * longer. Default: in production.
   */
  gradualDeployment: Flag.optional(),
  /** The ARN of a backup vault in another region. Tables and the archive are copied to it daily. Default: none. */
  backupCopyVault: z
    .string()
    .regex(
      /^arn:aws[a-z-]*:backup:[a-z0-9-]+:\d{12}:backup-vault:[\w-]+$/,
      'must be the ARN of a backup vault',
    )
    .optional(),
  /** The name of the IAM policy that bounds the permissions of every role. Default: none. */
  permissionsBoundary: z
    .string()
    .regex(/^[\w+=,.@/-]{1,128}$/)
    .optional(),
  /** A bucket for the code of the functions, for deployments without the CDK. Default: the bucket of the CDK bootstrap. */
  assetsBucket: z
    .string()
    .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/)
    .optional(),
  /** Whether functions write traces to X-Ray, which charges for each. Default: no. */
  tracing: Flag.default(false),
  /**
   * The sender address of notification mails. The address or its domain must be a verified SES identity. Default: none,
   * and no mail is sent.
   */
  notificationSender: z.email().optional(),
  /**
   * The SES identity of the sender: the address itself, or its domain. With it, Cognito sends invitations through SES.
   * Default: Cognito sends them itself, about 50 a day.
   */
  senderIdentity: z.string().min(1).optional(),
  /** The issuer of an external OpenID Connect provider. Default: the stack creates a Cognito user pool. */
  oidcIssuer: z.url({ protocol: /^https?$/ }).optional(),
  /** The public client at that provider. Its redirect URIs must include `{baseUrl}/v1/oauth/callback`. */
  oidcClientId: z.string().min(1).optional(),
  /**
   * The start times of the token signing keys, one per key, in ascending order. A listed key is published at once.
   * docs/runbooks/signing-key-rotation.md describes when to add and remove one. Default: one key without an end.
   */
  signingKeys: List.transform(([first = '', ...others]): [string, ...string[]] => [first, ...others])
    .pipe(Instants)
    .default([0]),
});

const Consistent = Shape.refine(
  ({ oidcIssuer, oidcClientId }) => (oidcIssuer === undefined) === (oidcClientId === undefined),
  { error: 'set both oidcIssuer and oidcClientId, or neither' },
)
  .refine(
    // A local provider needs no TLS certificate.
    ({ environment, oidcIssuer = 'https:' }) => environment === 'local' || oidcIssuer.startsWith('https:'),
    { path: ['oidcIssuer'], error: 'must start with https' },
  )
  .refine(({ domainName, certificateArn }) => (domainName === undefined) === (certificateArn === undefined), {
    error: 'set both domainName and certificateArn, or neither',
  })
  .refine(
    ({ edgeDomainName, edgeCertificateArn }) =>
      (edgeDomainName === undefined) === (edgeCertificateArn === undefined),
    { error: 'set both edgeDomainName and edgeCertificateArn, or neither' },
  )
  .refine(({ edgeDomainName, domainName }) => edgeDomainName === undefined || domainName !== undefined, {
    path: ['edgeDomainName'],
    error: 'needs domainName, the origin of CloudFront',
  })
  .refine(
    ({ edgeCertificateArn = 'arn:aws:acm:us-east-1:' }) => edgeCertificateArn.includes(':acm:us-east-1:'),
    { path: ['edgeCertificateArn'], error: 'must be in us-east-1, the only region that CloudFront reads' },
  )
  .refine(({ maximumWrites = Number.POSITIVE_INFINITY, warmWrites = 0 }) => warmWrites <= maximumWrites, {
    path: ['maximumWrites'],
    error: 'must be at least warmWrites',
  })
  .refine(({ monthlyBudget, alarmEmail }) => monthlyBudget === undefined || alarmEmail !== undefined, {
    path: ['monthlyBudget'],
    error: 'needs alarmEmail, which is told',
  })
  .refine(
    ({ notificationSender = '', senderIdentity }) =>
      senderIdentity === undefined ||
      senderIdentity === notificationSender ||
      notificationSender.endsWith(`@${senderIdentity}`),
    { path: ['senderIdentity'], error: 'must be the address of notificationSender, or its domain' },
  );

/** The settings of a deployment. Everything else is the same in all deployments. */
export const Settings = Consistent.transform((given) => {
  const production = given.environment === 'production';
  const publicDomain = given.edgeDomainName ?? given.domainName;
  return {
    ...given,
    /** With this the names of all stacks and resources begin. */
    deployment: deploymentNameOf(given.environment),
    baseUrl: given.baseUrl ?? (publicDomain === undefined ? undefined : `https://${publicDomain}`),
    edge: edgeOf(given),
    publicContract: given.publicContract ?? !production,
    /**
     * In production, deleting or replacing a resource must not delete its data. Resources of a failed creation are deleted,
     * so that it can be repeated.
     */
    removalPolicy: production ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY,
    protected: given.protection ?? production,
    /** Whether anybody outside may send events by SQS. Otherwise nothing polls their queue. */
    hasProducers:
      given.environment === 'local' ||
      given.singleTenant !== undefined ||
      given.producerPrincipals.length > 0,
    /** The runtime for one machine has no aliases. */
    gradualDeployment: given.environment !== 'local' && (given.gradualDeployment ?? production),
    /** CloudFormation deletes a bucket only when it is empty. */
    emptiesBuckets: given.environment === 'sandbox',
    logRetention: production ? RetentionDays.ONE_MONTH : RetentionDays.ONE_WEEK,
  };
});
export type Settings = z.infer<typeof Settings>;
export type SettingsInput = z.input<typeof Settings>;

/** The names of all settings. */
export const settingNames: readonly string[] = Object.keys(Shape.shape);
