import { Duration } from 'aws-cdk-lib';
import { AccountPrincipal, ArnPrincipal, PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { type QueueName, type QueueShape, queueNames, queues } from '../../schemas/platform/queues.ts';
import type { WorkerShape } from '../../schemas/platform/workers/workerShape.ts';
import { workerNames, workers } from '../../schemas/platform/workers.ts';
import { scheduleArnOf } from '../compute/schedules.ts';
import { nameIn } from '../names.ts';
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

/** All queues, encrypted at rest and in transit. */
export class Queues extends Construct {
  readonly #queues = new Map<QueueName, Queue>();

  constructor(scope: Construct, id: string, settings: Settings) {
    super(scope, id);
    const common = {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      retentionPeriod: RETENTION,
      removalPolicy: settings.removalPolicy,
    };
    const { deployment } = settings;
    for (const name of queueNames) {
      const { maxReceiveCount, deadLetterDays }: QueueShape = queues[name];
      const deadLetters = new Queue(this, `${pascalCase(name)}DeadLetter`, {
        ...common,
        queueName: nameIn(deployment, `${name}DeadLetter`),
        ...(deadLetterDays !== undefined && { retentionPeriod: Duration.days(deadLetterDays) }),
      });
      const queue = new Queue(this, pascalCase(name), {
        ...common,
        queueName: nameIn(deployment, name),
        visibilityTimeout: Duration.seconds(VISIBILITY_FACTOR * consumerTimeout(name)),
        deadLetterQueue: { queue: deadLetters, maxReceiveCount },
      });
      this.#queues.set(name, queue);
    }
    this.#admitProducers(settings.producerPrincipals);
    this.#admitSchedules(deployment);
  }

  #get(name: QueueName): Queue {
    const queue = this.#queues.get(name);
    if (queue === undefined) throw new Error(`Queue ${name} is not declared`);
    return queue;
  }

  /** Allows the schedule of a worker to send ticks to its queue. The rule is in the stack of the workers. */
  #admitSchedules(deployment: string): void {
    for (const name of workerNames) {
      const { everyMinutes, sources }: WorkerShape = workers[name];
      const [source] = sources;
      if (everyMinutes === undefined || source === undefined) continue;
      const queue = this.#get(source);
      queue.addToResourcePolicy(
        new PolicyStatement({
          sid: 'Ticks',
          principals: [new ServicePrincipal('events.amazonaws.com')],
          actions: ['sqs:SendMessage'],
          resources: [queue.queueArn],
          conditions: { ArnEquals: { 'aws:SourceArn': scheduleArnOf(this, deployment, name) } },
        }),
      );
    }
  }

  /** Allows the listed principals only to send, and only to the queue for untrusted events. */
  #admitProducers(principals: readonly string[]): void {
    if (principals.length === 0) return;
    const queue = this.#get('ingestion');
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
