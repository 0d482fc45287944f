import type { BucketName } from './buckets.ts';
import type { KeyName } from './keys.ts';
import type { QueueAccess } from './queues.ts';
import { type Need, needs, type StateMachineName } from './resources.ts';
import type { TableName } from './tables.ts';
import type { TrustedWorker } from './trustedRoles.ts';

export type ResourceKind =
  | 'table'
  | 'queue'
  | 'bucket'
  | 'stateMachine'
  | 'key'
  | 'userPool'
  | 'customerRole'
  | 'trustedRole';
/** The user pool has its id in place of a name. */
export type ResourceName =
  | TableName
  | QueueAccess['queue']
  | BucketName
  | StateMachineName
  | KeyName
  | TrustedWorker
  | 'id';

/** The environment variable with the name, URL or ARN of a resource: `variableOf('table', 'ledger')` → `TABLE_LEDGER`. */
export const variableOf = (kind: ResourceKind, name: ResourceName): string =>
  `${kind}_${name}`.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();

/** A resource that a need names. */
export interface NamedResource {
  readonly kind: ResourceKind;
  readonly name: ResourceName;
  readonly variable: string;
}

const named = (kind: ResourceKind, names: ResourceName | readonly ResourceName[]): NamedResource[] =>
  [names].flat().map((name) => ({ kind, name, variable: variableOf(kind, name) }));

/** The resources of a need: one, unless it erases tenants. */
export const resourcesOfNeed = (need: Need): NamedResource[] => {
  const access = needs[need];
  if ('table' in access) return named('table', access.table);
  if ('queue' in access) return named('queue', access.queue);
  if ('bucket' in access) return named('bucket', access.bucket);
  if ('userPool' in access) return named('userPool', access.userPool);
  if ('customerRole' in access) return named('customerRole', access.customerRole);
  if ('trustedRole' in access) return named('trustedRole', access.trustedRole);
  return 'key' in access ? named('key', access.key) : named('stateMachine', access.stateMachine);
};

/** The environment variables of the resources of a need. */
export const variablesOfNeed = (need: Need): readonly string[] =>
  resourcesOfNeed(need).map(({ variable }) => variable);
