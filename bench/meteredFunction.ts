import { join } from 'node:path';
import { build } from 'esbuild';
import { LocalFunction } from '../local/lambda/localFunction.ts';
import { Meter } from '../local/lambda/meter.ts';
import { variablesOf } from '../local/lambda/variables.ts';
import type { FunctionDeclaration } from '../local/template/functions.ts';
import type { UsageByFunction } from './usage.ts';

/** A function in an environment of its own, as the runtime starts it, with a meter of its own. */
export interface MeteredFunction {
  /** One invocation and how long it took; throws where it fails. */
  readonly invoke: (event: string) => Promise<{ readonly payload: string; readonly milliseconds: number }>;
  /** What its invocations took so far. */
  readonly usage: () => UsageByFunction;
  /**
   * CPU microseconds of an invocation, over one invocation of each event: the time its event loop did not wait, since
   * the invocations come one by one and are too short for the kernel's ticks. Throws unless each is answered 202.
   */
  readonly cpu: (events: readonly string[]) => Promise<number>;
  readonly stop: () => Promise<void>;
}

export const meteredFunction = (declaration: FunctionDeclaration): MeteredFunction => {
  const { logicalId } = declaration;
  const meter = new Meter();
  const lambda = new LocalFunction({
    declaration,
    variables: variablesOf(declaration, {}),
    concurrency: 1,
    print: () => undefined,
    meter,
  });
  const invoke: MeteredFunction['invoke'] = async (event) => {
    const began = performance.now();
    const result = await lambda.invoke(event);
    if (!result.ok) throw new Error(`${logicalId} failed: ${JSON.stringify(result.error).slice(0, 500)}`);
    return { payload: result.payload, milliseconds: performance.now() - began };
  };
  const used = (): number => meter.functions()[logicalId]?.activeMicros ?? 0;
  return {
    invoke,
    usage: () => meter.functions(),
    cpu: async (events) => {
      const before = used();
      for (const event of events) {
        const { payload } = await invoke(event);
        if (!payload.includes('"statusCode":202')) {
          throw new Error(`${logicalId} did not accept: ${payload.slice(0, 500)}`);
        }
      }
      return (used() - before) / events.length;
    },
    stop: () => lambda.stop(),
  };
};

/** Bundles a handler of this folder as the service's own are; resolves to the file. */
export const bundleHandler = async (source: string, folder: string): Promise<string> => {
  const file = join(folder, source, 'index.mjs');
  await build({
    entryPoints: [join(import.meta.dirname, `${source}.ts`)],
    outfile: file,
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    mainFields: ['module', 'main'],
    banner: { js: "import{createRequire}from'node:module';const require=createRequire(import.meta.url);" },
    legalComments: 'none',
    logLevel: 'warning',
  });
  return file;
};
