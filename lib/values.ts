import { CfnParameter, type Stack } from 'aws-cdk-lib';
import { CfnParameter as StoredParameter } from 'aws-cdk-lib/aws-ssm';
import { Construct } from 'constructs';
import { parameterNameOf } from './names.ts';
import { pascalCase } from './pascalCase.ts';
import type { Settings } from './settings.ts';

/** `key/cursor` → `KeyCursor`. */
const idOf = (value: string): string => value.split('/').map(pascalCase).join('');

/** Reads a value that AWS chose, such as the ARN of a key, by its name. */
export type ReadValue = (name: string) => string;

/**
 * Stores values of a stack for the stacks that are deployed after it. Names of buckets are among them: a name that others
 * can guess, they can take.
 */
export class PublishedValues extends Construct {
  readonly #deployment: string;
  readonly #values = new Map<string, string>();

  constructor(scope: Construct, id: string, { deployment }: Settings) {
    super(scope, id);
    this.#deployment = deployment;
  }

  publish(name: string, value: string): void {
    new StoredParameter(this, idOf(name), {
      type: 'String',
      name: parameterNameOf(this.#deployment, name),
      value,
    });
    this.#values.set(name, value);
  }

  /** A value of the same stack. */
  readonly read: ReadValue = (name) => {
    const value = this.#values.get(name);
    if (value === undefined) throw new Error(`The stack publishes no ${name}`);
    return value;
  };
}

/** Reads the values that other stacks published. CloudFormation reads them again at each deployment of the stack. */
export const valuesFor =
  (stack: Stack, { deployment }: Settings): ReadValue =>
  (name) => {
    const id = `Value${idOf(name)}`;
    const found = stack.node.tryFindChild(id);
    const parameter =
      found instanceof CfnParameter
        ? found
        : new CfnParameter(stack, id, {
            type: 'AWS::SSM::Parameter::Value<String>',
            default: parameterNameOf(deployment, name),
          });
    return parameter.valueAsString;
  };
