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

/** The environment variable of the resource of a need. */
export const variableOfNeed = (need: Need): string => {
  const access = needs[need];
  if ('table' in access) return variableOf('table', access.table);
  if ('queue' in access) return variableOf('queue', access.queue);
  if ('bucket' in access) return variableOf('bucket', access.bucket);
  if ('userPool' in access) return variableOf('userPool', access.userPool);
  if ('billRole' in access) return variableOf('billRole', access.billRole);
  return 'key' in access ? variableOf('key', access.key) : variableOf('stateMachine', access.stateMachine);
};
