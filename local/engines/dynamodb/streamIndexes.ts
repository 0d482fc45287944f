import { DatabaseSync } from 'node:sqlite';

/** For a writer to be done, in milliseconds. */
const LOCK_TIMEOUT_MS = 10_000;

/**
 * The engine keeps the changes of all followed tables in one table, of which it asks the highest number at each write and
 * the next ones at each look, and has no index for either (1.2.1): a write took 50 ms behind 25,000 changes, under the lock
 * that all writers share, and with these takes a tenth of one.
 */
const INDEXES = [
  'CREATE INDEX IF NOT EXISTS attribution_last_change ON _stream_records (table_name, CAST(sequence_number AS INTEGER))',
  `CREATE INDEX IF NOT EXISTS attribution_next_changes
     ON _stream_records (table_name, shard_id, CAST(sequence_number AS INTEGER), sequence_number)`,
];

/** Indexes the changes in the data file of a DynamoDB engine that has started; one that keeps them otherwise is left alone. */
export function indexStreams(dataFile: string): void {
  const database = new DatabaseSync(dataFile, { timeout: LOCK_TIMEOUT_MS });
  try {
    const streamTable = database.prepare(
      "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = '_stream_records'",
    );
    if (streamTable.get() !== undefined) for (const index of INDEXES) database.exec(index);
  } finally {
    database.close();
  }
}
