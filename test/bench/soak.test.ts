import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { temporaryDirectory } from '../support/temporaryDirectory.ts';

/** Takes about a second of CPU. */
it('ends with the error when the service does not start', async () => {
  // A folder without the service.
  const soak = spawn(process.execPath, [resolve('bench/soak/run.ts'), '--faults', 'none'], {
    cwd: temporaryDirectory(),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const code = new Promise((done) => soak.once('exit', done));
  const errors = text(soak.stderr);

  expect(await code).toBe(1);
  expect(await errors).toContain('the service ended with 1');
});
