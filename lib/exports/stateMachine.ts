import { Stack, Validations } from 'aws-cdk-lib';
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { CfnStateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import { Construct } from 'constructs';
import { nameIn } from '../names.ts';
import type { Settings } from '../settings.ts';
import { buildDefinition, type ExportFunctions } from './definition.ts';

/** The state machine for exports, with the functions of its steps. Its role may invoke these only. */
export const addExportStateMachine = (
  scope: Construct,
  id: string,
  { deployment, exportConcurrency }: Settings,
  steps: Readonly<Record<keyof ExportFunctions, LambdaFunction>>,
): void => {
  const { control, gather, write } = steps;
  const within = new Construct(scope, id);
  const role = new Role(within, 'Role', {
    assumedBy: new ServicePrincipal('states.amazonaws.com'),
    inlinePolicies: {
      Steps: new PolicyDocument({
        statements: [
          new PolicyStatement({
            actions: ['lambda:InvokeFunction'],
            resources: [control, gather, write].map(({ functionArn }) => functionArn),
          }),
        ],
      }),
    },
  });
  const definition = buildDefinition(
    { control: control.functionArn, gather: gather.functionArn, write: write.functionArn },
    exportConcurrency,
  );
  const machine = new CfnStateMachine(within, 'Machine', {
    // The API starts it by its name: the stack of the API is deployed before this one.
    stateMachineName: nameIn(deployment, 'exports'),
    stateMachineType: 'STANDARD',
    roleArn: role.roleArn,
    definitionString: Stack.of(scope).toJsonString(definition),
  });
  Validations.of(machine).acknowledge(
    {
      id: 'AwsSolutions-SF1',
      reason:
        'Step Functions keeps the history of every execution for 90 days, and the functions log their errors.',
    },
    {
      id: 'AwsSolutions-SF2',
      reason: 'Steps take minutes, and the execution history shows their durations.',
    },
  );
};
