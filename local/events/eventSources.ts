import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SendMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import type { DataDirectory } from '../engines/dataDirectory.ts';
import type { Engines } from '../engines/engines.ts';
import type { Fleet } from '../lambda/fleet.ts';
import type { Stack } from '../template/stack.ts';
import { TemplateError } from '../template/template.ts';
import { type IdleOptions, waitUntilIdle } from './idle.ts';
import { startQueuePoller } from './queuePoller.ts';
import { startScheduler } from './scheduler.ts';
import { startStreamPoller } from './streamPoller.ts';
import { streamReader } from './streamReader.ts';

/** Event sources that invoke functions: queues, table streams and schedules. */
export interface EventSources {
  idle(options?: IdleOptions): Promise<void>;
  /** Passes the event of a schedule to its target. Throws if a function fails. */
  passScheduled(targetArn: string, event: string): Promise<void>;
  stop(): Promise<void>;
}

const RELEASE_INTERVAL_MS = 50;
/** The visibility timeout of SQS for a queue that declares none. */
const DEFAULT_VISIBILITY_SECONDS = 30;
/**
 * Wait time of a receive, in seconds. The embedded engine can end a long poll early, so it uses the SQS maximum. An
 * external endpoint cannot, so a stop would have to wait.
 */
const LONG_POLL_SECONDS = { embedded: 20, external: 2 };

/** Starts a poller for each event source mapping of a queue or table stream, and a timer for each schedule. */
export function startEventSources(
  stack: Stack,
  fleet: Fleet,
  usualConcurrency: number,
  { sqs, dynamodb }: { sqs: SQSClient; dynamodb: DynamoDBClient },
  engines: Engines,
  data: DataDirectory,
  log: (line: string) => void,
): EventSources {
  const waitSeconds = engines.isExternal('sqs') ? LONG_POLL_SECONDS.external : LONG_POLL_SECONDS.embedded;
  const queues = new Map(stack.queues.map((queue) => [queue.identity.attributes['Arn'], queue]));
  const queueSources = stack.queueMappings.map((mapping) => {
    const queue = queues.get(mapping.queueArn);
    if (!queue)
      throw new TemplateError(
        `${mapping.logicalId}: the template does not declare the queue ${mapping.queueArn}`,
      );
    const target = fleet.find(mapping.functionName);
    const maximum = Math.min(target.concurrency, mapping.maximumConcurrency ?? target.concurrency);
    const usual = Math.min(usualConcurrency, maximum);
    return {
      mapping,
      queueUrl: queue.identity.ref,
      visibilitySeconds: queue.properties.VisibilityTimeout ?? DEFAULT_VISIBILITY_SECONDS,
      concurrency: { usual, maximum },
      invoke: (event: string) => target.invoke(event),
    };
  });
  const machines = new Set(stack.stateMachines.map(({ arn }) => arn));
  for (const { targetArn } of stack.schedules)
    if (!machines.has(targetArn) && !queues.has(targetArn)) fleet.find(targetArn);
  const passScheduled = async (targetArn: string, event: string): Promise<void> => {
    const queue = queues.get(targetArn);
    if (queue !== undefined) {
      await sqs.send(new SendMessageCommand({ QueueUrl: queue.identity.ref, MessageBody: event }));
    } else if (machines.has(targetArn)) {
      engines.stateMachines?.start(targetArn, event);
    } else {
      const result = await fleet.find(targetArn).invoke(event);
      if (!result.ok) throw new Error(`A scheduled run failed: ${result.error.errorMessage}`);
    }
  };
  const scheduler = startScheduler(stack.schedules, data.join('schedules.json'), (targetArn, event) => {
    // The log of a function has its errors.
    passScheduled(targetArn, event).catch(() => undefined);
  });
  const streamSources = stack.streamMappings.map((mapping) => ({
    mapping,
    target: fleet.find(mapping.functionName),
    reader: streamReader(dynamodb, engines.ownEndpoints.dynamodb, mapping.table),
    file: data.join('streams', `${mapping.logicalId}.json`),
  }));
  const pollers = queueSources.map((source) => startQueuePoller({ ...source, sqs, waitSeconds, log }));
  const streamPollers = streamSources.map(({ target, ...source }) =>
    startStreamPoller({ ...source, invoke: (event) => target.invoke(event), log }),
  );
  return {
    passScheduled,
    idle: (options = {}) =>
      waitUntilIdle(
        sqs,
        queueSources.map(({ queueUrl }) => queueUrl),
        () => {
          const { running, begun } = fleet.activity();
          if ((engines.stateMachines?.running ?? 0) > 0) running.push('state machine');
          if (pollers.some((poller) => poller.busy)) running.push('poller');
          return { running, begun };
        },
        { ...options, settled: () => Promise.all(streamPollers.map((poller) => poller.whenCaughtUp())) },
      ),
    async stop() {
      scheduler.stop();
      // A receive request in flight may start to wait after this call, so it is repeated until all pollers have stopped.
      const releasing = setInterval(engines.endLongPolls, RELEASE_INTERVAL_MS);
      await Promise.all([...pollers, ...streamPollers].map((poller) => poller.stop()));
      clearInterval(releasing);
    },
  };
}
