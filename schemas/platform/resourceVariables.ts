import type { BucketName } from './buckets.ts';
import type { KeyName } from './keys.ts';
import type { QueueAccess } from './queues.ts';
import { type BillRoleName, type Need, needs, type StateMachineName } from './resources.ts';
import type { TableName } from './tables.ts';

export type ResourceKind = 'table' | 'queue' | 'bucket' | 'stateMachine' | 'key' | 'userPool' | 'billRole';
/** The user pool has its id in place of a name. */
export type ResourceName =
  | TableName
  | QueueAccess['queue']
  | BucketName
  | StateMachineName
  | KeyName
  | BillRoleName
  | 'id';

/** The environment variable with the name, URL or ARN of a resource: `variableOf('table', 'ledger')` → `TABLE_LEDGER`. */
export const variableOf = (kind: ResourceKind, name: ResourceName): string =>
  `${kind}_${name}`.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();

const variablesOf = (kind: ResourceKind, names: ResourceName | readonly ResourceName[]): readonly string[] =>
  [names].flat().map((name) => variableOf(kind, name));

/** The environment variables of the resources of a need: one, unless it erases tenants. */
export const variablesOfNeed = (need: Need): readonly string[] => {
  const access = needs[need];
  if ('table' in access) return variablesOf('table', access.table);
  if ('queue' in access) return variablesOf('queue', access.queue);
  if ('bucket' in access) return variablesOf('bucket', access.bucket);
  if ('userPool' in access) return variablesOf('userPool', access.userPool);
  if ('billRole' in access) return variablesOf('billRole', access.billRole);
  return 'key' in access ? variablesOf('key', access.key) : variablesOf('stateMachine', access.stateMachine);
};
