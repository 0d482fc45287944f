import './environment.ts';
import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { ScanCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { vi } from 'vitest';
import type { AwsRequest } from '../../../functions/platform/shared/aws/calls/awsCalls.ts';
import { dynamodb } from '../../../functions/platform/shared/aws/dynamodb.client.ts';
import { outage } from '../../support/outage.ts';
import { startTables } from '../../support/tables.ts';
import { copiesOf, type Item, keyOf, nameOf, type Rows, rowAccess, writtenBy } from './rows.ts';
import { answerOf, loadUnits } from './unitsInProcess.ts';

/**
 * `fails`: only this write fails, and its effect is kept (`after`) or not. `dies`: the process makes no further calls after
 * it. `sleeps`: the process is suspended before it, until it wakes.
 */
export interface Fault {
  readonly write: number;
  readonly kind: 'fails before' | 'fails after' | 'dies after' | 'sleeps before';
}

/** The writes of one request, and the fault of one of them. */
interface Observed {
  readonly writes: string[];
  /** Calls of all services but for rate limits, which are charged for several requests at once, and rows that they returned. */
  calls: number;
  rows: number;
  readonly fault: Fault | undefined;
  isDead: boolean;
  /** Resolves when a suspended process wakes. */
  gate?: Promise<void>;
}

const WRITE = /^(?:Put|Update|Delete|Transact|BatchWrite|Send|Start|AdminCreate)/;
/** Rate limits fail open, and belong to no call. */
const UNCOUNTED: ReadonlySet<string> = new Set(['limits']);
/** Names the call, and no effect. */
const CLAIMS = 'idempotency';
/**
 * Rows that are not the effect of a call: those that count requests, where a repeated one counts again, and the log of the
 * sort index, which is written before the version that it names and may name one that never came.
 */
const isBeside = (table: string, { pk }: Item): boolean =>
  table === 'counters' || /#usage#|#sortIndex#log(?:#\d+)?$/.test(pk?.S ?? '');

/** Rows without claims and limits. */
export const effectsIn = (rows: Rows): Rows =>
  new Map(
    [...rows].filter(([name]) => {
      const [table, key] = JSON.parse(name);
      return table !== CLAIMS && !UNCOUNTED.has(table) && !isBeside(table, key);
    }),
  );

/** The rows in the output of a call. */
const rowsIn = (output: object): number => {
  if ('Items' in output && Array.isArray(output.Items)) return output.Items.length;
  return 'Responses' in output && typeof output.Responses === 'object' && output.Responses !== null
    ? Object.values(output.Responses).flat().length
    : 0;
};

/** All units of the API in this process, over real tables, with a clock that stands still and one fault at a time. */
export const startMutationWorld = async (now: number) => {
  vi.useFakeTimers({ toFake: ['Date'], now });
  const live = await startTables();
  const { client } = live;
  const { scan, read, write } = rowAccess(client);
  const send = await loadUnits();
  const current = new AsyncLocalStorage<Observed>();
  let base: Rows | undefined;
  let original: Rows = new Map();
  const touchedSinceBase = new Map<string, readonly [table: string, key: Item]>();
  const touched = new Map<string, readonly [table: string, key: Item]>();

  let wake: () => void = () => undefined;
  let notifyAsleep: () => void = () => undefined;
  const asleep = (): Promise<void> => {
    notifyAsleep();
    return new Promise((resolve) => {
      wake = resolve;
    });
  };
  // Inside the step that publishes the request.
  dynamodb.middlewareStack.add(
    (next) => async (args) => {
      const observed = current.getStore();
      const { gate } = observed ?? {};
      if (observed !== undefined) delete observed.gate;
      await gate;
      const result = await next(args);
      if (observed !== undefined) observed.rows += rowsIn(result.output);
      return result;
    },
    { step: 'initialize', name: 'sleep', priority: 'low', override: true },
  );

  const onRequest = (message: unknown): void => {
    const request = message as AwsRequest;
    const { service, operation } = request;
    const answer = answerOf(service, operation);
    if (answer !== undefined) request.answer = () => answer;
    const isWrite = WRITE.test(operation) && service !== 'kms';
    const rows = isWrite && service === 'dynamodb' ? writtenBy(request) : [];
    for (const [table, key] of rows) {
      touched.set(nameOf(table, key), [table, keyOf(table, key)]);
      touchedSinceBase.set(nameOf(table, key), [table, keyOf(table, key)]);
    }
    const observed = current.getStore();
    if (observed === undefined) return;
    if (observed.isDead) request.refusal = outage();
    const isUncounted = rows.length > 0 && rows.every(([table]) => UNCOUNTED.has(table));
    if (!isUncounted) observed.calls += 1;
    if (!isWrite || isUncounted || observed.isDead) return;
    const { fault } = observed;
    const isFaulty = observed.writes.length === fault?.write;
    observed.writes.push(operation);
    if (!isFaulty) return;
    observed.isDead = fault.kind === 'dies after';
    if (fault.kind === 'fails before') request.refusal = outage();
    else if (fault.kind === 'sleeps before') observed.gate = asleep();
    else
      request.finish = () => {
        throw outage();
      };
  };
  subscribe('aws.request', onRequest);

  return {
    live,
    send,
    /** Sends a request of a process with this fault. Returns the answer and the operations of its writes. */
    sendWith: async (fault: Fault | undefined, request: () => ReturnType<typeof send>) => {
      const observed: Observed = { writes: [], calls: 0, rows: 0, fault, isDead: false };
      const answer = await current.run(observed, request);
      return { answer, writes: observed.writes, calls: observed.calls, rows: observed.rows };
    },
    /** Starts a request that is suspended before a write. Resolves then, or when the request ends without that write. */
    sleepBefore: async (
      write: number,
      request: () => ReturnType<typeof send>,
    ): Promise<() => Promise<void>> => {
      const fault = { write, kind: 'sleeps before' } as const;
      const observed: Observed = { writes: [], calls: 0, rows: 0, fault, isDead: false };
      const suspended = new Promise<void>((resolve) => {
        notifyAsleep = resolve;
      });
      const done = current.run(observed, request);
      await Promise.race([suspended, done]);
      return async () => {
        wake();
        await done;
      };
    },
    /** Takes the present rows as the state to go back to. */
    keep: async (): Promise<void> => {
      original = await scan();
      base ??= original;
      touched.clear();
    },
    /** Goes back to the kept state. */
    restore: async (): Promise<void> => {
      await write(original, touched);
      touched.clear();
    },
    /** Goes back to the state that was kept first. */
    reset: async (): Promise<void> => {
      await write(base ?? original, touchedSinceBase);
      touchedSinceBase.clear();
    },
    /** All rows that were written since. */
    written: (): Promise<Rows> => read(touched),
    /** Writes copies of rows whose keys have an id, each time with other ids. */
    crowd: (rows: Rows, copies: number): Promise<void> => {
      const all = [...rows].flatMap(([name, row]) =>
        row === undefined ? [] : copiesOf(JSON.parse(name)[0], row, copies),
      );
      return write(
        new Map(all.map(([table, item]) => [nameOf(table, item), item])),
        new Map(all.map(([table, item]) => [nameOf(table, item), [table, keyOf(table, item)]])),
      );
    },
    /** Ends every lease, as time would. */
    endLeases: async (): Promise<void> => {
      const { Items = [] } = await client.send(
        new ScanCommand({ TableName: CLAIMS, FilterExpression: 'attribute_exists(lease)' }),
      );
      for (const { pk } of Items) {
        await client.send(
          new UpdateItemCommand({
            TableName: CLAIMS,
            Key: { pk: pk ?? { S: '' } },
            UpdateExpression: 'SET lease = :ended',
            ExpressionAttributeValues: { ':ended': { N: '0' } },
          }),
        );
      }
    },
    stop: async (): Promise<void> => {
      unsubscribe('aws.request', onRequest);
      vi.useRealTimers();
      await live.stop();
    },
  };
};
export type MutationWorld = Awaited<ReturnType<typeof startMutationWorld>>;
