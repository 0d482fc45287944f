import type { ArchiveObjects } from '../../../functions/ledger/archive/archiveObjects.store.ts';

/** An in-memory bucket. A fault makes one call fail, before or after it takes effect. Calls count from when it is armed. */
export const simulatedObjects = () => {
  const stored = new Map<string, Uint8Array>();
  let calls = 0;
  let armed: { readonly call: number; readonly moment: 'before' | 'after' } | undefined;

  const withFault = <Result>(effect: () => Result): Promise<Result> => {
    const moment = armed?.call === calls ? armed.moment : undefined;
    calls += 1;
    if (moment === 'before') return Promise.reject(new Error('the bucket does not respond'));
    const result = effect();
    return moment === 'after'
      ? Promise.reject(new Error('the bucket does not respond'))
      : Promise.resolve(result);
  };

  const objects: ArchiveObjects = {
    put: (key, body) => withFault(() => void stored.set(key, Uint8Array.from(Buffer.from(body)))),
    get: (key) => withFault(() => stored.get(key) ?? null),
    getRange: (key, start, end) => withFault(() => stored.get(key)?.slice(start, end) ?? null),
    list: (prefix) => withFault(() => [...stored.keys()].filter((key) => key.startsWith(prefix)).sort()),
    delete: (keys) =>
      withFault(() => {
        for (const key of keys) stored.delete(key);
      }),
  };
  return {
    objects,
    /** The objects by key. */
    stored,
    calls: () => calls,
    arm: (fault: typeof armed) => {
      [armed, calls] = [fault, 0];
    },
  };
};
