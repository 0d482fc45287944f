import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTick } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { LocalFunction, type LocalFunctionOptions } from '../../../local/lambda/localFunction.ts';
import { readersOf } from '../../../local/lambda/priority.ts';

const SOURCE = `
import { existsSync, readlinkSync } from 'node:fs';
import { getPriority } from 'node:os';
const value = await Promise.resolve('loaded');
let calls = 0;
export const handler = async (event) => {
  calls += 1;
  if (event.throws) throw new TypeError('wrong');
  if (event.rejects) Promise.reject(new Error('later'));
  if (event.hangs || event.rejects) await new Promise((resolve) => setTimeout(resolve, 60_000));
  // A thread without a core: it neither computes nor waits for anything.
  if (event.starves) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, event.starves);
  if (event.computes) for (;;);
  if (event.large) return 'x'.repeat(7_000_000);
  if (event.nothing) return;
  if (event.priority) {
    const thread = '/proc/thread-self';
    return existsSync(thread) ? getPriority(Number(readlinkSync(thread).split('/').at(-1))) : null;
  }
  return { value, calls };
};
`;

let directory: string;
let functions: LocalFunction[];

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'function-'));
  writeFileSync(join(directory, 'index.mjs'), SOURCE);
  writeFileSync(join(directory, 'broken.mjs'), "throw new Error('cannot load')");
  functions = [];
});

afterEach(async () => {
  await Promise.all(functions.map((localFunction) => localFunction.stop()));
  rmSync(directory, { recursive: true });
});

function createFunction(
  change: {
    file?: string;
    exportName?: string;
    timeoutMs?: number;
    reserved?: number;
    idle?: LocalFunctionOptions['idle'];
    yields?: boolean;
  } = {},
) {
  const declaration = {
    logicalId: 'It',
    name: 'it',
    arn: 'arn:it',
    file: join(directory, change.file ?? 'index.mjs'),
    exportName: change.exportName ?? 'handler',
    timeoutMs: change.timeoutMs ?? 5000,
    memoryMiB: 128,
    reserved: change.reserved,
    variables: {},
    role: 'arn:aws:iam::000000000000:role/Role',
  };
  const localFunction = new LocalFunction({
    declaration,
    variables: {},
    concurrency: 2,
    print: () => {},
    meter: undefined,
    yields: change.yields ?? false,
    ...(change.idle !== undefined && { idle: change.idle }),
  });
  functions.push(localFunction);
  return localFunction;
}

const invoke = async (localFunction: LocalFunction, event: object = {}) => {
  const result = await localFunction.invoke(JSON.stringify(event));
  return result.ok ? JSON.parse(result.payload) : result.error.errorType;
};

test('functions that answer reads yield to those that record', () => {
  const routes = ['POST /v1/invocations record', 'GET /v1/usage read', 'POST /v1/budgets read'].map(
    (text) => {
      const [method, path, functionArn = ''] = text.split(' ');
      return { routeKey: `${method} ${path}`, functionArn, timeoutMs: 1 };
    },
  );

  expect([...readersOf({ routes })]).toEqual(['read']);
});

