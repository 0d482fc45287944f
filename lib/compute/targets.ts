import {
  type BucketName,
  type KeyName,
  type Need,
  needs,
  type QueueName,
  type StateMachineName,
  variableOf,
} from '../../schemas/platform/resources.ts';
import type { TableName } from '../../schemas/platform/tables.ts';

type Kind = 'table' | 'queue' | 'bucket' | 'stateMachine' | 'key';
type Name = TableName | QueueName | `${QueueName}DeadLetter` | BucketName | StateMachineName | KeyName;

/** A resource that a need may name. */
export interface Target {
  readonly kind: Kind;
  readonly name: Name;
  /** What a need on it grants: one ARN (of a bucket its objects'), that of a state machine and of its executions, or those of every key that follows another under this name. */
  readonly arns: readonly string[];
  /** How code finds it: the name of a table or bucket, the URL of a queue, the ARN of a state machine or key, the schedule of several. */
  readonly reference: string;
}

/** The resources of the stack under the names that needs use. */
export class Targets {
  readonly #byVariable = new Map<string, Target>();

  add(target: Target): void {
    this.#byVariable.set(variableOf(target.kind, target.name), target);
  }

  /** The environment variable of a need's resource, and the resource. Throws when the stack declares none. */
  of(need: Need): [variable: string, target: Target] {
    const access = needs[need];
    const variable =
      'table' in access
        ? variableOf('table', access.table)
        : 'queue' in access
          ? variableOf('queue', access.queue)
          : 'bucket' in access
            ? variableOf('bucket', access.bucket)
            : 'stateMachine' in access
              ? variableOf('stateMachine', access.stateMachine)
              : variableOf('key', access.key);
    const target = this.#byVariable.get(variable);
    if (target === undefined) throw new Error(`${need} needs ${variable}, which the stack does not declare`);
    return [variable, target];
  }

  all(): Target[] {
    return [...this.#byVariable.values()];
  }
}
