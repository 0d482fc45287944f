import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { routes } from '../../../schemas/routes/index.ts';

const CHILD = fileURLToPath(new URL('bombs.child.ts', import.meta.url));
/**
 * The functions that receive telemetry have 512 MB. Of this heap, a bomb and its text take up to 60 MB. Without the bounds, most
 * bombs need a gigabyte.
 */
const HEAP_MEGABYTES = 192;

const Result = z.object({ bomb: z.string(), size: z.int(), status: z.int() });

/** About 30 seconds of CPU: 16 MiB is built, compressed and read for each bomb of telemetry and logs. */
describe('a body of empty items, of the size that its route admits', async () => {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--expose-gc', `--max-old-space-size=${HEAP_MEGABYTES}`, CHILD],
    { env: { ...process.env, BASE_URL: 'https://api.example.com' }, maxBuffer: 16 * 1_024 * 1_024 },
  );
  const results = stdout
    .trim()
    .split('\n')
    .map((line) => Result.parse(JSON.parse(line)));

  it('is read on every route that takes JSON, telemetry or logs', () => {
    const expected = routes.filter(({ body }) => body !== undefined && body.kind !== 'form');
    const read = new Set(results.map(({ bomb }) => bomb.split(',')[0]));

    expect([...read].sort()).toEqual(expected.map(({ operation }) => operation).sort());
  });

  it('is refused or answered within the heap of a small function, and never a fault', () => {
    expect(results.filter(({ status }) => ![200, 202, 400, 413, 415, 422].includes(status))).toEqual([]);
  });

  it.each([
    'postTraces, protobuf: items',
    'postLogs, protobuf: items',
    'postTraces, items: {}',
    'postLogs, items: {}',
    'postTraces, attributes of an item: {}',
    'postCallLogs, entries: {}',
    'postCallLogs, lines: {}',
    'postCallLogs, lines: 1',
    'postCallLogs, lines: an odd quote before a list',
    'postCallLogs, JSON in a text: {}',
  ])('is 413 for %s', (bomb) => {
    const [largest] = results.filter((result) => result.bomb === bomb);

    expect(largest?.status).toBe(413);
  });
});
