import { expect, it } from 'vitest';
import * as z from 'zod';
import type { QueueName } from '../../schemas/platform/queues.ts';
import { type Need, needs, variableOf } from '../../schemas/platform/resources.ts';
import type { StreamSource, WorkerShape } from '../../schemas/platform/workerShape.ts';
import { workerNames, workers } from '../../schemas/platform/workers.ts';
import { needsOfUnit } from '../../schemas/routes/index.ts';
import { units } from '../../schemas/routes/route.ts';
import { functionId, labelsOf, Reference, resourcesOf, templateOf } from './stack.ts';

const SENDER = { address: 'alerts@mail.example.org', domain: 'mail.example.org' };
const template = templateOf({ singleTenant: 'acme', notificationSender: SENDER.address });
const labels = labelsOf(template);

const oneOrMany = <Shape extends z.ZodType>(shape: Shape) =>
  z.union([z.array(shape), shape.transform((value) => [value])]);
/** Suffix for all objects of a bucket. A template cannot list their names. */
const OBJECTS = '/*';
const Objects = z
  .strictObject({ 'Fn::Join': z.tuple([z.literal(''), z.tuple([Reference, z.literal(OBJECTS)])]) })
  .transform(({ 'Fn::Join': [, [bucket]] }) => bucket);
/** Suffix for all executions of a state machine. A template cannot list their names. */
const EXECUTIONS = ':*';
const Executions = z
  .strictObject({ 'Fn::Join': z.tuple([z.literal(''), z.array(z.unknown())]) })
  .transform(({ 'Fn::Join': [, parts] }) => parts)
  .refine((parts) => parts.some((part) => String(part).endsWith(':execution:')))
  .refine((parts) => parts.at(-1) === EXECUTIONS)
  .transform((parts) => Reference.parse(parts.at(-2)));
/** The ARN of an SES sender identity. The stack does not declare this resource. */
const Identity = z
  .strictObject({ 'Fn::Join': z.tuple([z.literal(''), z.array(z.unknown())]) })
  .transform(({ 'Fn::Join': [, parts] }) => String(parts.at(-1)))
  .refine((end) => /^:identity\/[^*/]+$/.test(end))
  .transform((end) => end.slice(1));
const Policy = z.object({
  PolicyDocument: z.object({
    Statement: z.array(
      z.strictObject({
        Action: oneOrMany(z.string()),
        Effect: z.literal('Allow'),
        Resource: oneOrMany(z.union([Reference, Objects, Executions, Identity])),
      }),
    ),
  }),
});
const roles = resourcesOf(template, 'AWS::IAM::Role', z.object({ Policies: z.array(Policy).default([]) }));
const functions = resourcesOf(
  template,
  'AWS::Lambda::Function',
  z.object({
    Role: Reference,
    LoggingConfig: z.object({ LogGroup: Reference }),
    Environment: z.object({ Variables: z.record(z.string(), z.unknown()) }),
  }),
);

interface Deployed {
  readonly name: string;
  readonly id: string;
  readonly granted: readonly Need[];
  readonly sources: readonly QueueName[];
  readonly streams: readonly StreamSource[];
  readonly sendsMail: boolean;
}

const deployed: readonly Deployed[] = [
  ...units.map((name) => ({
    name,
    id: functionId(template, 'Units', name),
    granted: needsOfUnit(name),
    sources: [],
    streams: [],
    sendsMail: false,
  })),
  ...workerNames.map((name) => {
    const { needs: granted, sources, streams = [], sendsMail = false }: WorkerShape = workers[name];
    const id = functionId(template, 'Workers', name);
    return { name: `${name}.worker`, id, granted, sources, streams, sendsMail };
  }),
];

const pascal = (variable: string): string =>
  variable.toLowerCase().replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());

