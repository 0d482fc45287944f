import * as z from 'zod';
import type { Template } from '../../lib/synthesise.ts';
import type { QueueName } from '../../schemas/platform/queues.ts';
import type { Need } from '../../schemas/platform/resources.ts';
import { variableOf } from '../../schemas/platform/resourceVariables.ts';
import type { StreamSource, WorkerShape } from '../../schemas/platform/workerShape.ts';
import { workerNames, workers } from '../../schemas/platform/workers.ts';
import { needsOfUnit } from '../../schemas/routes/index.ts';
import { units } from '../../schemas/routes/route.ts';
import { functionId, labelsOf, Reference, resourcesOf, textOf } from './stack.ts';

const oneOrMany = <Shape extends z.ZodType>(shape: Shape) =>
  z.union([z.array(shape), shape.transform((value) => [value])]);
/** Suffix for all objects of a bucket. A template cannot list their names. */
export const OBJECTS = '/*';
const Objects = z
  .strictObject({ 'Fn::Join': z.tuple([z.literal(''), z.tuple([Reference, z.literal(OBJECTS)])]) })
  .transform(({ 'Fn::Join': [, [bucket]] }) => bucket);
/** Suffix for all executions of a state machine. A template cannot list their names. */
export const EXECUTIONS = ':*';
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
/** The roles of customers that may read their bills, by the beginning of their names. A template cannot list them. */
const CustomerRoles = z
  .strictObject({ 'Fn::Join': z.tuple([z.literal(''), z.array(z.unknown())]) })
  .transform(({ 'Fn::Join': [, parts] }) => String(parts.at(-1)))
  .refine((end) => end === ':iam::*:role/attribution-bills-*')
  .transform(() => 'BillRoleCustomers');
/** The functions that the API invokes, by their fixed names. */
const Named = z
  .strictObject({ 'Fn::Join': z.tuple([z.literal(''), z.array(z.unknown())]) })
  .transform(textOf)
  .refine((arn) => /:function:\$\{AWS::StackName\}-\w+(?::live)?$/.test(arn));
const Policy = z.object({
  PolicyDocument: z.object({
    Statement: z.array(
      z.strictObject({
        Action: oneOrMany(z.string()),
        Effect: z.literal('Allow'),
        Resource: oneOrMany(z.union([Reference, Objects, Executions, Identity, CustomerRoles, Named])),
      }),
    ),
  }),
});
const ServiceFunction = z.object({ Role: Reference, LoggingConfig: z.object({ LogGroup: Reference }) });

/** The resource that an environment variable names, as the outputs of the stack call it: `TABLE_LEDGER` → `TableLedger`. */
export const outputOf = (variable: string): string =>
  variable.toLowerCase().replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** The environment variable of the queue for messages that a function gives up, if it has sources. */
export const deadLettersOf = (sources: readonly QueueName[]): string[] =>
  sources.slice(0, 1).map((source) => variableOf('queue', `${source}DeadLetter`));

export interface DeployedFunction {
  readonly name: string;
  readonly id: string;
  readonly granted: readonly Need[];
  readonly sources: readonly QueueName[];
  readonly streams: readonly StreamSource[];
  readonly sendsMail: boolean;
}

/** Every function of the service, with what it declares. */
export const deployedFunctions = (template: Template): readonly DeployedFunction[] => [
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

/** The statements of the role of each function, as `action resource`. Its own log group is called `OwnLogs`. */
export const statementsOf = (template: Template): ((functionId: string) => string[][]) => {
  const labels = labelsOf(template);
  const roles = resourcesOf(template, 'AWS::IAM::Role', z.object({ Policies: z.array(Policy).default([]) }));
  const functions = resourcesOf(template, 'AWS::Lambda::Function', ServiceFunction);
  return (id) => {
    const own = functions.get(id);
    const labelOf = (resource: string): string =>
      resource === own?.LoggingConfig.LogGroup ? 'OwnLogs' : (labels.get(resource) ?? resource);
    const statements = roles
      .get(own?.Role ?? '')
      ?.Policies.flatMap(({ PolicyDocument }) => PolicyDocument.Statement);
    return (statements ?? []).map(({ Action, Resource }) => [
      ...new Set(Resource.flatMap((resource) => Action.map((action) => `${action} ${labelOf(resource)}`))),
    ]);
  };
};
