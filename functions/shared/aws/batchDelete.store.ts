import { setTimeout as sleep } from 'node:timers/promises';
import { type AttributeValue, BatchWriteItemCommand, type WriteRequest } from '@aws-sdk/client-dynamodb';
import pMap from 'p-map';
import { ThrottledError } from '../retry/throttledError.ts';
import { dynamodb } from './dynamodb.client.ts';
import { throttlePauseMs, throttleTimeoutMs } from './throttling.ts';

/** The limit of BatchWriteItem. */
const MAX_KEYS = 25;
/** Calls in flight: deletions must not take the throughput of writers. */
const CONCURRENCY = 4;

type Key = Record<string, AttributeValue>;

const deleteChunk = async (table: string, keys: readonly Key[]): Promise<void> => {
  let requests: WriteRequest[] = keys.map((Key) => ({ DeleteRequest: { Key } }));
  const startedAt = Date.now();
  const end = startedAt + throttleTimeoutMs(startedAt);
  for (let throttles = 1; ; throttles += 1) {
    const { UnprocessedItems } = await dynamodb.send(
      new BatchWriteItemCommand({ RequestItems: { [table]: requests } }),
    );
    requests = UnprocessedItems?.[table] ?? [];
    if (requests.length === 0) return;
    const pause = throttlePauseMs(throttles, Math.random);
    if (Date.now() + pause >= end) throw new ThrottledError(`${requests.length} rows were not deleted`);
    await sleep(pause);
  }
};

/**
 * Deletes the items with these distinct keys, without a condition. Repeats deletions that a throttled table left out.
 * Throws a ThrottledError if it still refuses them: then call it again with all keys.
 */
export const batchDelete = async (table: string, keys: readonly Key[]): Promise<void> => {
  const chunks = Array.from({ length: Math.ceil(keys.length / MAX_KEYS) }, (_, index) =>
    keys.slice(index * MAX_KEYS, (index + 1) * MAX_KEYS),
  );
  await pMap(chunks, (chunk) => deleteChunk(table, chunk), { concurrency: CONCURRENCY });
};