const variableOfNeed = (need: Need): string => {
  const access = needs[need];
  if ('table' in access) return variableOf('table', access.table);
  if ('queue' in access) return variableOf('queue', access.queue);
  if ('bucket' in access) return variableOf('bucket', access.bucket);
  return 'key' in access ? variableOf('key', access.key) : variableOf('stateMachine', access.stateMachine);
};

/** What the role of a function allows, as `action resource`. The log group of the function is called `OwnLogs`. */
const allowedTo = (id: string): string[] => {
  const properties = functions.get(id);
  const statements =
    roles.get(properties?.Role ?? '')?.Policies.flatMap(({ PolicyDocument }) => PolicyDocument.Statement) ??
    [];
  const labelOf = (resource: string): string =>
    resource === properties?.LoggingConfig.LogGroup ? 'OwnLogs' : (labels.get(resource) ?? resource);
  const allowed = statements.flatMap(({ Action, Resource }) =>
    Resource.flatMap((resource) => Action.map((action) => `${action} ${labelOf(resource)}`)),
  );
  return [...new Set(allowed)].sort();
};

it.each(deployed)(
  'grants $name exactly the actions of its needs',
  ({ id, granted, sources, streams, sendsMail }) => {
    const expected = new Set([
      'logs:CreateLogStream OwnLogs',
      'logs:PutLogEvents OwnLogs',
      ...granted.flatMap((need) =>
        needs[need].actions.map((action) => `${action} ${pascal(variableOfNeed(need))}`),
      ),
      ...sources.flatMap((source) =>
        ['sqs:DeleteMessage', 'sqs:GetQueueAttributes', 'sqs:ReceiveMessage'].map(
          (action) => `${action} ${pascal(variableOf('queue', source))}`,
        ),
      ),
      ...streams.flatMap(({ table, failureQueue }) => [
        ...['DescribeStream', 'GetRecords', 'GetShardIterator', 'ListStreams'].map(
          (action) => `dynamodb:${action} ${pascal(variableOf('table', table))}`,
        ),
        `sqs:SendMessage ${pascal(variableOf('queue', `${failureQueue}DeadLetter`))}`,
      ]),
      ...(sendsMail ? [SENDER.address, SENDER.domain] : []).flatMap((identity) =>
        ['ses:SendEmail', 'ses:SendRawEmail'].map((action) => `${action} identity/${identity}`),
      ),
    ]);

    expect(allowedTo(id)).toEqual([...expected].sort());
  },
);

it('uses no wildcard except for the objects of a bucket and the executions of a state machine', () => {
  const allRoles = resourcesOf(template, 'AWS::IAM::Role', z.object({ Policies: z.unknown().optional() }));

  for (const [, { Policies }] of allRoles) {
    const policyText = JSON.stringify(Policies ?? [])
      .replaceAll(`"${OBJECTS}"`, '')
      .replaceAll(`"${EXECUTIONS}"`, '');
    expect(policyText).not.toContain('*');
  }
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
  expect(new Set([...functions.values()].map(({ Role }) => Role)).size).toBe(functions.size);
});

it.each(deployed)(
  'passes $name only the environment variables of its needs',
  ({ name, id, granted, sources }) => {
    const common = ['BASE_URL', 'ENVIRONMENT', 'METRICS_NAMESPACE', 'PUBLIC_CONTRACT', 'REQUEST_TIMEOUT_MS'];
    const forWorkers = sources.includes('ingestion') ? ['SOURCE_ACCEPTED', 'SINGLE_TENANT'] : [];
    const forUnit: Record<string, string[]> = {
      signIn: ['OIDC_CLIENT_ID', 'OIDC_ISSUER'],
      tenancy: ['NOTIFICATION_SENDER'],
      'notify.worker': ['NOTIFICATION_SENDER'],
    };

    expect(Object.keys(functions.get(id)?.Environment.Variables ?? {}).sort()).toEqual(
      [
        ...new Set([...common, ...forWorkers, ...(forUnit[name] ?? []), ...granted.map(variableOfNeed)]),
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
