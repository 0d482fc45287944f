import { Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { CfnRule, Schedule } from 'aws-cdk-lib/aws-events';
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  Architecture,
  CfnPermission,
  Code,
  Function as LambdaFunction,
  LoggingFormat,
  Runtime,
  SystemLogLevel,
} from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { logGroupNameOf } from '../names.ts';
import type { Settings } from '../settings.ts';
import { type AlarmShape, MINUTE } from './alarmShape.ts';

/** Longer than the slowest answer of the API. */
const ANSWER_SECONDS = 15;

/** Requests the service as its clients do: through DNS, the certificate, and what stands in front of the API. */
export const HEARTBEAT_SOURCE = `'use strict';
exports.handler = async () => {
  const answer = await fetch(process.env.READY_URL, {
    redirect: 'error',
    signal: AbortSignal.timeout(${ANSWER_SECONDS * 1_000}),
  });
  await answer.arrayBuffer();
  if (answer.status !== 200) throw new Error('The service answered ' + answer.status);
};
`;

/**
 * A function that requests the public address of the service every minute. Metrics of the API show no request that does not
 * arrive: with an expired certificate or a wrong DNS record they are silent.
 */
export class Heartbeat extends Construct {
  /** Fires when most of the requests fail, and when none is made. */
  readonly alarm: AlarmShape;

  constructor(scope: Construct, id: string, baseUrl: string, settings: Settings) {
    super(scope, id);
    const functionName = `${Stack.of(this).stackName}-heartbeat`;
    const logGroup = new LogGroup(this, 'Logs', {
      logGroupName: logGroupNameOf(functionName),
      retention: settings.logRetention,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    const role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
      inlinePolicies: {
        Logs: new PolicyDocument({
          statements: [
            new PolicyStatement({
              actions: ['logs:CreateLogStream', 'logs:PutLogEvents'],
              resources: [logGroup.logGroupArn],
            }),
          ],
        }),
      },
    });
    const heartbeat = new LambdaFunction(this, 'Function', {
      functionName,
      description: 'Requests the public address of the service',
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      handler: 'index.handler',
      code: Code.fromInline(HEARTBEAT_SOURCE),
      memorySize: 128,
      timeout: Duration.seconds(ANSWER_SECONDS + 5),
      role: role.withoutPolicyUpdates(),
      logGroup,
      loggingFormat: LoggingFormat.JSON,
      systemLogLevelV2: SystemLogLevel.WARN,
      environment: { READY_URL: `${baseUrl}/readyz` },
      // The next minute is the retry.
      retryAttempts: 0,
    });
    const rule = new CfnRule(this, 'Period', {
      scheduleExpression: Schedule.rate(MINUTE).expressionString,
      targets: [{ id: 'Callee', arn: heartbeat.functionArn }],
    });
    new CfnPermission(this, 'PeriodPermission', {
      action: 'lambda:InvokeFunction',
      functionName: heartbeat.functionArn,
      principal: 'events.amazonaws.com',
      sourceArn: rule.attrArn,
    });
    this.alarm = {
      metric: heartbeat.metricErrors({ statistic: 'Sum', period: MINUTE }),
      threshold: 1,
      periods: 5,
      breaching: 4,
      missingData: TreatMissingData.BREACHING,
      severity: 'page',
      summary: 'Four of five requests of the public address failed, or none was made.',
      runbook: 'api-failures',
    };
  }
}
