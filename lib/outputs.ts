import { CfnOutput, type Stack } from 'aws-cdk-lib';
import type { Targets } from './compute/targets.ts';
import { pascalCase } from './pascalCase.ts';

/** Adds the outputs that operator commands and the local runtime read: `BaseUrl`, `TableLedger`, `QueueAccepted` … */
export const addOutputs = (
  stack: Stack,
  targets: Targets,
  values: Readonly<Record<string, string>>,
): void => {
  for (const { kind, name, reference } of targets.all()) {
    // The users of an external provider. An output has a value.
    if (reference === '') continue;
    new CfnOutput(stack, pascalCase(kind) + pascalCase(name), { value: reference });
  }
  for (const [name, value] of Object.entries(values)) new CfnOutput(stack, name, { value });
};
