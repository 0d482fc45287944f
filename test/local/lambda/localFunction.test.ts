import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as handedOver } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { LocalFunction } from '../../../local/lambda/localFunction.ts';

// Engines start in these tests; a busy machine may take its time.
vi.setConfig({ testTimeout: 30_000, hookTimeout: 30_000 });

const SOURCE = `
const value = await Promise.resolve('loaded');
let calls = 0;
export const handler = async (event) => {
  calls += 1;
  if (event.throws) throw new TypeError('wrong');
  if (event.rejects) Promise.reject(new Error('later'));
  if (event.hangs || event.rejects) await new Promise((resolve) => setTimeout(resolve, 60_000));
  if (event.large) return 'x'.repeat(7_000_000);
  if (event.nothing) return;
  return { value, calls };
};
`;

let directory: string;
let made: LocalFunction[];

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'function-'));
  writeFileSync(join(directory, 'index.mjs'), SOURCE);
  writeFileSync(join(directory, 'broken.mjs'), "throw new Error('cannot load')");
  made = [];
});

afterEach(async () => {
  await Promise.all(made.map((one) => one.stop()));
  rmSync(directory, { recursive: true });
});

function make(change: { file?: string; exportName?: string; timeoutMs?: number; reserved?: number } = {}) {
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
  };
  const one = new LocalFunction({
    declaration,
    variables: {},
    concurrency: 2,
    print: () => {},
    meter: undefined,
  });
  made.push(one);
  return one;
}

const invoke = async (one: LocalFunction, event: object = {}) => {
  const result = await one.invoke(JSON.stringify(event));
  return result.ok ? JSON.parse(result.payload) : result.error.errorType;
};

describe('a local function', () => {
  test('loads a module with top-level await and keeps its state between calls', async () => {
    const one = make();
    expect(await invoke(one)).toEqual({ value: 'loaded', calls: 1 });
    expect(await invoke(one)).toEqual({ value: 'loaded', calls: 2 });
  });

  test('answers null for a handler that returns nothing', async () => {
    expect(await invoke(make(), { nothing: true })).toBeNull();
  });

  test.each([
    ['TypeError', { throws: true }, {}],
    ['Runtime.UnhandledError', { rejects: true }, {}],
    ['Function.ResponseSizeTooLarge', { large: true }, {}],
    ['Sandbox.Timedout', { hangs: true }, { timeoutMs: 50 }],
    ['Runtime.HandlerNotFound', {}, { exportName: 'gone' }],
    ['Error', {}, { file: 'broken.mjs' }],
  ])('fails with %s, as Lambda would, for %j', async (errorType, event, change) => {
    expect(await invoke(make(change), event)).toBe(errorType);
  });

  test('keeps its environment after an error the handler threw, and replaces it after a time-out', async () => {
    const one = make({ timeoutMs: 200 });
    await invoke(one, { throws: true });
    expect(await invoke(one)).toMatchObject({ calls: 2 });
    await invoke(one, { hangs: true });
    expect(await invoke(one)).toMatchObject({ calls: 1 });
  });

  test('runs one call at a time where the template reserves one environment', async () => {
    const one = make({ reserved: 1 });
    const results = await Promise.all([1, 2, 3].map(() => invoke(one)));
    expect(results.map(({ calls }) => calls)).toEqual([1, 2, 3]);
  });

  test('fails what runs and what waits when it is stopped, and starts nothing anew', async () => {
    const one = make({ reserved: 1 });
    await invoke(one);
    const pending = [invoke(one, { hangs: true }), invoke(one, { hangs: true })];
    await handedOver();
    await one.stop();
    expect(await Promise.all(pending)).toEqual(['Runtime.ExitError', 'Runtime.Stopped']);
    expect(await invoke(one)).toBe('Runtime.Stopped');
  });
});
