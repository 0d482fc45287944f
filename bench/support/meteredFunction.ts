import { basename, join } from 'node:path';
import { build } from 'esbuild';
import { LocalFunction } from '../../local/lambda/localFunction.ts';
import { Meter } from '../../local/lambda/meter.ts';
import { variablesOf } from '../../local/lambda/variables.ts';
import type { FunctionDeclaration } from '../../local/template/functions.ts';
import type { UsageByFunction } from './usage.ts';

/** A Lambda function in its own execution environment, as the runtime starts it, with its own usage meter. */
export interface MeteredFunction {
  /** Invokes the function and measures the duration. Throws when the invocation fails. */
  readonly invoke: (event: string) => Promise<{ readonly payload: string; readonly milliseconds: number }>;
  /** Usage of all invocations so far. */
  readonly usage: () => UsageByFunction;
  /**
   * Mean CPU microseconds per invocation, over one sequential invocation of each event. Measures the active time of the
   * event loop, because invocations are too short for the kernel's clock ticks. Throws unless each response is 202.
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
    const startedAt = performance.now();
    const result = await lambda.invoke(event);
    if (!result.ok) throw new Error(`${logicalId} failed: ${JSON.stringify(result.error).slice(0, 500)}`);
    return { payload: result.payload, milliseconds: performance.now() - startedAt };
  };
  const activeMicros = (): number => meter.functions()[logicalId]?.activeMicros ?? 0;
  return {
    invoke,
    usage: () => meter.functions(),
    cpu: async (events) => {
      const before = activeMicros();
      for (const event of events) {
        const { payload } = await invoke(event);
        if (!payload.includes('"statusCode":202')) {
          throw new Error(`${logicalId} did not answer 202: ${payload.slice(0, 500)}`);
        }
      }
      return (activeMicros() - before) / events.length;
    },
    stop: () => lambda.stop(),
  };
};

/** Bundles a handler with the build options of the service. Resolves to the bundle file. */
export const bundleHandler = async (source: string, folder: string): Promise<string> => {
  const file = join(folder, basename(source, '.ts'), 'index.mjs');
  await build({
    entryPoints: [source],
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
