import { BatchWriteItemCommand } from '@aws-sdk/client-dynamodb';
import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import * as z from 'zod';
import { failedMessages } from '../../../functions/platform/queue/failedMessages.aws.ts';
import { queueHandler } from '../../../functions/platform/queue/queueHandler.ts';
import { roundPositions } from '../../../functions/platform/schedule/roundPosition.store.ts';
import { roundRunner } from '../../../functions/platform/schedule/runRound.ts';
import { Continuation, Tick, Turn } from '../../../functions/platform/schedule/scheduleMessage.ts';
import { taskRuns } from '../../../functions/platform/schedule/taskRuns.store.ts';
import { tenantTaskRunner } from '../../../functions/platform/schedule/tenantTasks.ts';
import { turnQueue } from '../../../functions/platform/schedule/turnQueue.aws.ts';
import { mulberry32 } from '../../../functions/platform/shared/mulberry32.ts';
import {
  type ListedTenant,
  tenantDirectory,
  tenantReader,
} from '../../../functions/platform/tenancy/tenant.store.ts';
import { HOUR_MS } from '../../../schemas/durations.ts';
import { aTenant } from '../../attribution/engine/events.ts';
import type { LiveTables } from '../../support/tables.ts';
import { simulatedQueues } from '../queue/simulatedQueues.ts';

export const START = Date.parse('2026-05-14T12:00:00Z');
const SQS_URL = 'https://sqs.test/';
/** The time limit of the function, and what each call of AWS takes on the clock of the test. */
const FUNCTION_MS = 5_000;
const CALL_MS = 20;
const RESERVED_MS = 4_000;
const PAGE_ROWS = 250;
const BATCH = 25;
/** More than an invocation makes. */
const CALLS_BEFORE_KILL = 70;

export class Killed extends Error {}

const Message = z.union([Turn, Continuation, Tick]);

/** Writes the rows of tenants, `tenant-0000` and so on. The rows of `broken` ones hold no JSON. */
export const writeTenants = async (
  { client }: LiveTables,
  count: number,
  broken: readonly number[] = [],
): Promise<string[]> => {
  const ids = Array.from({ length: count }, (_, index) => `tenant-${String(index).padStart(4, '0')}`);
  for (let at = 0; at < count; at += 25) {
    const rows = ids.slice(at, at + 25).map((tenant_id, index) => ({
      PutRequest: {
        Item: {
          pk: { S: `tenant#${tenant_id}` },
          document: { S: broken.includes(at + index) ? '{"sand' : JSON.stringify(aTenant({ tenant_id })) },
        },
      },
    }));
    await client.send(new BatchWriteItemCommand({ RequestItems: { tenants: rows } }));
  }
  return ids;
};

/**
 * The schedule over the tenants in the table, with real positions, queue handler and stores, on the clock of the test. The work
 * of a tenant counts. `killShare`: the share of invocations that are killed at one of their calls.
 */
