import type { SQSClient } from '@aws-sdk/client-sqs';
import type { Engines } from '../engines/engines.ts';
import type { Fleet } from '../lambda/fleet.ts';
import type { Stack } from '../template/stack.ts';
import { TemplateError } from '../template/template.ts';
import { untilIdle } from './idle.ts';
import { startPoller } from './poller.ts';
import { startScheduler } from './scheduler.ts';

/** What calls functions besides the gateway: queues and schedules. */
export interface Sources {
  idle(options?: { delayed?: boolean }): Promise<void>;
  stop(): Promise<void>;
}

const RELEASE_EVERY_MS = 50;
/** SQS's longest wait, for an engine that can be asked to answer early; a short one for an endpoint that cannot. */
const LONG_POLL_S = { embedded: 20, outside: 2 };

/** Starts a poller for each mapping and a timer for each schedule. */
export function startSources(
  stack: Stack,
  fleet: Fleet,
  sqs: SQSClient,
  engines: Engines,
  log: (line: string) => void,
): Sources {
  const waitSeconds = engines.isOutside('sqs') ? LONG_POLL_S.outside : LONG_POLL_S.embedded;
  const urls = new Map(stack.queues.map(({ identity }) => [identity.attributes['Arn'], identity.ref]));
  const feeds = stack.mappings.map((mapping) => {
    const queueUrl = urls.get(mapping.queueArn);
    if (!queueUrl)
      throw new TemplateError(`${mapping.logicalId}: polls a queue the template does not declare`);
    const target = fleet.find(mapping.functionName);
    const concurrency = Math.min(target.concurrency, mapping.maximumConcurrency ?? target.concurrency);
    return { mapping, queueUrl, concurrency, invoke: (event: string) => target.invoke(event) };
  });
  for (const { functionArn } of stack.schedules) fleet.find(functionArn);
  const scheduler = startScheduler(stack.schedules, (functionArn, event) => {
    void fleet.find(functionArn).invoke(event);
  });
  const pollers = feeds.map((feed) => startPoller({ ...feed, sqs, waitSeconds, log }));
  return {
    idle: ({ delayed = false } = {}) =>
      untilIdle(
        sqs,
        feeds.map(({ queueUrl }) => queueUrl),
        () => {
          const { busy, begun } = fleet.activity();
          return { busy: busy || pollers.some((poller) => poller.busy), begun };
        },
        delayed,
      ),
    async stop() {
      scheduler.stop();
      // A receive on its way when the engine is asked would begin to wait just after, so it is asked until all ended.
      const releasing = setInterval(engines.release, RELEASE_EVERY_MS);
      await Promise.all(pollers.map((poller) => poller.stop()));
      clearInterval(releasing);
    },
  };
}
