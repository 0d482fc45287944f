import { Duration, Stack } from 'aws-cdk-lib';
import { CfnRule, Schedule } from 'aws-cdk-lib/aws-events';
import { CfnPermission, type Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import { functionNameOf } from '../names.ts';

/** The rule that sends ticks to a worker has the name of its function. */
export const scheduleNameOf = (deployment: string, worker: string): string =>
  functionNameOf(deployment, 'workers', worker);

export const scheduleArnOf = (scope: Construct, deployment: string, worker: string): string =>
  Stack.of(scope).formatArn({
    service: 'events',
    resource: 'rule',
    resourceName: scheduleNameOf(deployment, worker),
  });

export interface TickProps {
  readonly name: string;
  readonly minutes: number;
  /** The function to invoke, or the ARN of the queue whose policy admits the rule. In a queue a tick stays until it is handled. */
  readonly target: LambdaFunction | string;
}

/** Sends a tick every few minutes. */
export const addTick = (scope: Construct, { name, minutes, target }: TickProps): void => {
  const isQueue = typeof target === 'string';
  const rule = new CfnRule(scope, 'Period', {
    name,
    scheduleExpression: Schedule.rate(Duration.minutes(minutes)).expressionString,
    targets: [isQueue ? { id: 'Queue', arn: target } : { id: 'Callee', arn: target.functionArn }],
  });
  if (isQueue) return;
  new CfnPermission(scope, 'PeriodPermission', {
    action: 'lambda:InvokeFunction',
    functionName: target.functionArn,
    principal: 'events.amazonaws.com',
    sourceArn: rule.attrArn,
  });
};
