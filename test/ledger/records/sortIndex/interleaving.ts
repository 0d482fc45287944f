import { AsyncLocalStorage } from 'node:async_hooks';
import { dynamodb } from '../../../../functions/platform/shared/aws/dynamodb.client.ts';

/** A process ends at one of its calls to a table: before the call takes effect, or after it. */
export interface CrashPoint {
  readonly call: number;
  readonly moment: 'before' | 'after';
}

class Crash extends Error {}

interface Process {
  calls: number;
  isDead: boolean;
  readonly crash: CrashPoint | null;
}

/** Two rounds of the event loop: after them every process waits for its next call, or has ended. */
const settle = async (): Promise<void> => {
  for (let round = 0; round < 2; round += 1) await new Promise((resolve) => setImmediate(resolve));
};

/**
 * Runs processes against the real tables, one call at a time. Before each call, `pick` selects which process may continue,
 * from 0 to `count` - 1. So the same picks give the same order of all calls.
 */
export const interleaving = (pick: (count: number) => number) => {
  const current = new AsyncLocalStorage<Process>();
  const waiting: (() => void)[] = [];
  let active = 0;
  let endCall: () => void = () => undefined;
  const name = 'interleaving';

  dynamodb.middlewareStack.add(
    (next) => async (args) => {
      const process = current.getStore();
      if (process === undefined) return next(args);
      await new Promise<void>((resolve) => waiting.push(resolve));
      const isLast = process.crash?.call === process.calls;
      process.calls += 1;
      try {
        if (process.isDead || (isLast && process.crash?.moment === 'before')) throw new Crash();
        const answer = await next(args);
        if (isLast) throw new Crash();
        return answer;
      } catch (error) {
        process.isDead ||= error instanceof Crash;
        throw error;
      } finally {
        endCall();
      }
    },
    { step: 'initialize', name, override: true },
  );

  const processes: Promise<void>[] = [];
  return {
    /** Starts a process. It ends silently when it crashes. */
    start: (run: () => Promise<void>, crash: CrashPoint | null = null): void => {
      active += 1;
      const process = { calls: 0, isDead: false, crash };
      processes.push(
        current
          .run(process, run)
          .catch((error: unknown) => {
            if (!(error instanceof Crash)) throw error;
          })
          .finally(() => {
            active -= 1;
          }),
      );
    },
    /** Runs all processes to their ends. Rejects with the first error that is not a crash. */
    finish: async (): Promise<void> => {
      try {
        for (await settle(); active > 0; await settle()) {
          const [resume] = waiting.splice(pick(waiting.length), 1);
          if (resume === undefined) continue;
          const ended = new Promise<void>((resolve) => {
            endCall = resolve;
          });
          resume();
          await ended;
        }
        await Promise.all(processes);
      } finally {
        dynamodb.middlewareStack.remove(name);
      }
    },
  };
};
