import { Duration } from 'aws-cdk-lib';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction as LambdaTarget } from 'aws-cdk-lib/aws-events-targets';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { EventSourceMapping, type Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
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
        new Rule(consumer, 'Period', {
          description: worker.summary,
          schedule: Schedule.rate(Duration.minutes(worker.everyMinutes)),
          targets: [new LambdaTarget(consumer.function)],
        });
      }
      this.functions.set(`${name}Worker`, consumer.function);
    }
  }
}
