import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { App, Duration, Stack } from 'aws-cdk-lib';
import { Rule, RuleTargetInput, Schedule } from 'aws-cdk-lib/aws-events';
import { SfnStateMachine } from 'aws-cdk-lib/aws-events-targets';
import { Code, Function as LambdaFunction, Runtime } from 'aws-cdk-lib/aws-lambda';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import {
  Choice,
  Condition,
  DefinitionBody,
  Fail,
  JsonPath,
  Map as MapState,
  Parallel,
  Pass,
  StateMachine,
  Succeed,
  TaskInput,
  Wait,
  WaitTime,
} from 'aws-cdk-lib/aws-stepfunctions';
import { LambdaInvoke } from 'aws-cdk-lib/aws-stepfunctions-tasks';
import { Template } from '../../local/template/template.ts';
import { temporaryDirectory } from '../support/temporaryDirectory.ts';
import type { Fixture } from './stackFixture.ts';

/**
 * Appends a line per call to the log file of the event. `given` then selects a behaviour: wait and append another line,
 * fail one item while the other items wait for the clean-up, throttle the first calls of an item, or return too much data.
 */
const HANDLER = `
import { appendFileSync, readFileSync } from 'node:fs';
export const handler = async ({ log, step, item, items, given = {} }) => {
  const line = item === undefined ? step : step + ' ' + item;
  appendFileSync(log, line + '\\n');
  if (given.waitMs) {
    await new Promise((resolve) => setTimeout(resolve, given.waitMs));
    appendFileSync(log, line + ' waited\\n');
  }
  const calls = readFileSync(log, 'utf8').split('\\n').filter((entry) => entry === line).length;
  const isBroken = item !== undefined && item === given.brokenItem;
  const isOtherItem = item !== undefined && given.brokenItem !== undefined && !isBroken;
  while (isOtherItem && !readFileSync(log, 'utf8').includes('clean up')) {
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  if (isBroken) throw Object.assign(new Error('no ' + item), { name: 'BrokenItem' });
  if (item !== undefined && calls <= (given.busyTimes ?? 0)) throw Object.assign(new Error('busy'), { name: 'Throttled' });
  if (given.largeStep === step) return 'x'.repeat(300_000);
  return step === 'plan' ? { items } : { doubled: (item ?? 0) * 2 };
};
`;

/** Synthesises an app with two state machines. `Machine` plans, maps over items, decides, and finishes or cleans up. */
export function synthesiseMachines(): Fixture {
  process.env['CDK_VALIDATION'] = 'false';
  const directory = temporaryDirectory();
  const app = new App({ outdir: join(directory, 'cdk.out'), analyticsReporting: false });
  const stack = new Stack(app, 'Fixture');
  mkdirSync(join(directory, 'work'));
  writeFileSync(join(directory, 'work', 'index.mjs'), HANDLER);
  const work = new LambdaFunction(stack, 'Work', {
    runtime: Runtime.NODEJS_24_X,
    handler: 'index.handler',
    code: Code.fromAsset(join(directory, 'work')),
    timeout: Duration.seconds(10),
  });
  new Bucket(stack, 'Files', {
    lifecycleRules: [
      { expiration: Duration.days(30) },
      {
        prefix: 'brief/',
        expiration: Duration.days(1),
        abortIncompleteMultipartUploadAfter: Duration.days(1),
      },
    ],
  });

  const call = (id: string, payload: Record<string, unknown>, resultPath: string) =>
    new LambdaInvoke(stack, id, {
      lambdaFunction: work,
      payload: TaskInput.fromObject({ log: JsonPath.stringAt('$.log'), ...payload }),
      payloadResponseOnly: true,
      retryOnServiceExceptions: false,
      resultPath,
    });
  const given = JsonPath.objectAt('$.given');

  const item = new LambdaInvoke(stack, 'Item', {
    lambdaFunction: work,
    payloadResponseOnly: true,
    retryOnServiceExceptions: false,
  }).addRetry({ errors: ['Throttled'], interval: Duration.seconds(1), maxAttempts: 2 });
  const cleanUp = call('CleanUp', { step: 'clean up', given: { waitMs: 100 } }, JsonPath.DISCARD).next(
    new Fail(stack, 'Failed', { errorPath: '$.fault.Error', causePath: '$.fault.Cause' }),
  );
  const items = new MapState(stack, 'Items', {
    itemsPath: '$.plan.items',
    maxConcurrency: 2,
    resultPath: '$.results',
    itemSelector: {
      log: JsonPath.stringAt('$.log'),
      step: 'item',
      item: JsonPath.numberAt('$$.Map.Item.Value'),
      index: JsonPath.numberAt('$$.Map.Item.Index'),
      given,
    },
  })
    .itemProcessor(item)
    .addCatch(cleanUp, { resultPath: '$.fault' });
  const finish = new LambdaInvoke(stack, 'Finish', {
    lambdaFunction: work,
    payload: TaskInput.fromObject({ log: JsonPath.stringAt('$.log'), step: 'finish', given }),
    resultSelector: { status: JsonPath.numberAt('$.StatusCode'), answer: JsonPath.objectAt('$.Payload') },
    resultPath: '$.finished',
  });
  const decide = new Choice(stack, 'Decide')
    .when(Condition.isPresent('$.results[0]'), finish.next(new Succeed(stack, 'Done')))
    .otherwise(new Succeed(stack, 'Nothing'));
  const plan = call('Plan', { step: 'plan', items: JsonPath.listAt('$.items'), given }, '$.plan');

  new StateMachine(stack, 'Machine', {
    definitionBody: DefinitionBody.fromChainable(plan.next(items).next(decide)),
    timeout: Duration.minutes(5),
  });
  const pausing = new StateMachine(stack, 'Pausing', {
    definitionBody: DefinitionBody.fromChainable(
      new Parallel(stack, 'Both', { resultPath: JsonPath.DISCARD })
        .branch(new Pass(stack, 'One'), new Pass(stack, 'Other'))
        .next(new Wait(stack, 'Pause', { time: WaitTime.secondsPath('$.seconds') }))
        .next(new Pass(stack, 'Woken', { parameters: { 'name.$': '$$.Execution.Name' } })),
    ),
    timeout: Duration.seconds(6),
  });
  new Rule(stack, 'Hourly', {
    schedule: Schedule.rate(Duration.hours(1)),
    targets: [new SfnStateMachine(pausing, { input: RuleTargetInput.fromObject({ seconds: 0 }) })],
  });
  const assemblyDir = app.synth().directory;
  const text = readFileSync(join(assemblyDir, 'Fixture.template.json'), 'utf8');
  return {
    template: Template.parse(JSON.parse(text)),
    assemblyDir,
    directory,
    remove: () => rmSync(directory, { recursive: true, force: true }),
  };
}
