import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { lockDataDirectory } from '../../../../local/engines/dataDirectory.ts';
import { startDynamoDb } from '../../../../local/engines/dynamodb/dynamodb.ts';
import { indexStreams } from '../../../../local/engines/dynamodb/streamIndexes.ts';
import { temporaryDirectory } from '../../../support/temporaryDirectory.ts';

/** Queries that the engine runs at each write to a table with a stream, and at each read of a stream. */
const NEXT_SEQUENCE_NUMBER = `SELECT COALESCE(MAX(CAST(sequence_number AS INTEGER)), 0) + 1 FROM _stream_records
  WHERE table_name = 'a'`;
const READ_AFTER = `SELECT new_image FROM _stream_records
  WHERE table_name = 'a' AND shard_id = 'b' AND CAST(sequence_number AS INTEGER) > 5
  ORDER BY CAST(sequence_number AS INTEGER) ASC LIMIT 100`;

const planOf = (file: string, query: string): string => {
  const database = new DatabaseSync(file, { readOnly: true });
  const steps = database.prepare(`EXPLAIN QUERY PLAN ${query}`).all();
  database.close();
  return steps.map(({ detail }) => detail).join(', ');
};

describe('indexStreams', () => {
  let directory: string;
  beforeEach(() => {
    directory = temporaryDirectory();
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  test.each([NEXT_SEQUENCE_NUMBER, READ_AFTER])('adds an index that serves the query %s', async (query) => {
    const data = lockDataDirectory(directory);
    const engine = await startDynamoDb(data, () => undefined);

    const plan = planOf(data.join('dynamodb.db'), query);

    await engine.stop();
    data.release();
    expect(plan).toMatch(/^SEARCH _stream_records USING (COVERING )?INDEX attribution_/);
    expect(plan).not.toContain('TEMP B-TREE');
  });

  test('changes nothing in a database with another schema', () => {
    const file = join(directory, 'other.db');
    new DatabaseSync(file).exec('CREATE TABLE changes (id INTEGER)');

    indexStreams(file);

    const database = new DatabaseSync(file, { readOnly: true });
    expect(database.prepare('SELECT name FROM sqlite_master').all()).toEqual([{ name: 'changes' }]);
    database.close();
  });
});
