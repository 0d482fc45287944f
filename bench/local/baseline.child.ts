import { once } from 'node:events';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { text } from 'node:stream/consumers';

/** The fields of an event that the table has as columns. */
interface Event {
  readonly event_id: string;
}

/**
 * What a service would do that only keeps events: one table, one row an event, a repeated id ignored, one transaction a
 * request, written to disk before the answer. No credentials, limits, attribution, prices, sums or traces.
 */
const database = new DatabaseSync(join(process.argv[2] ?? '.', 'baseline.db'));
database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
database.exec('CREATE TABLE events (event_id TEXT PRIMARY KEY, event TEXT NOT NULL)');
const insert = database.prepare('INSERT OR IGNORE INTO events VALUES (?, ?)');

const server = createServer(async (request, response) => {
  const body: Event | { readonly events: readonly Event[] } = JSON.parse(await text(request));
  database.exec('BEGIN');
  for (const event of 'events' in body ? body.events : [body])
    insert.run(event.event_id, JSON.stringify(event));
  database.exec('COMMIT');
  response.writeHead(202, { 'content-type': 'application/json' }).end('{}');
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
process.send?.(server.address());
// A benchmark that fails leaves no server.
process.once('disconnect', () => process.exit());
