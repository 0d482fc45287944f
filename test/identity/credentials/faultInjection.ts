import { dynamodb } from '../../../functions/platform/shared/aws/dynamodb.client.ts';

const WRITES: ReadonlySet<unknown> = new Set([
  'PutItemCommand',
  'UpdateItemCommand',
  'DeleteItemCommand',
  'TransactWriteItemsCommand',
]);

/** A fault at one write of a process. Writes are counted from the moment the fault is armed. */
export interface Fault {
  readonly write: number;
  /** `before`: the write has no effect. `after`: it takes effect, but its response is lost. */
  readonly moment: 'before' | 'after';
  /**
   * `fails`: only this write fails. `dies`: the process makes no further calls. `sleeps`: the process is suspended until
   * `wake`. `repeats`: the write takes effect, the SDK receives no response and sends it again.
   */
  readonly kind: 'fails' | 'dies' | 'sleeps' | 'repeats';
}

/** The error of the SDK when a table does not respond. */
class NoResponseError extends Error {
  readonly $metadata = {};
}

/** Injects faults into the table client of this process, one at a time. Replaces the faults of an earlier test file. */
export const injectFaults = () => {
  let armed: Fault | undefined;
  let writes = 0;
  let isDead = false;
  let isResponseLost = false;
  let wake: () => void = () => undefined;
  let notifyAsleep: () => void = () => undefined;

  const applyFault = async (kind: Fault['kind']): Promise<void> => {
    armed = undefined;
    if (kind === 'sleeps') {
      notifyAsleep();
      return new Promise((resolve) => {
        wake = resolve;
      });
    }
    isResponseLost = kind === 'repeats';
    if (isResponseLost) return;
    isDead = kind === 'dies';
    throw new NoResponseError();
  };

  dynamodb.middlewareStack.add(
    (next, context) => async (args) => {
      if (isDead) throw new NoResponseError();
      if (!WRITES.has(context['commandName'])) return next(args);
      const fault = armed?.write === writes ? armed : undefined;
      writes += 1;
      if (fault?.moment === 'before') await applyFault(fault.kind);
      const result = await next(args);
      if (fault?.moment === 'after') await applyFault(fault.kind);
      return result;
    },
    { step: 'initialize', name: 'injectFault', priority: 'high', override: true },
  );

  dynamodb.middlewareStack.add(
    (next) => async (args) => {
      const result = await next(args);
      if (!isResponseLost) return result;
      isResponseLost = false;
      throw Object.assign(new NoResponseError('socket hang up'), { $retryable: {} });
    },
    // Inside the retry loop of the SDK.
    { step: 'finalizeRequest', name: 'loseResponse', priority: 'low', override: true },
  );

  return {
    /** Arms a fault. For `sleeps`, the result resolves when the process is suspended. */
    arm: (fault: Fault): Promise<void> => {
      [armed, writes] = [fault, 0];
      return new Promise((resolve) => {
        notifyAsleep = resolve;
      });
    },
    /** Simulates a new process without the fault. */
    restart: () => {
      [armed, isDead] = [undefined, false];
    },
    wake: () => wake(),
    isDead: () => isDead,
    /** Number of writes since the last fault was armed. */
    writes: () => writes,
  };
};
