/**
 * Runs an engine as a child process and ends it when standard input closes. The operating system closes it whenever the
 * parent ends, even by SIGKILL. Usage: supervisor.ts PID_FILE PROGRAM ARGUMENT…
 */
import { spawn } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';

/** Time to stop after SIGTERM. Then the engine is killed. */
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
// The parent's terminal may be closed. A failed write must not end the supervisor before its engine.
process.stderr.on('error', () => {});
