import { MINUTE_MS } from '../../../schemas/durations.ts';
import type { InvocationEvent } from '../../../schemas/ingestion/invocationEvent.ts';
import type { FieldError } from '../../../schemas/problems.ts';

/** Oldest accepted time: 13 months, in calendar months. */
const MONTHS_BACK = 13;
/** Tolerance for producer clocks that are ahead. */
const MAX_AHEAD_MS = 10 * MINUTE_MS;

/** When the call was made, epoch milliseconds. Falls back to the ingestion timestamp. */
export const occurredAtOf = (event: InvocationEvent): number =>
  Date.parse(event.occurred_at ?? event.ingestion_timestamp);

const earliest = (now: number): number => {
  const date = new Date(now);
  return date.setUTCMonth(date.getUTCMonth() - MONTHS_BACK);
};

/** The error of a time more than 10 minutes ahead of `now` (epoch milliseconds). */
export const aheadErrors = (pointer: string, text: string | undefined, now: number): FieldError[] =>
  text !== undefined && Date.parse(text) > now + MAX_AHEAD_MS
    ? [{ pointer, detail: 'must not be more than 10 minutes ahead' }]
    : [];

/** Errors for event times more than 13 months old or more than 10 minutes ahead of `now` (epoch milliseconds). */
export const validateEventTimes = (event: InvocationEvent, now: number): FieldError[] =>
  (['ingestion_timestamp', 'occurred_at'] as const).flatMap((member) => {
    const text = event[member];
    if (text === undefined) return [];
    if (Date.parse(text) < earliest(now)) {
      return [{ pointer: `/${member}`, detail: `must not be more than ${MONTHS_BACK} months old` }];
    }
    return aheadErrors(`/${member}`, text, now);
  });
