import type { DynamoDBRecord } from 'aws-lambda';
import { matchesPattern } from '../../local/events/eventFilter.ts';
import { streamReader } from '../../local/events/streamReader.ts';
import type { Pattern } from '../../local/template/streams.ts';
import type { TableName } from '../../schemas/platform/tables.ts';
import { workers } from '../../schemas/platform/workers.ts';
import type { LiveTables } from './tables.ts';

const BATCH_SIZE = 100;
/**
 * Reads the change stream of a table: passes the next changes to a handler, and returns whether there were any. Advances
 * only after the handler succeeds, so failed changes are delivered again.
 */
export const followStream = (live: LiveTables, table: TableName) => {
  const reader = streamReader(live.client, live.url, table);
  let iterator: string | undefined;

  return async (handle: (records: DynamoDBRecord[]) => Promise<void>): Promise<boolean> => {
    iterator ??= await reader.iterator((await reader.shards())[0]?.id ?? '', undefined);
    const { changes, next } = await reader.read(iterator, BATCH_SIZE);
    if (changes.length > 0) await handle(JSON.parse(JSON.stringify(changes)));
    iterator = next;
    return changes.length > 0;
  };
};

/** Whether the publisher receives a change of a table, by the filter of its event source. */
export const isConsumed = (table: 'ledger' | 'outbox'): ((record: DynamoDBRecord) => boolean) => {
  const source = workers.publish.streams.find((stream) => stream.table === table);
  const pattern: Pattern = JSON.parse(JSON.stringify(source?.filter));
  return (record) => matchesPattern(record, pattern);
};
