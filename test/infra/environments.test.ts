import { expect, it } from 'vitest';
import * as z from 'zod';
import { Settings, type SettingsInput } from '../../lib/settings.ts';
import { resourcesOf, templateOf } from './stack.ts';

/** Every leaf of a template by its path. */
const leaves = (value: unknown, path: string[] = []): [string, unknown][] =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([key, child]) => leaves(child, [...path, key]))
    : [[path.join('/'), value]];

it('differs between production and sandbox in what it protects and keeps, and in nothing else', () => {
  const production = new Map(leaves(templateOf({ environment: 'production' })));
  const sandbox = new Map(leaves(templateOf({ environment: 'sandbox' })));

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
      'PUBLIC_CONTRACT',
    ]),
  );
});

it('opens the contract outside production, unless told otherwise', () => {
  const open = (given: SettingsInput) => Settings.parse(given).publicContract;

  expect(open({})).toBe(false);
  expect(open({ environment: 'sandbox' })).toBe(true);
  expect(open({ environment: 'local' })).toBe(true);
  expect(open({ environment: 'sandbox', publicContract: 'false' })).toBe(false);
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
])('refuses the setting %j', (given) => {
  expect(Settings.safeParse(given).success).toBe(false);
});

const QueuePolicy = z.object({
  PolicyDocument: z.object({
    Statement: z.array(z.looseObject({ Effect: z.string(), Action: z.unknown(), Principal: z.unknown() })),
  }),
});

/** Who may use a queue by the queue's own policy. */
const allowStatements = (settings: SettingsInput) =>
  [...resourcesOf(templateOf(settings), 'AWS::SQS::QueuePolicy', QueuePolicy).values()]
    .flatMap(({ PolicyDocument }) => PolicyDocument.Statement)
    .filter(({ Effect }) => Effect === 'Allow');

it('admits nobody to the queues from outside by default', () => {
  expect(allowStatements({})).toEqual([]);
});

it('admits listed principals to send, and only to send', () => {
  const role = 'arn:aws:iam::123456789012:role/producer';

  const [statement, ...others] = allowStatements({ producerPrincipals: `${role},210987654321` });

  expect(others).toEqual([]);
  expect(statement?.Action).toBe('sqs:SendMessage');
  expect(JSON.stringify(statement?.Principal)).toContain(role);
  expect(JSON.stringify(statement?.Principal)).toContain(':iam::210987654321:root');
});

it.each(['production', 'sandbox', 'local'] as const)(
  'lets no function of a %s stack call what is not public',
  (environment) => {
    const template = JSON.stringify(templateOf({ environment }));

    expect(template).not.toMatch(
      /WEBHOOK_ALLOW_HOSTS|WEBHOOK_CA|NODE_EXTRA_CA_CERTS|NODE_TLS_REJECT_UNAUTHORIZED/,
    );
  },
);

it('names the custom domain where there is one', () => {
  const template = templateOf({ baseUrl: 'https://api.example.org/' });

  expect(template.Outputs['BaseUrl']?.Value).toBe('https://api.example.org');
});
