/**
 * Runs an engine as a child and ends it when standard input closes, which the operating system does however the parent
 * ended, SIGKILL included. Usage: guard.ts PID_FILE PROGRAM ARGUMENT…
 */
import { spawn } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';

/** An engine that does not stop on SIGTERM within this time is killed. */
const GRACE_MS = 2000;

const [pidFile = '', program = '', ...programArguments] = process.argv.slice(2);
const engine = spawn(program, programArguments, { stdio: ['ignore', 'inherit', 'inherit'] });
engine.once('spawn', () => writeFileSync(pidFile, String(engine.pid)));
engine.once('error', (error) => {
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
});
engine.once('exit', (code) => {
  rmSync(pidFile, { force: true });
  process.exit(code ?? 1);
});

const end = (): void => {
  engine.kill('SIGTERM');
  setTimeout(() => engine.kill('SIGKILL'), GRACE_MS);
};
process.stdin.resume();
process.stdin.once('close', end);
process.once('SIGTERM', end);
// The parent's terminal may be gone already: a failed write must not end the guard before its engine.
process.stderr.on('error', () => {});