export const scheduleWorld = ({
  killShare = 0,
  deliveries = 1,
  failing = () => false,
}: {
  readonly killShare?: number;
  readonly deliveries?: number;
  readonly failing?: (tenantId: string) => boolean;
}) => {
  const random = mulberry32(7);
  const time = { now: START };
  const counts = { kills: 0, invocations: 0, turns: 0, late: 0 };
  /** The runs of the hourly task, by tenant and hour. */
  const runs = new Map<string, number>();
  let callsUntilKill = Number.POSITIVE_INFINITY;

  const call = <Result>(work: () => Promise<Result>): Promise<Result> => {
    time.now += CALL_MS;
    callsUntilKill -= 1;
    return callsUntilKill <= 0 ? Promise.reject(new Killed()) : work();
  };
  const queues = simulatedQueues(() => time.now, SQS_URL, {
    beforeCall: (input) =>
      call(async () => {
        counts.turns += JSON.stringify(input).split('MessageGroupId').length - 1;
      }),
  });
  const directory = tenantDirectory('tenants');
  const reader = tenantReader('tenants');
  const positions = roundPositions('jobs', 'jobs', 'tenants');
  const stored = taskRuns('jobs');
  const queue = turnQueue(`${SQS_URL}jobs`);
  let deadline = 0;
  let claims = 0;
  const newClaim = () => {
    claims += 1;
    return `claim-${claims}`;
  };
  const hasTime = () => deadline - time.now > RESERVED_MS;
  const runRound = roundRunner({ hasTime, newClaim });
  const runTasks = tenantTaskRunner({
    tasks: [
      {
        name: 'work',
        periodMs: HOUR_MS,
        run: async ({ tenant_id }, { now }) => {
          if (failing(tenant_id)) throw new Error('the work of this tenant fails');
          const key = `${tenant_id} ${Math.floor(now / HOUR_MS)}`;
          runs.set(key, (runs.get(key) ?? 0) + 1);
        },
      },
    ],
    runs: {
      read: (tenantId) => call(() => stored.read(tenantId)),
      save: (...given) => call(() => stored.save(...given)),
    },
    clock: () => time.now,
    hasTime: () => true,
    newClaim,
    onFailure: () => undefined,
  });
  const handler = queueHandler({
    parse: ({ body }) => Message.parse(JSON.parse(body)),
    handle: async ([message]) => {
      if ('tenant_id' in message) {
        const tenant = await call(() => reader.tenant(message.tenant_id));
        if (tenant !== null) await runTasks(tenant);
        return [];
      }
      await runRound<ListedTenant>(
        {
          name: 'tenants',
          source: {
            page: async (after) => {
              const { tenants, next } = await call(() => directory.list(after, PAGE_ROWS));
              return { items: tenants, next };
            },
          },
          positions: {
            read: () => call(positions.read),
            save: (...given) => call(() => positions.save(...given)),
          },
          serve: (items, round) => queue.send(items.map(({ tenant_id }) => ({ tenant_id, round }))),
          sendContinuation: queue.sendContinuation,
        },
        message,
      );
      return [];
    },
    ...failedMessages([`${SQS_URL}jobs`], `${SQS_URL}jobsDeadLetter`),
  });

  /** One invocation. When it is killed, none of its messages is acknowledged. */
  const invoke = async (event: SQSEvent): Promise<SQSBatchResponse> => {
    counts.invocations += 1;
    deadline = time.now + FUNCTION_MS;
    callsUntilKill =
      random() < killShare ? 1 + Math.floor(random() * CALLS_BEFORE_KILL) : Number.POSITIVE_INFINITY;
    const answer = await handler(event, { getRemainingTimeInMillis: () => FUNCTION_MS });
    const isKilled = callsUntilKill <= 0;
    callsUntilKill = Number.POSITIVE_INFINITY;
    if (time.now > deadline) counts.late += 1;
    if (!isKilled) return answer;
    counts.kills += 1;
    return { batchItemFailures: event.Records.map(({ messageId }) => ({ itemIdentifier: messageId })) };
  };

  return {
    counts,
    runs,
    queues,
    advance: (milliseconds: number): void => {
      time.now += milliseconds;
    },
    /** Sends a tick, as EventBridge does. */
    tick: (): string => {
      const at = new Date(time.now).toISOString();
      const body = JSON.stringify({ source: 'aws.events', id: `tick at ${at}`, time: at });
      queues.send('jobs', body);
      return body;
    },
    /** Delivers the messages that are visible now, each once. */
    deliver: () => queues.receive('jobs', 1, invoke),
    /** Delivers messages until none is left. */
    drain: async (): Promise<void> => {
      while (!queues.isEmpty()) {
        time.now = Math.max(time.now, queues.nextAt());
        await queues.receive('jobs', BATCH, async (event) => {
          for (let again = 1; again < deliveries; again += 1) await invoke(event);
          return invoke(event);
        });
      }
    },
  };
};
