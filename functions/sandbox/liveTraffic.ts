import type { InvocationEvent } from '../../schemas/ingestion/invocationEvent.ts';
import { LIVE_EVENTS_PER_MINUTE } from '../../schemas/sandbox.ts';
import { toIso } from '../shared/time/toIso.ts';
import { sampleTraffic } from './sample/traffic.ts';

const MINUTE_MS = 60_000;

/**
 * The synthetic calls of the whole minute before `now` (epoch milliseconds), spread over it. Pure: the same minute gives
 * the same event ids, so a repeated run adds nothing.
 */
export const liveTraffic = (now: number): InvocationEvent[] => {
  const minute = Math.floor(now / MINUTE_MS) - 1;
  const start = minute * MINUTE_MS;
  const calls = sampleTraffic({
    seed: minute,
    events: LIVE_EVENTS_PER_MINUTE,
    end: new Date(start + MINUTE_MS),
    days: 1,
  });
  return [...calls].map((event, index) => {
    const at = toIso(start + Math.floor((index * MINUTE_MS) / LIVE_EVENTS_PER_MINUTE));
    return { ...event, occurred_at: at, ingestion_timestamp: at };
  });
};
