import type { BucketName } from '../../schemas/platform/buckets.ts';
import type { QueueName } from '../../schemas/platform/queues.ts';
import {
  type KeyName,
  type Need,
  needs,
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
  /**
   * The ARNs that a need grants: usually one. A bucket adds its objects, a state machine its executions, and a key
   * schedule all its keys.
   */
  readonly arns: readonly string[];
  /** The value for functions: a table or bucket name, a queue URL, a state machine or key ARN, or a key schedule. */
  readonly reference: string;
}

/** The resources of the stack, by the names that needs use. */
export class Targets {
  readonly #byVariable = new Map<string, Target>();

  add(target: Target): void {
    this.#byVariable.set(variableOf(target.kind, target.name), target);
  }

  /** The resource of a need and its environment variable. Throws if the stack does not declare the resource. */
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
    if (target === undefined)
      throw new Error(`The need ${need} requires ${variable}, which the stack does not declare`);
    return [variable, target];
  }

  all(): Target[] {
    return [...this.#byVariable.values()];
  }
}
