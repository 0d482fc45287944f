import { fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import * as z from 'zod';

const Invoked = z.object({
  result: z.unknown(),
  seconds: z.number(),
  /** CPU time of all threads. */
  cpuSeconds: z.number(),
  /** Peak resident memory of the process so far. */
  peakBytes: z.number(),
});
type Invoked = z.infer<typeof Invoked>;

/** A handler that runs in a separate process. */
export interface IsolatedProcess {
  /** Invokes the handler. Call it sequentially. Rejects when the process exits. */
  readonly invoke: (event: object) => Promise<Invoked>;
  /** Peak memory before the first event, in bytes. */
  readonly idleBytes: number;
  readonly stop: () => void;
}

/** Starts the process. `driver` is the bundled `isolatedProcess.child.ts`, `file` the module that exports `handler`. */
export const startIsolatedProcess = async (
  driver: string,
  file: string,
  {
    variables = {},
    memoryMegabytes = 2_048,
  }: { readonly variables?: Record<string, string>; readonly memoryMegabytes?: number } = {},
): Promise<IsolatedProcess> => {
  const child = fork(driver, [file], {
    env: variables,
    execArgv: [`--max-old-space-size=${memoryMegabytes}`],
  });
  const exited = new AbortController();
  child.once('exit', () => exited.abort(new Error(`the process of ${file} exited`)));
  const nextMessage = async (): Promise<Invoked> => {
    const [message] = await once(child, 'message', { signal: exited.signal });
    return Invoked.parse(message);
  };
  const { peakBytes } = await nextMessage();
  return {
    invoke: (event) => {
      const reply = nextMessage();
      child.send({ event, requestId: randomUUID() });
      return reply;
    },
    idleBytes: peakBytes,
    stop: () => {
      child.kill();
    },
  };
};
