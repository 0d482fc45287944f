import { ArnFormat, Stack } from 'aws-cdk-lib';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { type Need, needs } from '../../schemas/platform/resources.ts';
import { type TrustedWorker, trustedWorkers } from '../../schemas/platform/trustedRoles.ts';
import type { WorkerShape } from '../../schemas/platform/workers/workerShape.ts';
import { type WorkerName, workerNames, workers } from '../../schemas/platform/workers.ts';
import { functionNameOf, logGroupNameOf } from '../names.ts';
import { pascalCase } from '../pascalCase.ts';
import type { Settings } from '../settings.ts';
import {
  consumerStatements,
  consumerVariables,
  sourcesOf,
  subscribeToChanges,
  subscribeToQueue,
} from './eventSources.ts';
import { functionRole } from './functionRole.ts';
import { mailStatements, senderVariables } from './mail.ts';
import { addTick, scheduleNameOf } from './schedules.ts';
import { type Platform, ServiceFunction } from './serviceFunction.ts';
import { type Targets, trustedRoleName } from './targets.ts';

const isSentTo = (need: Need, sources: WorkerShape['sources']): boolean => {
  const target = needs[need];
  const isSend = 'queue' in target && target.actions.some((action) => action === 'sqs:SendMessage');
  return isSend && sources.some((source) => source === target.queue);
};

/** The workers that exist in an environment. */
const deployedWorkers = ({ environment }: Pick<Settings, 'environment'>): WorkerName[] =>
  workerNames.filter((name) => {
    const { isOutsideProduction = false }: WorkerShape = workers[name];
    return environment !== 'production' || !isOutsideProduction;
  });

const trustedRoleIds: Readonly<Record<TrustedWorker, string>> = {
  billImports: 'ImporterRole',
  exportDelivery: 'DelivererRole',
};

const isTrusted = (name: WorkerName): name is TrustedWorker => trustedWorkers.some((one) => one === name);

/**
 * The roles of workers that customers trust by their ARNs. They are declared beside the data: they must stay when the stack
 * of the workers is deleted and created again.
 */
export const addTrustedRoles = (scope: Construct, settings: Settings, targets: Targets): void => {
  for (const worker of trustedWorkers) {
    const group = logGroupNameOf(functionNameOf(settings.deployment, 'workers', worker));
    functionRole(scope, trustedRoleIds[worker], {
      settings,
      targets,
      needs: workers[worker].needs,
      logGroupArn: Stack.of(scope).formatArn({
        service: 'logs',
        resource: 'log-group',
        resourceName: `${group}:*`,
        arnFormat: ArnFormat.COLON_RESOURCE_NAME,
      }),
      roleName: trustedRoleName(settings, worker),
    });
  }
};

/** All workers, with their queue and stream subscriptions, and their schedules. */
export class Workers extends Construct {
  readonly functions = new Map<`${WorkerName}Worker`, LambdaFunction>();

  get(name: WorkerName): LambdaFunction {
    const worker = this.functions.get(`${name}Worker`);
    if (worker === undefined) throw new Error(`Worker ${name} is not declared`);
    return worker;
  }

  constructor(scope: Construct, id: string, platform: Platform) {
    super(scope, id);
    const { settings, targets } = platform;
    for (const name of deployedWorkers(settings)) {
      const worker: WorkerShape = workers[name];
      const { queues, tables } = sourcesOf(worker, targets);
      const { singleTenant } = settings;
      const { sendsMail = false } = worker;
      const consumer = new ServiceFunction(this, pascalCase(name), {
        platform,
        name,
        bundle: `${name}.worker`,
        description: worker.summary,
        needs: worker.needs,
        memoryMegabytes: settings.functionMemory[`${name}.worker`] ?? worker.memoryMegabytes,
        storageMegabytes: worker.storageMegabytes,
        timeoutSeconds: worker.timeoutSeconds,
        sendsToItself: worker.needs.some((need) => isSentTo(need, worker.sources)),
        ...(isTrusted(name) && { roleArn: targets.trustedRoleArn(name) }),
        statements: [
          ...consumerStatements(queues, tables),
          ...(sendsMail ? mailStatements(this, settings) : []),
        ],
        environment: {
          ...consumerVariables(queues),
          ...(sendsMail && senderVariables(settings)),
          ...(worker.sources.includes('ingestion') && {
            // Messages from this queue may name their tenant: IAM lets only our functions and operators send to it.
            SOURCE_ACCEPTED: targets.queueArn('accepted'),
            ...(singleTenant !== undefined && { SINGLE_TENANT: singleTenant }),
          }),
        },
      });
      for (const source of queues) subscribeToQueue(consumer, consumer.function, source, worker, settings);
      for (const source of tables) subscribeToChanges(consumer, consumer.function, source);
      if (worker.everyMinutes !== undefined) {
        addTick(consumer, {
          name: scheduleNameOf(settings.deployment, name),
          minutes: worker.everyMinutes,
          target: queues[0]?.arn ?? consumer.function,
        });
      }
      this.functions.set(`${name}Worker`, consumer.function);
    }
  }
}
