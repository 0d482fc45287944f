import { Validations } from 'aws-cdk-lib';
import type { IAlarm } from 'aws-cdk-lib/aws-cloudwatch';
import { LambdaApplication, LambdaDeploymentConfig, LambdaDeploymentGroup } from 'aws-cdk-lib/aws-codedeploy';
import { ManagedPolicy, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { Alias } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import type { UnitName } from '../../schemas/routes/route.ts';
import { pascalCase } from '../pascalCase.ts';

const CODE_DEPLOY_POLICY = 'service-role/AWSCodeDeployRoleForLambdaLimited';

export interface GradualDeploymentsProps {
  readonly aliases: ReadonlyMap<UnitName, Alias>;
  /** A deployment stops and is rolled back while this alarm fires. */
  readonly alarm: IAlarm;
}

/**
 * Sends 10 % of the requests of each unit to its new version for ten minutes, then all. If the alarm fires,
 * CodeDeploy returns to the previous version, and CloudFormation rolls back the stack. The workers
 * change after all have succeeded, because their stack is deployed after this one.
 */
export class GradualDeployments extends Construct {
  constructor(scope: Construct, id: string, { aliases, alarm }: GradualDeploymentsProps) {
    super(scope, id);
    const application = new LambdaApplication(this, 'Application');
    const role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('codedeploy.amazonaws.com'),
      managedPolicies: [ManagedPolicy.fromAwsManagedPolicyName(CODE_DEPLOY_POLICY)],
    });
    Validations.of(role).acknowledge({
      id: `AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/${CODE_DEPLOY_POLICY}]`,
      reason:
        'AWS maintains what CodeDeploy needs to change an alias and to read alarms. Alarms have no narrower scope.',
    });
    for (const [unit, alias] of aliases) {
      new LambdaDeploymentGroup(this, pascalCase(unit), {
        application,
        role,
        alias,
        alarms: [alarm],
        // The alarm needs a minute of requests and up to three minutes until CloudWatch has their metrics.
        deploymentConfig: LambdaDeploymentConfig.CANARY_10PERCENT_10MINUTES,
        autoRollback: { deploymentInAlarm: true, failedDeployment: true, stoppedDeployment: true },
      });
    }
  }
}
