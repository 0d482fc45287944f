import { randomUUID } from 'node:crypto';
import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import type { DynamoDBRecord } from 'aws-lambda';
import { matchesPattern } from '../../local/events/eventFilter.ts';
import { streamReader } from '../../local/events/streamReader.ts';
import type { Pattern } from '../../local/template/streams.ts';
import type { TableName } from '../../schemas/platform/tables.ts';
import { workers } from '../../schemas/platform/workers.ts';
import type { LiveTables } from './tables.ts';

const BATCH_SIZE = 100;
const MARKER_KEY = 'marker-of-the-harness';

const isMarker = ({ dynamodb }: Pick<DynamoDBRecord, 'dynamodb'>): boolean =>
  dynamodb?.Keys?.['pk']?.S === MARKER_KEY;

/**
 * Reads the change stream of a table: passes the next changes to a handler, and returns whether there were any. Advances
 * only after the handler succeeds, so failed changes are delivered again.
 *
 * `complete` passes all changes that were made before the call, as an event source with a batching window does. On a busy
 * machine a read can return only some of the changes of one transaction. An item that is written after them marks their end.
 */
export const followStream = (live: LiveTables, table: TableName, { complete = false } = {}) => {
  const reader = streamReader(live.client, live.url, table);
  let iterator: string | undefined;

  const putMarker = async (): Promise<string> => {
    const id = randomUUID();
    const Item = { pk: { S: MARKER_KEY }, sk: { S: MARKER_KEY }, id: { S: id } };
    await live.client.send(new PutItemCommand({ TableName: table, Item }));
    return id;
  };

  const read = async (from: string) => {
    const first = await reader.read(from, BATCH_SIZE);
    if (!complete || first.changes.every(isMarker)) return first;
    const id = await putMarker();
    const changes = [...first.changes];
    let { next } = first;
    while (next !== undefined && !JSON.stringify(changes.filter(isMarker)).includes(id)) {
      const more = await reader.read(next, BATCH_SIZE);
      changes.push(...more.changes);
      next = more.next;
    }
    return { changes, next };
  };

  return async (handle: (records: DynamoDBRecord[]) => Promise<void>): Promise<boolean> => {
    iterator ??= await reader.iterator((await reader.shards())[0]?.id ?? '', undefined);
    const { changes, next } = await read(iterator);
    const own = changes.filter((change) => !isMarker(change));
    if (own.length > 0) await handle(JSON.parse(JSON.stringify(own)));
    iterator = next;
    return own.length > 0;
  };
};

/** Whether the publisher receives a change of a table, by the filter of its event source. */
export const isConsumed = (table: 'ledger' | 'outbox'): ((record: DynamoDBRecord) => boolean) => {
  const source = workers.publish.streams.find((stream) => stream.table === table);
  const pattern: Pattern = JSON.parse(JSON.stringify(source?.filter));
  return (record) => matchesPattern(record, pattern);
};
