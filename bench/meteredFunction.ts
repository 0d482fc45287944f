import { join } from 'node:path';
import { build } from 'esbuild';
import { LocalFunction } from '../local/lambda/localFunction.ts';
import { Meter } from '../local/lambda/meter.ts';
import { variablesOf } from '../local/lambda/variables.ts';
import type { FunctionDeclaration } from '../local/template/functions.ts';

/** A function in an environment of its own, as the runtime starts it, with a meter of its own. */
export interface MeteredFunction {
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
  const used = (): number => meter.functions()[logicalId]?.activeMicros ?? 0;
  return {
    cpu: async (events) => {
      const before = used();
      for (const event of events) {
        const result = await lambda.invoke(event);
        if (!result.ok || !result.payload.includes('"statusCode":202')) {
          throw new Error(`${logicalId} did not accept: ${JSON.stringify(result).slice(0, 500)}`);
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
