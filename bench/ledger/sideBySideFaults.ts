import { setTimeout as sleep } from 'node:timers/promises';
import { utcDateOf } from '../../functions/platform/shared/time/toIso.ts';
import type { Runtime } from '../../local/runtime.ts';
import { readViews } from '../../test/support/views.ts';
import { request, type TimedResponse } from '../support/traffic.ts';

const FIRST_KILL_MS = 3_000;
const KILL_EVERY_MS = 10_000;
const RETRY_PAUSE_MS = 250;
/** More attempts than kills can interrupt. A request that is wrong fails after them. */
const ATTEMPTS = 20;
const DAY_MS = 24 * 60 * 60 * 1_000;

/** Sends a request again while functions are killed. Events have ids, so a repetition records none twice. */
export const requestDespiteKills = async (...sent: Parameters<typeof request>): Promise<TimedResponse> => {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await request(...sent);
    } catch (error) {
      if (attempt === ATTEMPTS) throw error;
      await sleep(RETRY_PAUSE_MS);
    }
  }
};

/** Kills all functions that process an event, again and again while `isRunning`. Resolves to their number. */
export const killFunctions = async (runtime: Runtime, isRunning: () => boolean): Promise<number> => {
  let kills = 0;
  for (let next = performance.now() + FIRST_KILL_MS; isRunning(); await sleep(RETRY_PAUSE_MS)) {
    if (performance.now() < next) continue;
    kills += runtime.killFunctions();
    next = performance.now() + KILL_EVERY_MS;
  }
  return kills;
};

/** The views of the calls of a tenant that differ from its list of records. Empty if all agree to the last digit. */
export const differingViews = async (baseUrl: string, key: string): Promise<string[]> => {
  const views = await readViews({
    baseUrl,
    key,
    from: utcDateOf(Date.now() - 70 * DAY_MS),
    to: utcDateOf(Date.now() + DAY_MS),
  });
  const [records, ...others] = Object.entries(views);
  return others
    .filter(([, view]) => JSON.stringify(view) !== JSON.stringify(records?.[1]))
    .map(([name]) => name);
};
