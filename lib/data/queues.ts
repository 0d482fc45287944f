import { Duration } from 'aws-cdk-lib';
import { AccountPrincipal, ArnPrincipal, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { type QueueName, type QueueShape, queueNames, queues } from '../../schemas/platform/queues.ts';
import type { WorkerShape } from '../../schemas/platform/workerShape.ts';
import { workerNames, workers } from '../../schemas/platform/workers.ts';
import type { Targets } from '../compute/targets.ts';
import { pascalCase } from '../pascalCase.ts';
import type { Settings } from '../settings.ts';

/**
 * Visibility timeout as a multiple of the consumer's timeout. Lambda recommends at least six, so that throttled polls and
 * batch retries finish before another consumer receives the message.
 */
const VISIBILITY_FACTOR = 6;

/** The SQS maximum, so that an operator has time to fix the cause and redrive. */
const RETENTION = Duration.days(14);

const consumerTimeout = (queue: QueueName): number =>
  Math.max(
    ...workerNames
      .map((name): WorkerShape => workers[name])
      .filter((worker) => worker.sources.includes(queue))
      .map((worker) => worker.timeoutSeconds),
  );

/** A queue and its dead-letter queue. */
export interface QueuePair {
  readonly queue: Queue;
  readonly deadLetters: Queue;
}

/** All queues, encrypted at rest and in transit. */
export class Queues extends Construct {
  readonly pairs = new Map<QueueName, QueuePair>();

  constructor(scope: Construct, id: string, settings: Settings, targets: Targets) {
    super(scope, id);
    const common = {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      retentionPeriod: RETENTION,
      removalPolicy: settings.removalPolicy,
    };
    for (const name of queueNames) {
      const { maxReceiveCount, deadLetterDays }: QueueShape = queues[name];
      const deadLetters = new Queue(this, `${pascalCase(name)}DeadLetter`, {
        ...common,
        ...(deadLetterDays !== undefined && { retentionPeriod: Duration.days(deadLetterDays) }),
      });
      const queue = new Queue(this, pascalCase(name), {
        ...common,
        visibilityTimeout: Duration.seconds(VISIBILITY_FACTOR * consumerTimeout(name)),
        deadLetterQueue: { queue: deadLetters, maxReceiveCount },
      });
      this.pairs.set(name, { queue, deadLetters });
      targets.add({ kind: 'queue', name, arns: [queue.queueArn], reference: queue.queueUrl });
      targets.add({
        kind: 'queue',
        name: `${name}DeadLetter`,
        arns: [deadLetters.queueArn],
        reference: deadLetters.queueUrl,
      });
    }
    this.#admitProducers(settings.producerPrincipals);
  }

  get(name: QueueName): QueuePair {
    const pair = this.pairs.get(name);
    if (pair === undefined) throw new Error(`Queue ${name} is not declared`);
    return pair;
  }

  /** Allows the listed principals only to send, and only to the queue for untrusted events. */
  #admitProducers(principals: readonly string[]): void {
    if (principals.length === 0) return;
    const { queue } = this.get('ingestion');
    queue.addToResourcePolicy(
      new PolicyStatement({
        sid: 'ListedProducers',
        principals: principals.map((principal) =>
          principal.startsWith('arn:') ? new ArnPrincipal(principal) : new AccountPrincipal(principal),
        ),
        actions: ['sqs:SendMessage'],
        resources: [queue.queueArn],
      }),
    );
  }
}
