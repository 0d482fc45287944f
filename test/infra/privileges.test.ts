import { expect, it } from 'vitest';
import * as z from 'zod';
import { needs } from '../../schemas/platform/resources.ts';
import { variableOf, variablesOfNeed } from '../../schemas/platform/resourceVariables.ts';
import { roleNamePrefixes } from '../../schemas/platform/trustedRoles.ts';
import { deadLettersOf, deployedFunctions, outputOf, statementsOf } from './roles.ts';
import { addressIn, idIn, resourcesOf, templateOf } from './stack.ts';

const SENDER = { address: 'alerts@mail.example.org', domain: 'mail.example.org' };
const template = templateOf({
  // Production has no function that deletes data of tenants.
  environment: 'local',
  singleTenant: 'acme',
  notificationSender: SENDER.address,
});

const functions = resourcesOf(
  template,
  'AWS::Lambda::Function',
  z.object({
    Role: z.unknown(),
    Environment: z.object({ Variables: z.record(z.string(), z.unknown()) }),
  }),
);

const deployed = deployedFunctions(template);
const statements = statementsOf(template);

/** What the role of a function allows, as `action resource`. */
const allowedTo = (id: string): string[] => [...new Set(statements(id).flat())].sort();

it.each(deployed)(
  'grants $name exactly the actions of its needs and sources',
  ({ id, granted, sources, streams, sendsMail }) => {
    const expected = new Set([
      'logs:CreateLogStream OwnLogs',
      'logs:PutLogEvents OwnLogs',
      ...granted.flatMap((need) =>
        variablesOfNeed(need).flatMap((variable) =>
          needs[need].actions.map((action) => `${action} ${outputOf(variable)}`),
        ),
      ),
      ...sources.flatMap((source) =>
        ['ChangeMessageVisibility', 'DeleteMessage', 'GetQueueAttributes', 'ReceiveMessage'].map(
          (action) => `sqs:${action} ${outputOf(variableOf('queue', source))}`,
        ),
      ),
      ...deadLettersOf(sources).map((variable) => `sqs:SendMessage ${outputOf(variable)}`),
      ...streams.flatMap(({ table, failureQueue }) => [
        ...['DescribeStream', 'GetRecords', 'GetShardIterator', 'ListStreams'].map(
          (action) => `dynamodb:${action} ${outputOf(variableOf('table', table))}`,
        ),
        `sqs:SendMessage ${outputOf(variableOf('queue', `${failureQueue}DeadLetter`))}`,
      ]),
      ...(sendsMail ? [SENDER.address, SENDER.domain] : []).flatMap((identity) =>
        ['ses:SendEmail', 'ses:SendRawEmail'].map((action) => `${action} identity/${identity}`),
      ),
    ]);

    expect(allowedTo(id)).toEqual([...expected].sort());
  },
);

/** Resources of which a template cannot list the names. */
const WILDCARDS: readonly RegExp[] = [
  /^arn:\$\{AWS::Partition\}:s3:::\$\{\w+\}\/\*$/,
  /:execution:inference-attribution-local-exports:\*$/,
  new RegExp(`:iam::\\*:role/(?:${Object.values(roleNamePrefixes).join('|')})\\*$`),
  // The streams of the log group of one function.
  /:log-group:\/aws\/lambda\/[\w-]+:\*$/,
];
const Statement = z.object({
  Action: z.unknown().transform((value) => [value].flat().map(String)),
  Resource: z.unknown().transform((value) => [value].flat()),
});

it('uses no wildcard except for objects of a bucket, executions of a state machine, log streams and roles of customers', () => {
  const addressOf = addressIn(template);
  const Role = z.object({
    Policies: z.array(z.object({ PolicyDocument: z.object({ Statement: z.array(Statement) }) })).default([]),
  });
  const allStatements = [...resourcesOf(template, 'AWS::IAM::Role', Role).values()].flatMap(({ Policies }) =>
    Policies.flatMap(({ PolicyDocument }) => PolicyDocument.Statement),
  );

  const wildcards = allStatements.flatMap(({ Action, Resource }) =>
    [...Action, ...Resource.map(addressOf)].filter((text) => text.includes('*')),
  );

  expect(wildcards.length).toBeGreaterThan(0);
  expect(wildcards.filter((text) => !WILDCARDS.some((allowed) => allowed.test(text)))).toEqual([]);
});

it('runs every function on Node 24 and arm64, with system logs from WARN', () => {
  const shapes = resourcesOf(
    template,
    'AWS::Lambda::Function',
    z.object({
      Runtime: z.literal('nodejs24.x'),
      Architectures: z.tuple([z.literal('arm64')]),
      Handler: z.literal('index.handler'),
      LoggingConfig: z.object({ LogFormat: z.literal('JSON'), SystemLogLevel: z.literal('WARN') }),
    }),
  );

  expect([...shapes.keys()].sort()).toEqual(deployed.map(({ id }) => id).sort());
});

it('gives each function its own role', () => {
  const idOf = idIn(template);

  expect(new Set([...functions.values()].map(({ Role }) => idOf(Role))).size).toBe(functions.size);
});

it.each(deployed)(
  'passes $name only the environment variables of its needs and sources',
  ({ name, id, granted, sources }) => {
    const common = ['BASE_URL', 'ENVIRONMENT', 'METRICS_NAMESPACE', 'PUBLIC_CONTRACT', 'REQUEST_TIMEOUT_MS'];
    const forWorkers = sources.includes('ingestion') ? ['SOURCE_ACCEPTED', 'SINGLE_TENANT'] : [];
    const forUnit: Record<string, string[]> = {
      signIn: ['OIDC_CLIENT_ID', 'OIDC_ISSUER'],
      settings: ['NOTIFICATION_SENDER'],
      'notify.worker': ['NOTIFICATION_SENDER'],
    };

    expect(Object.keys(functions.get(id)?.Environment.Variables ?? {}).sort()).toEqual(
      [
        ...new Set([
          ...common,
          ...forWorkers,
          ...(forUnit[name] ?? []),
          ...granted.flatMap(variablesOfNeed),
          ...sources.map((source) => variableOf('queue', source)),
          ...deadLettersOf(sources),
        ]),
      ].sort(),
    );
  },
);

it('grants no permission to send mail when no sender is configured', () => {
  expect(JSON.stringify(templateOf({}))).not.toMatch(/ses:Send|NOTIFICATION_SENDER/);
});

it('grants each role only the actions in the reviewed snapshot', () => {
  expect(Object.fromEntries(deployed.map(({ name, id }) => [name, allowedTo(id)]))).toMatchSnapshot();
});
