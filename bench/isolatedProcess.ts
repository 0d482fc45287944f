import { fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import * as z from 'zod';

const Invoked = z.object({
  answer: z.unknown(),
  seconds: z.number(),
  /** Of all its threads. */
  cpuSeconds: z.number(),
  /** The most memory the process has held so far. */
  peakBytes: z.number(),
});
type Invoked = z.infer<typeof Invoked>;

/** A handler in a process of its own. */
export interface IsolatedProcess {
  /** One event after the other; throws where the process ends. */
  readonly invoke: (event: object) => Promise<Invoked>;
  /** What the process held before its first event, bytes. */
  readonly idleBytes: number;
  readonly stop: () => void;
}

/** Starts it: `driver` is the bundled `ownProcess.child.ts`, `file` the module that exports `handler`. */
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
  const ended = new AbortController();
  child.once('exit', () => ended.abort(new Error(`the process of ${file} ended`)));
  const answer = async (): Promise<Invoked> => {
    const [message] = await once(child, 'message', { signal: ended.signal });
    return Invoked.parse(message);
  };
  const { peakBytes } = await answer();
  return {
    invoke: (event) => {
      const answered = answer();
      child.send({ event, requestId: randomUUID() });
      return answered;
    },
    idleBytes: peakBytes,
    stop: () => {
      child.kill();
    },
  };
};
