import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Context, DynamoDBRecord, DynamoDBStreamEvent, SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { onTestFinished } from 'vitest';
import * as z from 'zod';
import { handler as attribution } from '../../../../functions/entries/workers/attribution.worker.ts';
import { handler as deliver } from '../../../../functions/entries/workers/deliver.worker.ts';
import { handler as jobs } from '../../../../functions/entries/workers/jobs.worker.ts';
import { handler as notify } from '../../../../functions/entries/workers/notify.worker.ts';
import { handler as publish } from '../../../../functions/entries/workers/publish.worker.ts';
import { handler as rollups } from '../../../../functions/entries/workers/rollups.worker.ts';
import { matchesPattern } from '../../../../local/events/eventFilter.ts';
import type { Pattern } from '../../../../local/template/streams.ts';
import type { QueueName } from '../../../../schemas/platform/queues.ts';
import type { StreamSource, WorkerShape } from '../../../../schemas/platform/workers/workerShape.ts';
import { type WorkerName, workers } from '../../../../schemas/platform/workers.ts';
import type { SimulatedQueues } from '../../../platform/queue/simulatedQueues.ts';
import { followStream } from '../../../support/streams.ts';
import type { LiveTables } from '../../../support/tables.ts';
import type { SimulatedTime } from './simulatedTime.ts';

/** The default of the setting. */
const EVENT_BATCH = 10;

const SECOND = 1_000;
const SWEEP_MS = workers.jobs.everyMinutes * 60 * SECOND;
const STREAM_RETRY_MS = SECOND;

type Remaining = Pick<Context, 'getRemainingTimeInMillis'>;

const BatchResponse = z.object({ batchItemFailures: z.array(z.unknown()) });
const isSqsResponse = (response: unknown): response is SQSBatchResponse =>
  BatchResponse.safeParse(response).success;

/** The workers of the queues on the path of an event. */
const consumers = {
  accepted: ['attribution', attribution],
  rollups: ['rollups', rollups],
  jobs: ['jobs', jobs],
  events: ['publish', publish],
  deliveries: ['deliver', deliver],
  notifications: ['notify', notify],
} as const satisfies Partial<
  Record<QueueName, readonly [WorkerName, (event: SQSEvent, remaining: Remaining) => Promise<unknown>]>
>;
const followed = ['accepted', 'rollups', 'jobs', 'events', 'deliveries', 'notifications'] as const;

const streams: readonly (StreamSource & {
  readonly name: WorkerName;
  readonly handler: (event: DynamoDBStreamEvent, remaining: Remaining) => Promise<unknown>;
})[] = [
  ...workers.publish.streams.map((source) => ({ ...source, name: 'publish' as const, handler: publish })),
];

/**
 * Runs the handlers of all workers on the path of an event, with the queues, table streams and the schedule that invoke them.
 * Invocations that start at the same time run side by side: each begins at the same instant of the clock of the test.
 */
export const startSimulatedService = async (
  live: LiveTables,
  time: SimulatedTime,
  queues: SimulatedQueues,
  /** How long a store call takes, in milliseconds on the clock of the test. */
  callMs: Partial<Record<WorkerName, number>> = {},
) => {
  const lateInvocations: string[] = [];
  let pace = 0;
  const passTime = (): void => time.set(time.now() + pace);
  subscribe('aws.request', passTime);
  onTestFinished(() => {
    unsubscribe('aws.request', passTime);
  });

  /** Resolves to the end of the invocation, and sets the clock back to its start. */
  const invoke = async <Result>(
    name: WorkerName,
    run: (remaining: Remaining) => Promise<Result>,
  ): Promise<{ readonly result: Result; readonly endsAt: number }> => {
    const startsAt = time.now();
    const deadline = startsAt + workers[name].timeoutSeconds * SECOND;
    pace = callMs[name] ?? 0;
    try {
      const result = await run({ getRemainingTimeInMillis: () => deadline - time.now() });
      return { result, endsAt: time.now() };
    } finally {
      if (time.now() > deadline) lateInvocations.push(`${name} ${time.now() - startsAt} ms`);
      pace = 0;
      time.set(startsAt);
    }
  };

  const receiveFrom = (queue: (typeof followed)[number]): Promise<number> => {
    const [name, handler] = consumers[queue];
    const { batch }: WorkerShape = workers[name];
    const messages = batch?.messages === 'eventBatch' ? EVENT_BATCH : (batch?.messages ?? 1);
    return queues.receive(queue, messages, async (event) => {
      const { result } = await invoke(name, (remaining) => handler(event, remaining));
      if (!isSqsResponse(result)) throw new Error(`${name} returned no batch response`);
      return result;
    });
  };

  const followers = streams.map(({ table, filter, name, handler }) => {
    const pattern: Pattern = JSON.parse(JSON.stringify(filter));
    const follow = followStream(live, table);
    let retryAt = Number.NEGATIVE_INFINITY;
    return {
      /** Passes over the changes of earlier tests. */
      skip: async (): Promise<void> => {
        while (await follow(async () => undefined));
      },
      nextAt: () => retryAt,
      /** Passes the next changes. A failed batch is passed again after its invocation. */
      step: async (): Promise<boolean> => {
        if (time.now() < retryAt) return false;
        retryAt = Number.NEGATIVE_INFINITY;
        return follow(async (changes: DynamoDBRecord[]) => {
          const Records = changes.filter((change) => matchesPattern(change, pattern));
          if (Records.length === 0) return;
          const event: DynamoDBStreamEvent = { Records };
          const { result, endsAt } = await invoke(name, (remaining) => handler(event, remaining));
          if (!isSqsResponse(result) || result.batchItemFailures.length === 0) return;
          retryAt = endsAt + STREAM_RETRY_MS;
          throw new StreamFailure();
        }).catch((error: unknown) => {
          if (error instanceof StreamFailure) return false;
          throw error;
        });
      },
    };
  });

  for (const { skip } of followers) await skip();

  /** Runs everything that is due now. */
  const settle = async (): Promise<void> => {
    for (let isBusy = true; isBusy; ) {
      isBusy = false;
      for (const queue of followed) if ((await receiveFrom(queue)) > 0) isBusy = true;
      for (const { step } of followers) if (await step()) isBusy = true;
    }
  };

  return {
    /** Invocations that took longer than their function may. */
    lateInvocations,
    /** Advances the clock until nothing waits and all `sends` (by epoch milliseconds) happened, or until `end`. Resolves to it. */
    run: async (
      sends: readonly { readonly at: number; readonly send: () => void }[],
      end = Number.POSITIVE_INFINITY,
    ): Promise<number> => {
      const waiting = sends.toSorted((one, other) => one.at - other.at);
      let sweepAt = Math.ceil(time.now() / SWEEP_MS) * SWEEP_MS;
      for (;;) {
        for (; waiting[0] !== undefined && waiting[0].at <= time.now(); waiting.shift()) waiting[0].send();
        if (sweepAt <= time.now()) {
          const time = new Date(sweepAt).toISOString();
          queues.send('jobs', JSON.stringify({ source: 'aws.events', id: time, time }));
          sweepAt += SWEEP_MS;
        }
        await settle();
        const retries = followers.map(({ nextAt }) => nextAt()).filter(Number.isFinite);
        const isDone = waiting.length === 0 && queues.isEmpty() && retries.length === 0;
        if (isDone || time.now() >= end) return time.now();
        time.set(Math.min(waiting[0]?.at ?? Number.POSITIVE_INFINITY, sweepAt, queues.nextAt(), ...retries));
      }
    },
  };
};

class StreamFailure extends Error {}
