/**
 * The stacks of a deployment, in the order in which they are deployed. Each uses what stands before it. They differ in
 * their life and in the risk of a change: `data` is protected, and changes rarely.
 */
export const stackKinds = ['data', 'api', 'workers', 'observability'] as const;
export type StackKind = (typeof stackKinds)[number];

export const APPLICATION = 'inference-attribution';

/** The name of a deployment, with which the names of its stacks and resources begin. Two environments can share an account. */
export const deploymentNameOf = (environment: string): string => `${APPLICATION}-${environment}`;

/** The tags of all resources. A budget, and reports about costs, find them by these. */
export const tagsOf = (deployment: string) => ({ application: APPLICATION, deployment }) as const;

export const stackNameOf = (deployment: string, kind: StackKind | 'edge'): string => `${deployment}-${kind}`;

/** Stacks in this order. */
export const stackNamesOf = (deployment: string): string[] =>
  stackKinds.map((kind) => stackNameOf(deployment, kind));

/**
 * The fixed name of a table, queue, topic or state machine. A stack that uses a resource of another stack names it so. An
 * export of CloudFormation would lock the stack that has the resource.
 */
export const nameIn = (deployment: string, name: string): string => `${deployment}-${name}`;

/** The name of the function of a unit (stack `api`) or a worker (stack `workers`). Lambda allows 64 characters. */
export const functionNameOf = (deployment: string, kind: 'api' | 'workers', name: string): string =>
  `${stackNameOf(deployment, kind)}-${name}`;

/** The name of the log group of a function. */
export const logGroupNameOf = (functionName: string): string => `/aws/lambda/${functionName}`;

/** The name of the parameter with a value that AWS chose, which other stacks use: `key/cursor`, `stream/ledger`, `api/url`. */
export const parameterNameOf = (deployment: string, value: string): string => `/${deployment}/${value}`;
