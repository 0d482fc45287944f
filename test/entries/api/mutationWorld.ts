import './environment.ts';
import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import {
  type AttributeValue,
  BatchGetItemCommand,
  BatchWriteItemCommand,
  ScanCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { vi } from 'vitest';
import type { AwsRequest } from '../../../functions/platform/shared/aws/awsCalls.ts';
import { dynamodb } from '../../../functions/platform/shared/aws/dynamodb.client.ts';
import { type TableName, type TableShape, tableNames, tables } from '../../../schemas/platform/tables.ts';
import { outage } from '../../support/outage.ts';
import { startTables } from '../../support/tables.ts';
import { answerOf, loadUnits } from './unitsInProcess.ts';

export type Item = Record<string, AttributeValue>;
/** Rows by table and key. A row that does not exist is undefined. */
export type Rows = ReadonlyMap<string, Item | undefined>;

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
  table === 'counters' || /#usage#|#sortIndex#log$/.test(pk?.S ?? '');

const shapeOf = (table: string): TableShape => tables[table as TableName];
const keyOf = (table: string, item: Item): Item => {
  const { partitionKey, sortKey } = shapeOf(table);
  return Object.fromEntries(
    [partitionKey, ...(sortKey === undefined ? [] : [sortKey])].map((name) => [
      name,
      item[name] ?? { S: '' },
    ]),
  );
};
const nameOf = (table: string, item: Item): string => JSON.stringify([table, keyOf(table, item)]);

interface AnyWrite {
  readonly TableName?: string;
  readonly Item?: Item;
  readonly Key?: Item;
}

/** The rows that a request to the tables writes. */
const writtenBy = ({ operation, input }: AwsRequest): (readonly [table: string, key: Item])[] => {
  const sent = input as AnyWrite & {
    readonly TransactItems?: readonly Record<string, AnyWrite>[];
    readonly RequestItems?: Record<string, readonly { PutRequest?: AnyWrite; DeleteRequest?: AnyWrite }[]>;
  };
  const single = (write: AnyWrite) => [write.TableName ?? '', write.Item ?? write.Key ?? {}] as const;
  if (operation === 'TransactWriteItems')
    return (sent.TransactItems ?? []).flatMap((one) => Object.values(one).map(single));
  if (operation === 'BatchWriteItem')
    return Object.entries(sent.RequestItems ?? {}).flatMap(([table, writes]) =>
      writes.map(({ PutRequest, DeleteRequest }) =>
        single({ ...PutRequest, ...DeleteRequest, TableName: table }),
      ),
    );
  return [single(sent)];
};

/** All units of the API in this process, over real tables, with a clock that stands still and one fault at a time. */
export const startMutationWorld = async (now: number) => {
  vi.useFakeTimers({ toFake: ['Date'], now });
  const live = await startTables();
  const { client } = live;
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
      return next(args);
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

  const scan = async (): Promise<Rows> => {
    const rows = new Map<string, Item>();
    await Promise.all(
      tableNames.map(async (TableName) => {
        const { Items = [] } = await client.send(new ScanCommand({ TableName, ConsistentRead: true }));
        for (const item of Items) rows.set(nameOf(TableName, item), item);
      }),
    );
    return rows;
  };
  const read = async (
    keys: ReadonlyMap<string, readonly [string, Item]>,
  ): Promise<Map<string, Item | undefined>> => {
    const rows = new Map<string, Item | undefined>([...keys].map(([name]) => [name, undefined]));
    for (const [table, entries] of Map.groupBy(keys.values(), ([table]) => table)) {
      const Keys = entries.map(([, key]) => key);
      const { Responses = {} } = await client.send(
        new BatchGetItemCommand({ RequestItems: { [table]: { Keys, ConsistentRead: true } } }),
      );
      for (const item of Responses[table] ?? []) rows.set(nameOf(table, item), item);
    }
    return rows;
  };

  /** Writes rows as they are in a state. */
  const write = async (state: Rows, keys: ReadonlyMap<string, readonly [string, Item]>): Promise<void> => {
    for (const [table, entries] of Map.groupBy(keys, ([, [table]]) => table)) {
      const requests = entries.map(([name, [, key]]) => {
        const item = state.get(name);
        return item === undefined ? { DeleteRequest: { Key: key } } : { PutRequest: { Item: item } };
      });
      for (let from = 0; from < requests.length; from += 25) {
        await client.send(
          new BatchWriteItemCommand({ RequestItems: { [table]: requests.slice(from, from + 25) } }),
        );
      }
    }
  };

  return {
    live,
    send,
    /** Sends a request of a process with this fault. Returns the answer and the operations of its writes. */
    sendWith: async (fault: Fault | undefined, request: () => ReturnType<typeof send>) => {
      const observed: Observed = { writes: [], fault, isDead: false };
      const answer = await current.run(observed, request);
      return { answer, writes: observed.writes };
    },
    /** Starts a request that is suspended before a write. Resolves then, or when the request ends without that write. */
    sleepBefore: async (
      write: number,
      request: () => ReturnType<typeof send>,
    ): Promise<() => Promise<void>> => {
      const observed: Observed = { writes: [], fault: { write, kind: 'sleeps before' }, isDead: false };
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
    /** The rows that were written since, without claims and limits. */
    changed: async (): Promise<Rows> => {
      const rows = await read(touched);
      return new Map(
        [...rows].filter(([name]) => {
          const [table, key] = JSON.parse(name);
          return table !== CLAIMS && !UNCOUNTED.has(table) && !isBeside(table, key);
        }),
      );
    },
    /** All rows that were written since, as text. */
    text: async (): Promise<string> => JSON.stringify([...(await read(touched))]),
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
