import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { SettingsInput } from '../../lib/settings.ts';
import { type Runtime, startRuntime } from '../../local/runtime.ts';
import { localAssembly } from '../../tools/build/localAssembly.ts';
import { type Credentials, prepareDemo } from '../../tools/start/demo.ts';
import { checkPermissions } from './permissions.ts';
import { temporaryDirectory } from './temporaryDirectory.ts';

/** A minute with many calls is else summed up to 10 seconds later, to spare a developer's machine. */
const ROLLUPS_DELAY_SECONDS = '1';

/** For a service that never becomes idle. Longer than a few failures of a message, and shorter than the limit of a test. */
const PATIENCE_MS = 300_000;

export interface Instance {
  readonly baseUrl: string;
  readonly credentials: Credentials;
  readonly runtime: Runtime;
  readonly dataDir: string;
  readonly stop: () => Promise<void>;
}

/** Starts the whole service in this process, on embedded engines, with the two demo tenants and no traffic. */
export const startInstance = async (
  options: {
    readonly dataDir?: string;
    readonly settings?: SettingsInput;
    readonly environment?: Record<string, string>;
    /** The folder of the function bundles, if not those for this machine. */
    readonly bundles?: string;
  } = {},
): Promise<Instance> => {
  const dataDir = options.dataDir ?? temporaryDirectory();
  const assembly = await localAssembly({ environment: 'local', ...options.settings });
  const runtime = await startRuntime({
    ...assembly,
    ...(options.bundles !== undefined && { assemblyDir: options.bundles }),
    dataDir,
    port: 0,
    environment: { ROLLUPS_DELAY_SECONDS, ...options.environment },
    log: () => undefined,
  });
  const credentials = await prepareDemo(runtime, dataDir);
  return {
    baseUrl: runtime.baseUrl,
    credentials,
    runtime: { ...runtime, idle: (idle) => runtime.idle({ patienceMs: PATIENCE_MS, ...idle }) },
    dataDir,
    stop: async () => {
      await runtime.stop();
      checkPermissions(runtime);
      if (options.dataDir === undefined) rmSync(dataDir, { recursive: true, force: true });
    },
  };
};

export interface SpawnedInstance {
  readonly baseUrl: string;
  readonly credentials: Credentials;
  readonly output: () => string;
  /** Kills the process group with SIGKILL, as after a power failure. */
  readonly kill: () => Promise<void>;
  /** Stops the process group with SIGINT, as Ctrl-C does. Resolves with the exit code. */
  readonly stop: () => Promise<number | null>;
}

/** Runs `bin/local.mjs` in its own process group. Resolves when it is ready. Throws when it exits before that. */
export const spawnInstance = async (
  dataDir: string,
  args: readonly string[] = ['--no-sample'],
): Promise<SpawnedInstance> => {
  const child = spawn(
    process.execPath,
    [resolve('bin/local.mjs'), '--port', '0', '--data-dir', dataDir, ...args],
    { detached: true, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  // An aborted test run must not leave a service running.
  const endGroup = () => {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGKILL');
  };
  process.once('exit', endGroup);
  child.once('exit', () => process.off('exit', endGroup));
  let output = '';
  const ended = new Promise<number | null>((settle) => child.once('exit', settle));
  await new Promise<void>((ready, failed) => {
    const read = (chunk: Buffer) => {
      output += chunk.toString('utf8');
      if (output.includes('Ready.')) ready();
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    void ended.then((code) => failed(new Error(`the instance ended with ${code}:\n${output}`)));
  });
  const credentials: Credentials = JSON.parse(await readFile(join(dataDir, 'credentials.json'), 'utf8'));
  const end = (signal: NodeJS.Signals) => {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, signal);
    return ended;
  };
  return {
    baseUrl: credentials.base_url,
    credentials,
    output: () => output,
    kill: async () => {
      await end('SIGKILL');
    },
    stop: () => end('SIGINT'),
  };
};
