import { HOUR_MS } from '../../../../schemas/durations.ts';
import type { InvocationEvent } from '../../../../schemas/ingest/invocationEvent.ts';
import { startOf } from '../../../ledger/rollups/grain.ts';
import { INCIDENT_CALLS, planIncidents } from './incidents.ts';
import { planCalls, type SampleOptions, toEvents } from './traffic.ts';

/** By then a day has calls of more persons than k-anonymity needs. */
const FIRST_HOURS = 4;

/**
 * The end of the calls for a data set that is made at `now`, both epoch milliseconds. In the first hours of a day it is the
 * start of the day: a day with calls of a few persons is counted with the day before, and the detector skips both.
 */
const endOf = (now: number): number => {
  const day = startOf('day', now);
  return now - day < FIRST_HOURS * HOUR_MS ? day : now;
};

/**
 * The data set of the fictional company: its usual traffic and, as part of the same number of events, its incidents. Pure,
 * in time order, and with the same events for every `end`, as `sampleTraffic`.
 */
export const sampleDataSet = ({
  seed,
  events,
  end: now,
  days,
}: SampleOptions): Generator<InvocationEvent> => {
  const end = endOf(now.getTime());
  const usual = planCalls({ seed, events: events - INCIDENT_CALLS, end: new Date(end), days });
  return toEvents([...usual, ...planIncidents(seed, now.getTime(), usual.length)], end);
};
