import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import { join, resolve } from 'node:path';
import * as z from 'zod';
import { lockDataDirectory } from '../../local/engines/dataDirectory.ts';
import { LOCK_FILE, restrictAccess } from '../../local/engines/restrictAccess.ts';
import { startRuntime } from '../../local/runtime.ts';
import { localAssembly } from '../build/localAssembly.ts';
import { dataDirectoryProblem } from '../doctor/dataDirectory.ts';
import { platformProblem } from '../doctor/platform.ts';
import { type Credentials, prepareDemo } from './demo.ts';
import { nextSteps } from './nextSteps.ts';
import { type Options, readOptions, USAGE } from './options.ts';
import { loadSampleOnce } from './sample.ts';
import { sampleProgress } from './sampleProgress.ts';
import { stackSettings } from './stackSettings.ts';

const print = (line: string): void => console.info(line);

/** Empties a data directory. Holds its lock meanwhile, so it throws instead of deleting the data of a running instance. */
const clearDataDirectory = (path: string): void => {
  const data = lockDataDirectory(path);
  for (const entry of readdirSync(path)) {
    if (!entry.startsWith(LOCK_FILE)) rmSync(join(path, entry), { recursive: true, force: true });
  }
  data.release();
};

/** External endpoints, which replace engines and providers, and the credentials for them if there are any. */
const externalServices = (environment: NodeJS.ProcessEnv): Record<string, string> => {
  const given = (pattern: RegExp): [string, string][] =>
    Object.entries(environment).flatMap(([name, value]) =>
      pattern.test(name) && value ? [[name, value]] : [],
    );
  const endpoints = given(/^(?:AWS_ENDPOINT_URL|BILLS_)/);
  const credentials = given(/^AWS_(?:ACCESS_KEY_ID|SECRET_ACCESS_KEY|SESSION_TOKEN)$/);
  const replacesEngine = endpoints.some(([name]) => name.startsWith('AWS_ENDPOINT_URL'));
  return Object.fromEntries([...endpoints, ...(replacesEngine ? credentials : [])]);
};

/** Environment of the functions: external services, and the local options. */
const environmentOf = (options: Options): Record<string, string> => ({
  ...externalServices(process.env),
  ...(options.rateLimitScale !== undefined && { RATE_LIMIT_SCALE: String(options.rateLimitScale) }),
  ...(options.retryScale !== undefined && { WEBHOOK_RETRY_SCALE: String(options.retryScale) }),
  ...(options.clockOffset !== undefined && { CLOCK_OFFSET_SECONDS: String(options.clockOffset) }),
  ...(options.allowWebhookHosts.length > 0 && { WEBHOOK_ALLOW_HOSTS: options.allowWebhookHosts.join(',') }),
  ...(options.ca !== undefined && { WEBHOOK_CA: readFileSync(options.ca, 'utf8') }),
});

/** Starts the service as `npm start` does. Resolves when it is ready. Rejects when it cannot start. */
const start = async (options: Options): Promise<void> => {
  const problem = platformProblem(process.env) ?? dataDirectoryProblem(options.dataDir);
  if (problem !== null) throw new Error(problem);
  const dataDir = resolve(options.dataDir);
  // Before the build writes its first file there.
  restrictAccess(dataDir);
  if (options.fresh) clearDataDirectory(dataDir);

  const started = performance.now();
  const elapsed = (): string => `${((performance.now() - started) / 1_000).toFixed(1)} s`;
  const assembly = await localAssembly(stackSettings(options), () =>
    print('Building the functions and the stack. This is needed after a change of the sources …'),
  );
  const runtime = await startRuntime({
    ...assembly,
    dataDir,
    port: options.port,
    environment: environmentOf(options),
    log: print,
  });

  const stopping = new AbortController();
  const stop = async (signal: NodeJS.Signals): Promise<void> => {
    if (stopping.signal.aborted) return;
    stopping.abort();
    print(`\n${signal}: waiting for running work to finish …`);
    await runtime.stop();
    print('Stopped.');
    process.exit(0);
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);

  const credentials = await prepareDemo(runtime, dataDir);
  // Node otherwise writes the cache of compiled code when the process ends, and never if it is killed.
  flushCompileCache();
  print(`Started in ${elapsed()}

  Console        ${runtime.baseUrl}/console
  Service        ${runtime.baseUrl}
  Reference      ${runtime.baseUrl}/docs
  Credentials    ${join(options.dataDir, 'credentials.json')}
`);
  print('Ready. Press Ctrl-C to stop. The data is kept for the next start.');
  const isNew =
    options.sample && (await loadSampleInBackground(credentials, dataDir, stopping.signal, options));
  // Anomalies and the model of the sample then appear at once, not at the next run of the schedule.
  if (isNew)
    runtime.runSchedule('WorkersJobs').catch((error) => print(`Not evaluated yet: ${String(error)}`));
  if (!stopping.signal.aborted) print(nextSteps(credentials.base_url, join(dataDir, 'credentials.json')));
};

/** The service answers meanwhile. A failed load does not end it. */
const loadSampleInBackground = async (
  credentials: Credentials,
  dataDir: string,
  stop: AbortSignal,
  { clockOffset = 0 }: Pick<Options, 'clockOffset'>,
): Promise<boolean> => {
  const now = () => Date.now() + clockOffset * 1_000;
  try {
    return await loadSampleOnce({
      credentials,
      dataDir,
      print,
      progress: sampleProgress(process.stdout),
      stop,
      now,
    });
  } catch (error) {
    if (!stop.aborted)
      print(`The sample is not loaded. The next start continues it. Cause: ${String(error)}`);
    return false;
  }
};

/** Runs the command line of `npm start`. Prints what is wrong and ends the process if the service cannot start. */
export const runStartCommand = async (args: string[]): Promise<void> => {
  try {
    const options = readOptions(args, process.env);
    if (options.help) print(USAGE);
    else await start(options);
  } catch (error) {
    console.error(
      error instanceof z.ZodError ? z.prettifyError(error) : error instanceof Error ? error.message : error,
    );
    process.exit(1);
  }
};
