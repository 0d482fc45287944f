import { expect, it } from 'vitest';
import * as z from 'zod';
import { Settings, type SettingsInput } from '../../lib/settings.ts';
import { resourcesOf, templateOf } from './stack.ts';

/** Every leaf value of a template with its path. */
const leaves = (value: unknown, path: string[] = []): [string, unknown][] =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([key, child]) => leaves(child, [...path, key]))
    : [[path.join('/'), value]];

it('differs between production and sandbox only in protection, retention and the public contract', () => {
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
])('rejects the settings %j', (given) => {
  expect(Settings.safeParse(given).success).toBe(false);
});

const QueuePolicy = z.object({
  PolicyDocument: z.object({
    Statement: z.array(z.looseObject({ Effect: z.string(), Action: z.unknown(), Principal: z.unknown() })),
  }),
});

/** The `Allow` statements of all queue policies. */
const allowStatements = (settings: SettingsInput) =>
  [...resourcesOf(templateOf(settings), 'AWS::SQS::QueuePolicy', QueuePolicy).values()]
    .flatMap(({ PolicyDocument }) => PolicyDocument.Statement)
    .filter(({ Effect }) => Effect === 'Allow');

it('grants no principal access to the queues by default', () => {
  expect(allowStatements({})).toEqual([]);
});

it('allows listed principals only to send messages', () => {
  const role = 'arn:aws:iam::123456789012:role/producer';

  const [statement, ...others] = allowStatements({ producerPrincipals: `${role},210987654321` });

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
      /WEBHOOK_ALLOW_HOSTS|WEBHOOK_CA|NODE_EXTRA_CA_CERTS|NODE_TLS_REJECT_UNAUTHORIZED/,
    );
  },
);

it('returns the custom domain as the base URL when one is configured', () => {
  const template = templateOf({ baseUrl: 'https://api.example.org/' });

  expect(template.Outputs['BaseUrl']?.Value).toBe('https://api.example.org');
});
