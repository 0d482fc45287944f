/** Entry of an execution environment: a worker thread that loads one handler and processes one event at a time. */
import { channel } from 'node:diagnostics_channel';
import { pathToFileURL } from 'node:url';
import { parentPort, workerData } from 'node:worker_threads';
import { collectWhenIdle } from '../idleCollection.ts';
import type { TableAccess } from '../limits/tableAccess.ts';
import { enforceCallRules } from './callRules.ts';
import { yieldToOtherThreads } from './priority.ts';
import type {
  AwsCallCounts,
  EnvironmentMessage,
  EnvironmentSettings,
  FunctionError,
  InvokeMessage,
  KeyUnits,
  Usage,
} from './protocol.ts';

type Handler = (event: unknown, context: object) => unknown;

const settings: EnvironmentSettings = workerData;
const send = (message: EnvironmentMessage): void => parentPort?.postMessage(message);

const worked = collectWhenIdle();
if (settings.yields) yieldToOtherThreads();

let calls: AwsCallCounts = {};
let keys: KeyUnits = {};
if (settings.metered) channel('aws.call').subscribe(countAwsCall);
enforceCallRules(
  settings.rules,
  (used) => send({ type: 'permission', used }),
  settings.metersKeys ? countKeyUnits : undefined,
);

try {
  const handler = await loadHandler();
  parentPort?.on('message', (message: InvokeMessage) => run(handler, message));
  send({ type: 'ready' });
} catch (error) {
  send({ type: 'failed', error: toFunctionError(error) });
}

async function loadHandler(): Promise<Handler> {
  const module: Record<string, unknown> = await import(pathToFileURL(settings.file).href);
  const handler = module[settings.exportName];
  if (isHandler(handler)) return handler;
  throw Object.assign(
    new Error(`${settings.file} does not export a handler function named ${settings.exportName}`),
    {
      name: 'Runtime.HandlerNotFound',
    },
  );
}

function isHandler(value: unknown): value is Handler {
  return typeof value === 'function';
}

async function run(handler: Handler, message: InvokeMessage): Promise<void> {
  calls = {};
  keys = {};
  const before = settings.metered
    ? { cpu: process.threadCpuUsage(), loop: performance.eventLoopUtilization() }
    : undefined;
  const usage = (): { usage?: Usage } => {
    if (!before) return {};
    const { user, system } = process.threadCpuUsage(before.cpu);
    const { active } = performance.eventLoopUtilization(before.loop);
    const counted = { calls, cpuMicros: user + system, activeMicros: active * 1_000 };
    return { usage: settings.metersKeys ? { ...counted, keys } : counted };
  };
  try {
    const result = await handler(JSON.parse(message.event), contextOf(message));
    // Lambda returns null if a handler returns nothing.
    send({ type: 'result', payload: JSON.stringify(result) ?? 'null', ...usage() });
  } catch (error) {
    send({ type: 'error', error: toFunctionError(error), ...usage() });
  } finally {
    worked();
  }
}

function contextOf({ requestId, deadline }: InvokeMessage): object {
  return {
    callbackWaitsForEmptyEventLoop: true,
    functionName: settings.functionName,
    functionVersion: '$LATEST',
    invokedFunctionArn: settings.functionArn,
    memoryLimitInMB: String(settings.memoryMiB),
    awsRequestId: requestId,
    logGroupName: `/aws/lambda/${settings.functionName}`,
    logStreamName: 'local',
    getRemainingTimeInMillis: () => Math.max(0, deadline - Date.now()),
  };
}

function toFunctionError(error: unknown): FunctionError {
  if (!(error instanceof Error)) return { errorType: typeof error, errorMessage: String(error), trace: [] };
  return { errorType: error.name, errorMessage: error.message, trace: error.stack?.split('\n') ?? [] };
}

function countKeyUnits({ access, table, key = '' }: TableAccess, units: number): void {
  const name = `${access} ${table} ${key}`;
  keys[name] = (keys[name] ?? 0) + units;
}

/** Counts one AWS call. The AWS clients publish it as `{ service, operation, capacity? }`. */
function countAwsCall(call: unknown): void {
  if (typeof call !== 'object' || call === null || !('service' in call) || !('operation' in call)) return;
  const name = `${call.service} ${call.operation}`;
  const total = calls[name] ?? { calls: 0, capacity: 0 };
  total.calls += 1;
  if ('capacity' in call && typeof call.capacity === 'number') total.capacity += call.capacity;
  calls[name] = total;
}
