import type { Worker } from 'node:worker_threads';

/** A starved thread gets its next core after some milliseconds, so checking more often shows nothing new. */
const CHECK_MS = 100;
const NOT_BEGUN = { user: 0, system: 0 };

/** What a thread computed, and waited for anything but a core, in milliseconds. */
export const ownTimeMs = async (thread: Pick<Worker, 'cpuUsage' | 'performance'>): Promise<number> => {
  const { user, system } = await thread.cpuUsage().catch(() => NOT_BEGUN);
  return thread.performance.eventLoopUtilization().idle + (user + system) / 1_000;
};

/**
 * Calls `end` when a thread has used so much time of its own. On a starved machine the clock goes on while the thread has no
 * core: limited by the clock, a start that takes long is ended and begun again for ever, and a function is ended before it
 * can answer that its time is over. For the same reason a thread that is over its time after a stop of the whole process
 * gets a little more. Returns what cancels the limit.
 */
export const limitOwnTime = (limitMs: number, used: () => Promise<number>, end: () => void): (() => void) => {
  const before = used();
  let isCancelled = false;
  let lastMs: number | undefined;
  let timer = setTimeout(check, limitMs);

  async function check(): Promise<void> {
    const usedMs = (await used()) - (await before);
    if (isCancelled) return;
    if (lastMs === undefined && usedMs >= limitMs) lastMs = usedMs + CHECK_MS;
    const leftMs = (lastMs ?? limitMs) - usedMs;
    if (leftMs <= 0) end();
    else timer = setTimeout(check, Math.max(CHECK_MS, leftMs));
  }
  return () => {
    isCancelled = true;
    clearTimeout(timer);
  };
};
