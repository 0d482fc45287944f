import { expect, it } from 'vitest';
import * as z from 'zod';
import { deploymentNameOf } from '../../lib/names.ts';
import { Settings, type SettingsInput } from '../../lib/settings.ts';
import { bucketNames } from '../../schemas/platform/buckets.ts';
import { tableNames } from '../../schemas/platform/tables.ts';
import { apiBodyOf, resourcesOf, templateOf } from './stack.ts';

const CERTIFICATE = 'arn:aws:acm:eu-central-1:123456789012:certificate/0d1e';
const EDGE_CERTIFICATE = 'arn:aws:acm:us-east-1:123456789012:certificate/0d1e';
const CUSTOM_DOMAIN = { domainName: 'api.example.org', certificateArn: CERTIFICATE };

/** Every leaf value of a template with its path. */
const leaves = (value: unknown, path: string[] = []): [string, unknown][] =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([key, child]) => leaves(child, [...path, key]))
    : [[path.join('/'), value]];

/** Resources that empty the buckets of a sandbox before it is deleted, and what refers to them. The dashboard names the metrics. */
const EMPTIES_BUCKETS =
  /AutoDeleteObjects|DashboardBody|^Resources\/Buckets\w+\/Properties\/(?:Tags|PolicyDocument)/;
/** The worker that resets sandbox tenants, and the count of its failures. */
const RESETS_TENANTS = /WorkersSandbox|FailedInvocationssandboxWorker/;

it('differs between production and sandbox only in protection, retention, the public contract, metrics and emptied buckets', () => {
  // The id of the deployed routes contains a hash of them, and they name the functions.
  const named = (environment: 'production' | 'sandbox'): unknown =>
    JSON.parse(
      JSON.stringify(templateOf({ environment, gradualDeployment: false }))
        .replaceAll(deploymentNameOf(environment), 'deployment')
        .replaceAll(/ApiStageRoutes\w+/g, 'ApiStageRoutes'),
    );
  const compared = (environment: 'production' | 'sandbox') =>
    new Map(
      leaves(named(environment)).filter(
        ([path]) => !EMPTIES_BUCKETS.test(path) && !RESETS_TENANTS.test(path),
      ),
    );
  const production = compared('production');
  const sandbox = compared('sandbox');

  const differing = [...new Set([...production.keys(), ...sandbox.keys()])].filter(
    (path) => production.get(path) !== sandbox.get(path),
  );

  expect(
    new Set(
      differing.filter((path) => path !== 'Outputs/Environment/Value').map((path) => path.split('/').at(-1)),
    ),
  ).toEqual(
    new Set([
      'DeletionPolicy',
      'UpdateReplacePolicy',
      'DeletionProtection',
      'DeletionProtectionEnabled',
      'RetentionInDays',
      'PendingWindowInDays',
      'ENVIRONMENT',
      'METRICS_NAMESPACE',
      'MetricNamespace',
      'Namespace',
      'PUBLIC_CONTRACT',
    ]),
  );
});

it('publishes the contract outside production by default', () => {
  const isPublic = (given: SettingsInput) => Settings.parse(given).publicContract;

  expect(isPublic({})).toBe(false);
  expect(isPublic({ environment: 'sandbox' })).toBe(true);
  expect(isPublic({ environment: 'local' })).toBe(true);
  expect(isPublic({ environment: 'sandbox', publicContract: 'false' })).toBe(false);
});

it.each([
  { environment: 'staging' },
  { producerPrincipals: ['*'] },
  { producerPrincipals: ['arn:aws:iam::123456789012:role/*'] },
  { baseUrl: 'http://example.org' },
  { publicContrakt: true },
  { oidcIssuer: 'https://login.example.org' },
  { oidcClientId: 'the-service' },
  { oidcIssuer: 'http://login.example.org', oidcClientId: 'the-service' },
  { domainName: 'api.example.org' },
  { domainName: 'https://api.example.org', certificateArn: CERTIFICATE },
  { certificateArn: CERTIFICATE },
  { edgeDomainName: 'api.example.org', edgeCertificateArn: EDGE_CERTIFICATE },
  { ...CUSTOM_DOMAIN, edgeDomainName: 'edge.example.org' },
  { ...CUSTOM_DOMAIN, edgeDomainName: 'edge.example.org', edgeCertificateArn: CERTIFICATE },
])('rejects the settings %j', (given) => {
  expect(Settings.safeParse(given).success).toBe(false);
});

const QueuePolicy = z.object({
  PolicyDocument: z.object({
    Statement: z.array(z.looseObject({ Effect: z.string(), Action: z.unknown(), Principal: z.unknown() })),
  }),
});

