import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { lockDataDirectory } from '../../../../local/engines/dataDirectory.ts';
import { startDynamoDb } from '../../../../local/engines/dynamodb/dynamodb.ts';
import { indexStreams } from '../../../../local/engines/dynamodb/streamIndexes.ts';
import { temporaryDirectory } from '../../../support/instance.ts';

/** As the engine asks them at each write to a followed table, and at each look at a stream. */
const LAST = `SELECT COALESCE(MAX(CAST(sequence_number AS INTEGER)), 0) + 1 FROM _stream_records
  WHERE table_name = 'a'`;
const NEXT = `SELECT new_image FROM _stream_records
  WHERE table_name = 'a' AND shard_id = 'b' AND CAST(sequence_number AS INTEGER) > 5
  ORDER BY CAST(sequence_number AS INTEGER) ASC LIMIT 100`;

const planOf = (file: string, query: string): string => {
  const database = new DatabaseSync(file, { readOnly: true });
  const steps = database.prepare(`EXPLAIN QUERY PLAN ${query}`).all();
  database.close();
  return steps.map(({ detail }) => detail).join(', ');
};

describe('the changes of followed tables', () => {
  let directory: string;
  beforeEach(() => {
    directory = temporaryDirectory();
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  test.each([LAST, NEXT])('are found by an index: %s', async (query) => {
    const data = lockDataDirectory(directory);
    const engine = await startDynamoDb(data, () => undefined);

    const plan = planOf(data.join('dynamodb.db'), query);

    await engine.stop();
    data.release();
    expect(plan).toMatch(/^SEARCH _stream_records USING (COVERING )?INDEX attribution_/);
    expect(plan).not.toContain('TEMP B-TREE');
  });

  test('are left alone where an engine keeps them otherwise', () => {
    const file = join(directory, 'other.db');
    new DatabaseSync(file).exec('CREATE TABLE changes (id INTEGER)');

    indexStreams(file);

    const database = new DatabaseSync(file, { readOnly: true });
    expect(database.prepare('SELECT name FROM sqlite_master').all()).toEqual([{ name: 'changes' }]);
    database.close();
  });
});