describe('a local function', () => {
  test('loads a module with top-level await and keeps its state between calls', async () => {
    const localFunction = createFunction();
    expect(await invoke(localFunction)).toEqual({ value: 'loaded', calls: 1 });
    expect(await invoke(localFunction)).toEqual({ value: 'loaded', calls: 2 });
  });

  test('leaves the cores to others on Linux if it yields, and only its own thread does', async () => {
    const reader = await invoke(createFunction({ yields: true }), { priority: true });
    const worker = await invoke(createFunction(), { priority: true });

    expect([reader, worker]).toEqual(process.platform === 'linux' ? [10, 0] : [null, null]);
  });

  test('returns null when the handler returns nothing', async () => {
    expect(await invoke(createFunction(), { nothing: true })).toBeNull();
  });

  test.each([
    ['TypeError', { throws: true }, {}],
    ['Runtime.UnhandledError', { rejects: true }, {}],
    ['Function.ResponseSizeTooLarge', { large: true }, {}],
    ['Sandbox.Timedout', { hangs: true }, { timeoutMs: 50 }],
    ['Sandbox.Timedout', { computes: true }, { timeoutMs: 50 }],
    ['Runtime.HandlerNotFound', {}, { exportName: 'gone' }],
    ['Error', {}, { file: 'broken.mjs' }],
  ])('fails with the Lambda error %s for %j', async (errorType, event, change) => {
    expect(await invoke(createFunction(change), event)).toBe(errorType);
  });

  test('has its whole time also when its thread gets no core for longer', async () => {
    const localFunction = createFunction({ timeoutMs: 200 });

    expect(await invoke(localFunction, { starves: 500 })).toMatchObject({ calls: 1 });
  });

  test('refuses an event above 6 MB', async () => {
    expect(await invoke(createFunction(), { text: 'a'.repeat(6 * 1024 * 1024) })).toBe(
      'RequestTooLargeException',
    );
  });

  test('keeps its environment after a handler error, and replaces it after a timeout', async () => {
    const localFunction = createFunction({ timeoutMs: 200 });
    await invoke(localFunction, { throws: true });
    expect(await invoke(localFunction)).toMatchObject({ calls: 2 });
    await invoke(localFunction, { hangs: true });
    expect(await invoke(localFunction)).toMatchObject({ calls: 1 });
  });

  test('fails the invocation whose environment is killed, and starts another for the next call', async () => {
    const localFunction = createFunction();
    await invoke(localFunction);
    const hanging = invoke(localFunction, { hangs: true });
    await nextTick();

    expect(localFunction.kill()).toBe(1);
    expect(await hanging).toBe('Runtime.ExitError');
    expect(localFunction.kill()).toBe(0);
    expect(await invoke(localFunction)).toMatchObject({ calls: 1 });
  });

  test('stops an environment that is not used, and starts another for the next call', async () => {
    const localFunction = createFunction({ idle: { lastMs: 50, surplusMs: 50 } });
    await invoke(localFunction);

    await expect.poll(() => invoke(localFunction), { interval: 500 }).toMatchObject({ calls: 1 });
  });

  test('stops a second unused environment before the last one', async () => {
    const localFunction = createFunction({ idle: { lastMs: 60_000, surplusMs: 50 } });
    const invokeTwoAtOnce = async () => {
      const results = await Promise.all([invoke(localFunction), invoke(localFunction)]);
      return results.map(({ calls }) => calls).sort((one, other) => one - other);
    };
    await invokeTwoAtOnce();

    await expect
      .poll(invokeTwoAtOnce, { interval: 500 })
      .toEqual([1, expect.toSatisfy((calls) => calls > 1)]);
  });

  test('keeps an environment that is in use longer than the idle limit', async () => {
    const localFunction = createFunction({ idle: { lastMs: 50, surplusMs: 50 }, timeoutMs: 500 });

    expect(await invoke(localFunction, { hangs: true })).toBe('Sandbox.Timedout');
  });

  test('runs one call at a time when the template reserves one environment', async () => {
    const localFunction = createFunction({ reserved: 1 });
    const results = await Promise.all([1, 2, 3].map(() => invoke(localFunction)));
    expect(results.map(({ calls }) => calls)).toEqual([1, 2, 3]);
  });

  test('fails running, waiting and later calls when it is stopped', async () => {
    const localFunction = createFunction({ reserved: 1 });
    await invoke(localFunction);
    const pending = [invoke(localFunction, { hangs: true }), invoke(localFunction, { hangs: true })];
    await nextTick();
    await localFunction.stop();
    expect(await Promise.all(pending)).toEqual(['Runtime.ExitError', 'Runtime.Stopped']);
    expect(await invoke(localFunction)).toBe('Runtime.Stopped');
  });
});
