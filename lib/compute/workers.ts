import { Duration } from 'aws-cdk-lib';
import { CfnRule, Schedule } from 'aws-cdk-lib/aws-events';
import type { IRole } from 'aws-cdk-lib/aws-iam';
import { CfnPermission, type Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import type { WorkerShape } from '../../schemas/platform/workerShape.ts';
import { type WorkerName, workerNames, workers } from '../../schemas/platform/workers.ts';
import type { Queues } from '../data/queues.ts';
import type { Tables } from '../data/tables.ts';
import { pascalCase } from '../pascalCase.ts';
import { consumerStatements, subscribeToChanges, subscribeToQueue } from './eventSources.ts';
import { mailStatements, senderVariables } from './mail.ts';
import { type Platform, ServiceFunction } from './serviceFunction.ts';

/** All workers, with their queue and stream subscriptions and their schedules. */
export class Workers extends Construct {
  readonly functions = new Map<`${WorkerName}Worker`, LambdaFunction>();

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
      const sources = worker.sources.map((source) => ({ name: source, queue: queues.get(source).queue }));
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
        statements: [
          ...consumerStatements(sources, streamSources),
          ...(sendsMail ? mailStatements(this, platform.settings) : []),
        ],
        environment: {
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
        invokeOnSchedule(consumer, consumer.function, worker.everyMinutes);
      }
      this.functions.set(`${name}Worker`, consumer.function);
    }
  }
}

const invokeOnSchedule = (scope: Construct, callee: LambdaFunction, minutes: number): void => {
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
