import { Duration } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { EventSourceMapping, type Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { type WorkerName, type WorkerShape, workerNames, workers } from '../../schemas/workers.ts';
import { type Platform, ServiceFunction } from '../compute/serviceFunction.ts';
import { pascalCase } from '../pascalCase.ts';
import type { Queues } from './queues.ts';

const BATCH_MESSAGES = 10;
/** Waits for a batch to fill: a second of delay, of the thirty a record may take, for a tenth of the invocations. */
const BATCHING_SECONDS = 1;

/**
 * The most environments one source may fill. A backlog then drains at a steady pace instead of taking
 * the account's concurrency, which the functions behind the API share, and the tables' write throughput.
 */
const CONCURRENCY_MAXIMUM = 20;

/** Every worker of the contract, subscribed to its queues. */
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
        statements: [
          new PolicyStatement({
            actions: ['sqs:DeleteMessage', 'sqs:GetQueueAttributes', 'sqs:ReceiveMessage'],
            resources: sources.map(({ queue }) => queue.queueArn),
          }),
        ],
        environment: {
          // What the worker may believe to name a tenant: IAM lets only our functions and operators send there.
          SOURCE_ACCEPTED: queues.get('accepted').queue.queueArn,
          ...(singleTenant !== undefined && { SINGLE_TENANT: singleTenant }),
        },
      });
      for (const { source, queue } of sources) {
        new EventSourceMapping(consumer, pascalCase(source), {
          target: consumer.function,
          eventSourceArn: queue.queueArn,
          batchSize: BATCH_MESSAGES,
          maxBatchingWindow: Duration.seconds(BATCHING_SECONDS),
          maxConcurrency: CONCURRENCY_MAXIMUM,
          reportBatchItemFailures: true,
        });
      }
      this.functions.set(`${name}Worker`, consumer.function);
    }
  }
}
