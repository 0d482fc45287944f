import * as z from 'zod';
import type { Template } from '../../lib/synthesise.ts';
import type { QueueName } from '../../schemas/platform/queues.ts';
import type { Need } from '../../schemas/platform/resources.ts';
import { variableOf } from '../../schemas/platform/resourceVariables.ts';
import type { StreamSource, WorkerShape } from '../../schemas/platform/workers/workerShape.ts';
import { workerNames, workers } from '../../schemas/platform/workers.ts';
import { needsOfUnit } from '../../schemas/routes/index.ts';
import { units } from '../../schemas/routes/route.ts';
import { customerRolesNamed } from '../support/permissions.ts';
import { addressIn, functionId, idIn, labelsOf, resourcesOf } from './stack.ts';

const oneOrMany = <Shape extends z.ZodType>(shape: Shape) =>
  z.union([z.array(shape), shape.transform((value) => [value])]);
/** An SES sender identity, which no stack declares. */
const IDENTITY = /:ses:.*:(identity\/[^*/]+)$/;
/** The roles of customers that may read their bills, by the beginning of their names. A template cannot list them. */
/** The roles of customers that a worker assumes, by the pattern of their names. */
const CUSTOMER_ROLES = /:iam::\*:role\/(attribution-\w+-)\*$/;
const Policy = z.object({
  PolicyDocument: z.object({
    Statement: z.array(
      z.strictObject({
        Action: oneOrMany(z.string()),
        Effect: z.literal('Allow'),
        Resource: z.unknown().transform((value) => [value].flat()),
      }),
    ),
  }),
});
const ServiceFunction = z.object({ Role: z.unknown(), LoggingConfig: z.object({ LogGroup: z.unknown() }) });

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

/**
 * The statements of the role of each function, as `action resource`. Its own log group is called `OwnLogs`. Throws for a
 * resource that no stack declares.
 */
export const statementsOf = (template: Template): ((functionId: string) => string[][]) => {
  const labels = labelsOf(template);
  const idOf = idIn(template);
  const addressOf = addressIn(template);
  const roles = resourcesOf(template, 'AWS::IAM::Role', z.object({ Policies: z.array(Policy).default([]) }));
  const functions = resourcesOf(template, 'AWS::Lambda::Function', ServiceFunction);
  return (id) => {
    const own = functions.get(id);
    const ownLogs = idOf(own?.LoggingConfig.LogGroup);
    const labelOf = (resource: unknown): string => {
      const address = addressOf(resource);
      const customers = CUSTOMER_ROLES.exec(address)?.[1];
      if (customers !== undefined) return customerRolesNamed(customers);
      const [, identity] = IDENTITY.exec(address) ?? [];
      if (identity !== undefined) return identity;
      const named = idOf(resource);
      if (named === undefined) throw new Error(`No stack declares ${address}`);
      return named === ownLogs ? 'OwnLogs' : (labels.get(named) ?? named);
    };
    const statements = roles
      .get(idOf(own?.Role) ?? '')
      ?.Policies.flatMap(({ PolicyDocument }) => PolicyDocument.Statement);
    return (statements ?? []).map(({ Action, Resource }) => [
      ...new Set(Resource.flatMap((resource) => Action.map((action) => `${action} ${labelOf(resource)}`))),
    ]);
  };
};
