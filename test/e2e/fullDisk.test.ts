import { spawnSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { call, listAllRecords, someEvent } from '../support/client.ts';
import { type Instance, startInstance } from '../support/instance.ts';
import { demoTenants } from '../support/localService.ts';

const DISK_MIB = 96;
const BLOCK = Buffer.alloc(64 * 1024);
const BATCH_EVENTS = 50;
/** More than fit into what a database keeps reserved. */
const BATCHES_MAXIMUM = 60;

let disk: string;
let instance: Instance | undefined;
/** A file system of its own, which only root may mount. */
const mounted = (() => {
  disk = mkdtempSync(join(tmpdir(), 'disk-'));
  return spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_MIB}m`, 'none', disk]).status === 0;
})();

beforeAll(async () => {
  if (mounted)
    instance = await startInstance({
      dataDir: join(disk, 'data'),
      environment: { RATE_LIMIT_SCALE: '1000' },
    });
});
afterAll(async () => {
  await instance?.stop();
  if (mounted) spawnSync('umount', ['-l', disk]);
  rmSync(disk, { recursive: true, force: true });
});

/** Takes all space that is left. */
const fill = (file: string): void => {
  for (let size = BLOCK.length; size >= 1; size = Math.floor(size / 2)) {
    try {
      for (;;) appendFileSync(file, BLOCK.subarray(0, size));
    } catch {
      // A smaller block may fit.
    }
  }
};

it.skipIf(!mounted)(
  'a full disk answers 503, and the service goes on when there is space again',
  async () => {
    if (instance === undefined) throw new Error('not started');
    const { baseUrl, credentials, runtime } = instance;
    const { ingest: key, read } = demoTenants(credentials).acme.api_keys;
    const accepted = new Set<string>();
    const post = async () => {
      const events = Array.from({ length: BATCH_EVENTS }, () => someEvent());
      const answer = await call(baseUrl, '/api/v1/invocations/batch', { key, body: { events } });
      if (answer.status === 202) for (const { event_id } of events) accepted.add(String(event_id));
      return answer;
    };
    expect((await post()).status).toBe(202);

    const filler = join(disk, 'filler');
    fill(filler);
    let refused = await post();
    for (let batch = 1; refused.status === 202 && batch < BATCHES_MAXIMUM; batch += 1) refused = await post();
    const meanwhile = await call(baseUrl, '/healthz', {});
    rmSync(filler);
    const after = await post();
    await runtime.idle();
    const recorded = (await listAllRecords(baseUrl, read)).map((record) => String(record['event_id']));

    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, expect.any(String)]);
    expect(meanwhile.status).toBe(200);
    expect(after.status).toBe(202);
    expect(recorded).toHaveLength(new Set(recorded).size);
    expect([...accepted].filter((id) => !recorded.includes(id))).toEqual([]);
  },
  120_000,
);
