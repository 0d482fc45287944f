import { dynamodb } from '../../functions/shared/aws/dynamodb.client.ts';

const WRITES: ReadonlySet<unknown> = new Set([
  'PutItemCommand',
  'UpdateItemCommand',
  'DeleteItemCommand',
  'TransactWriteItemsCommand',
]);

/** What happens at one write of a process, counted from the moment the fault is armed. */
export interface Fault {
  readonly write: number;
  /** The write never takes effect, or takes effect and is never acknowledged. */
  readonly moment: 'before' | 'after';
  /**
   * This write alone fails; the process does nothing from here on; it stands still until it is woken; or the SDK, which
   * heard nothing of a write that took effect, sends it again.
   */
  readonly kind: 'fails' | 'dies' | 'sleeps' | 'repeats';
}

/** As the SDK throws when a table does not answer. */
class NoAnswerError extends Error {
  readonly $metadata = {};
}

/** Lets the table client of this process meet faults, one at a time. */
export const injectFaults = () => {
  let armed: Fault | undefined;
  let writes = 0;
  let isDead = false;
  let isUnheard = false;
  let wake: () => void = () => undefined;
  let fellAsleep: () => void = () => undefined;

  const strike = async (kind: Fault['kind']): Promise<void> => {
    armed = undefined;
    if (kind === 'sleeps') {
      fellAsleep();
      return new Promise((resolve) => {
        wake = resolve;
      });
    }
    isUnheard = kind === 'repeats';
    if (isUnheard) return;
    isDead = kind === 'dies';
    throw new NoAnswerError();
  };

  dynamodb.middlewareStack.add(
    (next, context) => async (args) => {
      if (isDead) throw new NoAnswerError();
      if (!WRITES.has(context['commandName'])) return next(args);
      const fault = armed?.write === writes ? armed : undefined;
      writes += 1;
      if (fault?.moment === 'before') await strike(fault.kind);
      const result = await next(args);
      if (fault?.moment === 'after') await strike(fault.kind);
      return result;
    },
    { step: 'initialize', name: 'meetFault', priority: 'high' },
  );

  dynamodb.middlewareStack.add(
    (next) => async (args) => {
      const result = await next(args);
      if (!isUnheard) return result;
      isUnheard = false;
      throw Object.assign(new NoAnswerError('socket hang up'), { $retryable: {} });
    },
    // Within the SDK's own retry.
    { step: 'finalizeRequest', name: 'loseAnswer', priority: 'low' },
  );

  return {
    /** Resolves when the process sleeps, if that is what the fault does. */
    arm: (fault: Fault): Promise<void> => {
      [armed, writes] = [fault, 0];
      return new Promise((resolve) => {
        fellAsleep = resolve;
      });
    },
    /** A new process, without the fault. */
    restart: () => {
      [armed, isDead] = [undefined, false];
    },
    wake: () => wake(),
    /** Writes since the last fault was armed. */
    writes: () => writes,
  };
};