/** The `Allow` statements of all queue policies, first that of the schedule. */
const allowStatements = (settings: SettingsInput) =>
  [...resourcesOf(templateOf(settings), 'AWS::SQS::QueuePolicy', QueuePolicy).values()]
    .flatMap(({ PolicyDocument }) => PolicyDocument.Statement)
    .filter(({ Effect }) => Effect === 'Allow')
    .toSorted((one) => (one['Sid'] === 'Ticks' ? -1 : 1));

it('grants no principal access to the queues by default, except the rule of the schedule', () => {
  const [ticks, ...others] = allowStatements({});

  expect(others).toEqual([]);
  expect(ticks).toMatchObject({
    Action: 'sqs:SendMessage',
    Principal: { Service: 'events.amazonaws.com' },
    Condition: { ArnEquals: { 'aws:SourceArn': expect.anything() } },
  });
});

it('allows listed principals only to send messages', () => {
  const role = 'arn:aws:iam::123456789012:role/producer';

  const [, statement, ...others] = allowStatements({ producerPrincipals: `${role},210987654321` });

  expect(others).toEqual([]);
  expect(statement?.Action).toBe('sqs:SendMessage');
  expect(JSON.stringify(statement?.Principal)).toContain(role);
  expect(JSON.stringify(statement?.Principal)).toContain(':iam::210987654321:root');
});

it.each(['production', 'sandbox', 'local'] as const)(
  'allows no function of a %s stack to call private addresses',
  (environment) => {
    const template = JSON.stringify(templateOf({ environment }));

    expect(template).not.toMatch(
      /WEBHOOK_ALLOW_HOSTS|WEBHOOK_CA|BILLS_OPENAI_URL|BILLS_ANTHROPIC_URL|NODE_EXTRA_CA_CERTS|NODE_TLS_REJECT_UNAUTHORIZED/,
    );
  },
);

it('returns the address in front of the API as the base URL when one is configured', () => {
  const template = templateOf({ baseUrl: 'https://api.example.org/' });

  expect(template.Outputs['BaseUrl']?.Value).toBe('https://api.example.org');
});

it('serves a custom domain with its certificate, and closes the default endpoint', () => {
  const template = templateOf(CUSTOM_DOMAIN);
  const [domain] = resourcesOf(template, 'AWS::ApiGatewayV2::DomainName', z.unknown()).values();

  expect(template.Outputs['BaseUrl']?.Value).toBe('https://api.example.org');
  expect(domain).toMatchObject({
    DomainName: 'api.example.org',
    DomainNameConfigurations: [{ CertificateArn: CERTIFICATE, SecurityPolicy: 'TLS_1_2' }],
  });
  expect(template.Outputs).toHaveProperty('DomainTarget');
  expect(apiBodyOf(templateOf({})).servers).toBeUndefined();
  // API Gateway warns about a server without an address, and the import fails on warnings.
  expect(apiBodyOf(template).servers).toEqual([
    {
      url: 'https://api.example.org',
      'x-amazon-apigateway-endpoint-configuration': { disableExecuteApiEndpoint: true },
    },
  ]);
});

it('names the CloudFront domain as the base URL when there is one', () => {
  const edge = { edgeDomainName: 'edge.example.org', edgeCertificateArn: EDGE_CERTIFICATE };

  expect(templateOf({ ...CUSTOM_DOMAIN, ...edge }).Outputs['BaseUrl']?.Value).toBe(
    'https://edge.example.org',
  );
});

it.each(['production', 'sandbox', 'local'] as const)(
  'lets CloudFormation delete every resource of a failed first creation of a %s stack',
  (environment) => {
    const { Resources } = templateOf({ environment, protection: false });

    const blocking = Object.entries(Resources).filter(
      ([, { DeletionPolicy = 'Delete', Properties }]) =>
        !['Delete', 'RetainExceptOnCreate'].includes(String(DeletionPolicy)) ||
        Properties['DeletionProtectionEnabled'] === true ||
        Properties['DeletionProtection'] === 'ACTIVE',
    );

    expect(blocking.map(([id]) => id)).toEqual([]);
  },
);

it('keeps the data of a production stack when the stack is deleted, and that of no sandbox', () => {
  const retained = (environment: 'production' | 'sandbox') =>
    Object.values(templateOf({ environment }).Resources).filter(
      ({ Type, DeletionPolicy }) =>
        Type === 'AWS::DynamoDB::Table' && DeletionPolicy === 'RetainExceptOnCreate',
    ).length;

  expect([retained('production'), retained('sandbox')]).toEqual([tableNames.length, 0]);
});

it('empties the buckets of a sandbox before CloudFormation deletes them, and no bucket of production', () => {
  const emptied = (environment: 'production' | 'sandbox') =>
    resourcesOf(templateOf({ environment }), 'Custom::S3AutoDeleteObjects', z.unknown()).size;

  expect([emptied('production'), emptied('sandbox')]).toEqual([0, bucketNames.length]);
});
