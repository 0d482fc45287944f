import { setTimeout as delay } from 'node:timers/promises';

/** Resolves after `milliseconds`, or as soon as the signal is aborted. Never rejects. */
export type Wait = (milliseconds: number, signal?: AbortSignal) => Promise<void>;

export const wait: Wait = async (milliseconds, signal) => {
  await delay(milliseconds, undefined, signal === undefined ? {} : { signal }).catch(() => undefined);
};
