import { ArnFormat, Stack, Validations } from 'aws-cdk-lib';
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { CfnStateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import { Construct } from 'constructs';
import type { Targets } from '../compute/targets.ts';
import { buildDefinition, type ExportFunctions } from './definition.ts';

/** The state machine for exports. Call `runIn` later: its functions also need permission to start it. */
export class ExportStateMachine extends Construct {
  readonly machine: CfnStateMachine;
  readonly #policy = new PolicyDocument();

  constructor(scope: Construct, id: string, targets: Targets) {
    super(scope, id);
    const role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('states.amazonaws.com'),
      inlinePolicies: { Steps: this.#policy },
    });
    this.machine = new CfnStateMachine(this, 'Machine', {
      stateMachineType: 'STANDARD',
      roleArn: role.roleArn,
    });
    Validations.of(this.machine).acknowledge(
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
    const { ref: arn, attrName: name } = this.machine;
    targets.add({
      kind: 'stateMachine',
      name: 'exports',
      arns: [
        arn,
        Stack.of(this).formatArn({
          service: 'states',
          resource: `execution:${name}:*`,
          arnFormat: ArnFormat.NO_RESOURCE_NAME,
        }),
      ],
      reference: arn,
    });
  }

  /** Sets the functions of the steps. The role may invoke these only. */
  runIn(steps: Readonly<Record<keyof ExportFunctions, LambdaFunction>>): void {
    const { control, gather, write } = steps;
    const definition = buildDefinition({
      control: control.functionArn,
      gather: gather.functionArn,
      write: write.functionArn,
    });
    this.machine.definitionString = Stack.of(this).toJsonString(definition);
    this.#policy.addStatements(
      new PolicyStatement({
        actions: ['lambda:InvokeFunction'],
        resources: [control, gather, write].map(({ functionArn }) => functionArn),
      }),
    );
  }
}
