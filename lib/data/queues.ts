import { Duration } from 'aws-cdk-lib';
import { AccountPrincipal, ArnPrincipal, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { type QueueName, queueNames, queues } from '../../schemas/platform/resources.ts';
import { type WorkerShape, workerNames, workers } from '../../schemas/platform/workers.ts';
import type { Targets } from '../compute/targets.ts';
import { pascalCase } from '../pascalCase.ts';
import type { Settings } from '../settings.ts';

/**
 * A message stays invisible for six time-outs of its consumer, the least that Lambda recommends:
 * throttled polls and the retries of a batch fit in before somebody else receives it too.
 */
const VISIBILITY_FACTOR = 6;

/** The longest SQS keeps a message: time for an operator to mend the cause and redrive. */
const RETENTION = Duration.days(14);

const consumerTimeout = (queue: QueueName): number =>
  Math.max(
    ...workerNames
      .map((name): WorkerShape => workers[name])
      .filter((worker) => worker.sources.includes(queue))
      .map((worker) => worker.timeoutSeconds),
  );

/** A queue with the queue its failed messages end in. */
export interface QueuePair {
  readonly queue: Queue;
  readonly deadLetters: Queue;
}

/** Every queue of the contract, encrypted at rest and in transit. */
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
      const deadLetters = new Queue(this, `${pascalCase(name)}DeadLetter`, common);
      const queue = new Queue(this, pascalCase(name), {
        ...common,
        visibilityTimeout: Duration.seconds(VISIBILITY_FACTOR * consumerTimeout(name)),
        deadLetterQueue: { queue: deadLetters, maxReceiveCount: queues[name].maxReceiveCount },
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
    if (pair === undefined) throw new Error(`The contract has no queue ${name}`);
    return pair;
  }

  /** Lets the listed principals send, and only send, to the queue that takes untrusted events. */
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
