import { DAY_MS, MINUTE_MS } from '../../../schemas/durations.ts';
import type { InvocationEvent } from '../../../schemas/ingest/invocationEvent.ts';
import { LIVE_EVENTS_PER_MINUTE, SAMPLE_DAYS, SAMPLE_EVENTS } from '../../../schemas/tenants/sandbox.ts';
import { toIso } from '../../platform/shared/time/toIso.ts';
import type { LogNormal } from './sample/service.ts';
import { type PlannedCall, planCalls, toEvents } from './sample/traffic.ts';

/** How many times as many calls arrive in a day as the data set has. */
const DENSITY = (LIVE_EVENTS_PER_MINUTE * (DAY_MS / MINUTE_MS) * SAMPLE_DAYS) / SAMPLE_EVENTS;

const shorter = ({ median, sigma }: LogNormal): LogNormal => ({ median: median / DENSITY, sigma });

/** Live calls are short, so that a day of them costs as a day of the data set. Otherwise each day would be an anomaly. */
const shortCall = (call: PlannedCall): PlannedCall => {
  const { input, output } = call.service;
  return { ...call, service: { ...call.service, input: shorter(input), output: shorter(output) } };
};

/**
 * The synthetic calls of the whole minute before `now` (epoch milliseconds), spread over it. Pure: the same minute gives
 * the same event ids, so a repeated run adds nothing.
 */
export const liveTraffic = (now: number): InvocationEvent[] => {
  const minute = Math.floor(now / MINUTE_MS) - 1;
  const start = minute * MINUTE_MS;
  const end = start + MINUTE_MS;
  const calls = planCalls({ seed: minute, events: LIVE_EVENTS_PER_MINUTE, end: new Date(end), days: 1 });
  return [...toEvents(calls.map(shortCall), end)].map((event, index) => {
    const at = toIso(start + Math.floor((index * MINUTE_MS) / LIVE_EVENTS_PER_MINUTE));
    return { ...event, occurred_at: at, ingestion_timestamp: at };
  });
};
