import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { SQSClient } from '@aws-sdk/client-sqs';
import type { DataDirectory } from '../engines/dataDirectory.ts';
import type { Engines } from '../engines/engines.ts';
import type { Fleet } from '../lambda/fleet.ts';
import type { Stack } from '../template/stack.ts';
import { TemplateError } from '../template/template.ts';
import { waitUntilIdle } from './idle.ts';
import { startQueuePoller } from './queuePoller.ts';
import { startScheduler } from './scheduler.ts';
import { startStreamPoller } from './streamPoller.ts';
import { streamReader } from './streamReader.ts';

/** What calls functions besides the gateway and state machines: queues, changes of tables and schedules. */
export interface EventSources {
  idle(options?: { delayed?: boolean }): Promise<void>;
  stop(): Promise<void>;
}

const RELEASE_EVERY_MS = 50;
/** SQS's longest wait, for an engine that can be asked to answer early; a short one for an endpoint that cannot. */
const LONG_POLL_S = { embedded: 20, outside: 2 };

/** Starts a poller for each queue that feeds a function, a follower for each table, and a timer for each schedule. */
export function startEventSources(
  stack: Stack,
  fleet: Fleet,
  usualConcurrency: number,
  { sqs, dynamodb }: { sqs: SQSClient; dynamodb: DynamoDBClient },
  engines: Engines,
  data: DataDirectory,
  log: (line: string) => void,
): EventSources {
  const waitSeconds = engines.isExternal('sqs') ? LONG_POLL_S.outside : LONG_POLL_S.embedded;
  const urls = new Map(stack.queues.map(({ identity }) => [identity.attributes['Arn'], identity.ref]));
  const feeds = stack.queueMappings.map((mapping) => {
    const queueUrl = urls.get(mapping.queueArn);
    if (!queueUrl)
      throw new TemplateError(`${mapping.logicalId}: polls a queue the template does not declare`);
    const target = fleet.find(mapping.functionName);
    const most = Math.min(target.concurrency, mapping.maximumConcurrency ?? target.concurrency);
    const usual = Math.min(usualConcurrency, most);
    return {
      mapping,
      queueUrl,
      concurrency: { usual, most },
      invoke: (event: string) => target.invoke(event),
    };
  });
  const machines = new Set(stack.stateMachines.map(({ arn }) => arn));
  for (const { targetArn } of stack.schedules) if (!machines.has(targetArn)) fleet.find(targetArn);
  const scheduler = startScheduler(stack.schedules, (targetArn, event) => {
    if (machines.has(targetArn)) engines.stateMachines?.start(targetArn, event);
    else void fleet.find(targetArn).invoke(event);
  });
  const streamFeeds = stack.streamMappings.map((mapping) => ({
    mapping,
    target: fleet.find(mapping.functionName),
    reader: streamReader(dynamodb, engines.endpoints.dynamodb, mapping.table),
    file: data.join('streams', `${mapping.logicalId}.json`),
  }));
  const pollers = feeds.map((feed) => startQueuePoller({ ...feed, sqs, waitSeconds, log }));
  const streamPollers = streamFeeds.map(({ target, ...following }) =>
    startStreamPoller({ ...following, invoke: (event) => target.invoke(event), log }),
  );
  return {
    idle: ({ delayed = false } = {}) =>
      waitUntilIdle(
        sqs,
        feeds.map(({ queueUrl }) => queueUrl),
        () => {
          const { busy, begun } = fleet.activity();
          const executing = (engines.stateMachines?.running ?? 0) > 0;
          return { busy: busy || executing || pollers.some((poller) => poller.busy), begun };
        },
        { delayed, settled: () => Promise.all(streamPollers.map((follower) => follower.whenCaughtUp())) },
      ),
    async stop() {
      scheduler.stop();
      // A receive on its way when the engine is asked would begin to wait just after, so it is asked until all ended.
      const releasing = setInterval(engines.endLongPolls, RELEASE_EVERY_MS);
      await Promise.all([...pollers, ...streamPollers].map((source) => source.stop()));
      clearInterval(releasing);
    },
  };
}
