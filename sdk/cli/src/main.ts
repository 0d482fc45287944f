#!/usr/bin/env node
import { exitCodes } from './faults.ts';
import { useProxy } from './proxy.ts';
import { readSecret } from './readSecret.ts';
import { run } from './run.ts';

const interruption = new AbortController();
const stop = (): void => interruption.abort();
// Only the first signal is handled. A second Ctrl-C ends the process immediately.
process.once('SIGINT', stop);
process.once('SIGTERM', stop);

// `attribution records --all | head` closes the pipe: nobody reads the rest, which is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  process.exit(error.code === 'EPIPE' ? exitCodes.success : exitCodes.failed);
});

useProxy(process.env, (reason) => console.error(reason));

process.exitCode = await run(process.argv.slice(2), {
  env: process.env,
  stdout: process.stdout,
  stderr: process.stderr,
  readSecret,
  signal: interruption.signal,
  now: Date.now,
});
