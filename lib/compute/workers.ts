import { Duration } from 'aws-cdk-lib';
import { CfnRule, Schedule } from 'aws-cdk-lib/aws-events';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { CfnPermission, EventSourceMapping, type Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { type WorkerName, type WorkerShape, workerNames, workers } from '../../schemas/workers.ts';
import type { Queues } from '../data/queues.ts';
import { pascalCase } from '../pascalCase.ts';
import { type Platform, ServiceFunction } from './serviceFunction.ts';

/** One message at a time, as soon as it is there, where a worker says nothing else. */
const SINGLY = { messages: 1, seconds: 0 };

/**
 * The most environments one source may fill. A backlog then drains at a steady pace instead of taking
 * the account's concurrency, which the functions behind the API share, and the tables' write throughput.
 */
const CONCURRENCY_MAXIMUM = 20;

/** Every worker of the contract, subscribed to its queues and called at its period. */
export class Workers extends Construct {
  readonly functions = new Map<`${WorkerName}Worker`, LambdaFunction>();

  constructor(scope: Construct, id: string, platform: Platform, queues: Queues) {
    super(scope, id);
    for (const name of workerNames) {
      const worker: WorkerShape = workers[name];
      const sources = worker.sources.map((source) => ({ source, queue: queues.get(source).queue }));
      const { singleTenant } = platform.settings;
      const consumer = new ServiceFunction(this, pascalCase(name), {
        platform,
        bundle: `${name}.worker`,
        description: worker.summary,
        needs: worker.needs,
        memoryMegabytes: worker.memoryMegabytes,
        timeoutSeconds: worker.timeoutSeconds,
        statements:
          sources.length === 0
            ? []
            : [
                new PolicyStatement({
                  actions: ['sqs:DeleteMessage', 'sqs:GetQueueAttributes', 'sqs:ReceiveMessage'],
                  resources: sources.map(({ queue }) => queue.queueArn),
                }),
              ],
        environment: worker.sources.includes('ingestion')
          ? {
              // What the worker may believe to name a tenant: IAM lets only our functions and operators send there.
              SOURCE_ACCEPTED: queues.get('accepted').queue.queueArn,
              ...(singleTenant !== undefined && { SINGLE_TENANT: singleTenant }),
            }
          : {},
      });
      const { messages, seconds } = worker.batch ?? SINGLY;
      for (const { source, queue } of sources) {
        new EventSourceMapping(consumer, pascalCase(source), {
          target: consumer.function,
          eventSourceArn: queue.queueArn,
          batchSize: messages,
          maxBatchingWindow: Duration.seconds(seconds),
          maxConcurrency: CONCURRENCY_MAXIMUM,
          reportBatchItemFailures: true,
        });
      }
      if (worker.everyMinutes !== undefined) {
        callAtPeriod(consumer, consumer.function, worker.everyMinutes);
      }
      this.functions.set(`${name}Worker`, consumer.function);
    }
  }
}

const callAtPeriod = (scope: Construct, callee: LambdaFunction, minutes: number): void => {
  const rule = new CfnRule(scope, 'Period', {
    scheduleExpression: Schedule.rate(Duration.minutes(minutes)).expressionString,
    targets: [{ id: 'Callee', arn: callee.functionArn }],
  });
  new CfnPermission(scope, 'PeriodPermission', {
    action: 'lambda:InvokeFunction',
    functionName: callee.functionArn,
    principal: 'events.amazonaws.com',
    sourceArn: rule.attrArn,
  });
};
