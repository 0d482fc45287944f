import { Duration } from 'aws-cdk-lib';
import { CfnRule, Schedule } from 'aws-cdk-lib/aws-events';
import { type IRole, PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { CfnPermission, type Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { type Need, needs } from '../../schemas/platform/resources.ts';
import type { WorkerShape } from '../../schemas/platform/workerShape.ts';
import { type WorkerName, workerNames, workers } from '../../schemas/platform/workers.ts';
import type { Queues } from '../data/queues.ts';
import type { Tables } from '../data/tables.ts';
import { pascalCase } from '../pascalCase.ts';
import {
  consumerStatements,
  consumerVariables,
  subscribeToChanges,
  subscribeToQueue,
} from './eventSources.ts';
import { mailStatements, senderVariables } from './mail.ts';
import { type Platform, ServiceFunction } from './serviceFunction.ts';

const isSentTo = (need: Need, sources: WorkerShape['sources']): boolean => {
  const target = needs[need];
  const isSend = 'queue' in target && target.actions.some((action) => action === 'sqs:SendMessage');
  return isSend && sources.some((source) => source === target.queue);
};

/** All workers, with their queue and stream subscriptions, and their schedules. */
export class Workers extends Construct {
  readonly functions = new Map<`${WorkerName}Worker`, LambdaFunction>();
  /** The rules that send ticks to workers. */
  readonly #rules = new Map<WorkerName, CfnRule>();

  /** The workers that consume a table stream. */
  get streamConsumers(): ReadonlyMap<string, LambdaFunction> {
    return new Map(
      workerNames
        .filter((name) => 'streams' in workers[name])
        .map((name) => [`${name}Worker`, this.get(name)] as const),
    );
  }

  get(name: WorkerName): LambdaFunction {
    const worker = this.functions.get(`${name}Worker`);
    if (worker === undefined) throw new Error(`Worker ${name} is not declared`);
    return worker;
  }

  ruleOf(name: WorkerName): CfnRule {
    const rule = this.#rules.get(name);
    if (rule === undefined) throw new Error(`Worker ${name} has no schedule`);
    return rule;
  }

  roleOf(name: WorkerName): IRole {
    const { role } = this.get(name);
    if (role === undefined) throw new Error(`Worker ${name} has no role`);
    return role;
  }

  constructor(
    scope: Construct,
    id: string,
    platform: Platform,
    { queues, tables }: { readonly queues: Queues; readonly tables: Tables },
  ) {
    super(scope, id);
    for (const name of workerNames) {
      const worker: WorkerShape = workers[name];
      if (worker.isOutsideProduction === true && platform.settings.environment === 'production') continue;
      const sources = worker.sources.map((source) => ({ name: source, ...queues.get(source) }));
      const streamSources = (worker.streams ?? []).map(({ table, filter, failureQueue }) => ({
        table,
        filter,
        source: tables.get(table),
        deadLetters: queues.get(failureQueue).deadLetters,
      }));
      const { singleTenant } = platform.settings;
      const { sendsMail = false } = worker;
      const consumer = new ServiceFunction(this, pascalCase(name), {
        platform,
        bundle: `${name}.worker`,
        description: worker.summary,
        needs: worker.needs,
        memoryMegabytes: worker.memoryMegabytes,
        timeoutSeconds: worker.timeoutSeconds,
        sendsToItself: worker.needs.some((need) => isSentTo(need, worker.sources)),
        statements: [
          ...consumerStatements(sources, streamSources),
          ...(sendsMail ? mailStatements(this, platform.settings) : []),
        ],
        environment: {
          ...consumerVariables(sources),
          ...(sendsMail && senderVariables(platform.settings)),
          ...(worker.sources.includes('ingestion') && {
            // Messages from this queue may name their tenant: IAM lets only our functions and operators send to it.
            SOURCE_ACCEPTED: queues.get('accepted').queue.queueArn,
            ...(singleTenant !== undefined && { SINGLE_TENANT: singleTenant }),
          }),
        },
      });
      for (const source of sources) subscribeToQueue(consumer, consumer.function, source, worker);
      for (const source of streamSources) subscribeToChanges(consumer, consumer.function, source);
      if (worker.everyMinutes !== undefined) {
        const target = sources[0]?.queue ?? consumer.function;
        this.#rules.set(name, tick(consumer, target, worker.everyMinutes));
      }
      this.functions.set(`${name}Worker`, consumer.function);
    }
  }
}

/** Sends a tick every few minutes. In a queue it stays until a function has handled it. */
const tick = (scope: Construct, target: Queue | LambdaFunction, minutes: number): CfnRule => {
  const isQueue = target instanceof Queue;
  const rule = new CfnRule(scope, 'Period', {
    scheduleExpression: Schedule.rate(Duration.minutes(minutes)).expressionString,
    targets: [{ id: isQueue ? 'Queue' : 'Callee', arn: isQueue ? target.queueArn : target.functionArn }],
  });
  if (!isQueue) {
    new CfnPermission(scope, 'PeriodPermission', {
      action: 'lambda:InvokeFunction',
      functionName: target.functionArn,
      principal: 'events.amazonaws.com',
      sourceArn: rule.attrArn,
    });
    return rule;
  }
  target.addToResourcePolicy(
    new PolicyStatement({
      sid: 'Ticks',
      principals: [new ServicePrincipal('events.amazonaws.com')],
      actions: ['sqs:SendMessage'],
      resources: [target.queueArn],
      conditions: { ArnEquals: { 'aws:SourceArn': rule.attrArn } },
    }),
  );
  return rule;
};
