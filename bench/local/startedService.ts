import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { processTreeUsage } from './processTree.ts';

const POLL_MS = 50;

/** `npm start` in a process of its own. */
export interface StartedService {
  /** Seconds and CPU seconds until the first response with status 200. */
  readonly firstResponse: { readonly seconds: number; readonly cpuSeconds: number };
  readonly usage: () => ReturnType<typeof processTreeUsage>;
  /** Resolves when the service has printed the text. Rejects when it ends before that. */
  readonly printed: (text: string) => Promise<void>;
  readonly stop: () => Promise<void>;
  /** Sends a signal to the process group, such as SIGSTOP. Only of a service that has a group of its own. */
  readonly signal: (name: NodeJS.Signals) => void;
  /** Ends the process group at once, with all its functions. Only of a service that has a group of its own. */
  readonly kill: () => Promise<void>;
}

const answers = (url: string): Promise<boolean> =>
  fetch(url).then(
    ({ ok }) => ok,
    () => false,
  );

/** The base URL, as soon as the service has written its credentials. */
const baseUrlIn = (dataDir: string): string | null => {
  try {
    return JSON.parse(readFileSync(join(dataDir, 'credentials.json'), 'utf8')).base_url;
  } catch {
    return null;
  }
};

/** This process also runs an instance, whose engines the new one must not use. */
const ownEnvironment = (): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('AWS_')));

/**
 * Starts the service on a free port and waits for its first response. Throws when it ends before that. With `ownGroup` it can
 * be killed, and an interrupt of this process does not reach it.
 */
export const startService = async (
  dataDir: string,
  args: readonly string[],
  { ownGroup = false }: { readonly ownGroup?: boolean } = {},
): Promise<StartedService> => {
  const startedAt = performance.now();
  const child = spawn(
    process.execPath,
    [resolve('bin/local.mjs'), '--port', '0', '--data-dir', dataDir, ...args],
    { stdio: ['ignore', 'pipe', 'inherit'], env: ownEnvironment(), detached: ownGroup },
  );
  const exited = once(child, 'exit');
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString('utf8');
  });
  const usage = () => processTreeUsage(child.pid ?? 0);
  const requireRunning = (): void => {
    const end = child.exitCode ?? child.signalCode;
    if (end !== null) throw new Error(`the service ended with ${end}:\n${output}`);
  };
  const printed = async (text: string): Promise<void> => {
    while (!output.includes(text)) {
      requireRunning();
      await sleep(POLL_MS);
    }
  };
  const signalGroup = (name: NodeJS.Signals): void => {
    if (!ownGroup || child.pid === undefined) throw new Error('the service has no process group of its own');
    process.kill(-child.pid, name);
  };
  await printed('Service  ');
  while (!(await answers(`${baseUrlIn(dataDir)}/openapi.json`))) {
    requireRunning();
    await sleep(POLL_MS);
  }
  return {
    firstResponse: {
      seconds: (performance.now() - startedAt) / 1_000,
      cpuSeconds: usage().cpuSeconds,
    },
    usage,
    printed,
    stop: async () => {
      child.kill('SIGINT');
      await exited;
    },
    signal: signalGroup,
    kill: async () => {
      signalGroup('SIGKILL');
      await exited;
    },
  };
};
