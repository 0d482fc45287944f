import type { Need } from '../../schemas/platform/resources.ts';
import {
  type ResourceKind,
  type ResourceName,
  variableOf,
  variablesOfNeed,
} from '../../schemas/platform/resourceVariables.ts';

/** A resource that a need may name. */
export interface Target {
  readonly kind: ResourceKind;
  readonly name: ResourceName;
  /**
   * The ARNs that a need grants: usually one. A bucket adds its objects, a state machine its executions, and a key
   * schedule all its keys. Empty if the resource belongs to somebody else, as the users of an external provider do, or if
   * functions need its name only.
   */
  readonly arns: readonly string[];
  /** The value for functions: a table or bucket name, a queue URL, a state machine, key or role ARN, or a key schedule. */
  readonly reference: string;
}

/** The resources of the stack, by the names that needs use. */
export class Targets {
  readonly #byVariable = new Map<string, Target>();

  add(target: Target): void {
    this.#byVariable.set(variableOf(target.kind, target.name), target);
  }

  /** The resources of a need with their environment variables. Throws if the stack does not declare one. */
  of(need: Need): [variable: string, target: Target][] {
    return variablesOfNeed(need).map((variable) => {
      const target = this.#byVariable.get(variable);
      if (target === undefined)
        throw new Error(`The need ${need} requires ${variable}, which the stack does not declare`);
      return [variable, target];
    });
  }

  all(): Target[] {
    return [...this.#byVariable.values()];
  }
}
