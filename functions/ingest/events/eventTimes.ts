import { MINUTE_MS } from '../../../schemas/durations.ts';
import type { FieldError } from '../../../schemas/fieldError.ts';
import { AGE_MONTHS_MAXIMUM } from '../../../schemas/ingest/eventAge.ts';
import type { InvocationEvent } from '../../../schemas/ingest/invocationEvent.ts';

/** Tolerance for producer clocks that are ahead. */
const MAX_AHEAD_MS = 10 * MINUTE_MS;
/** No provider sold inference calls before. An earlier time comes from a clock that was never set, or from another unit. */
const FIRST_CALLS = Date.parse('2020-01-01T00:00:00Z');

/** When the call was made, epoch milliseconds. Falls back to the ingestion timestamp. */
export const occurredAtOf = (event: InvocationEvent): number =>
  Date.parse(event.occurred_at ?? event.ingestion_timestamp);

const earliest = (now: number): number => {
  const date = new Date(now);
  return date.setUTCMonth(date.getUTCMonth() - AGE_MONTHS_MAXIMUM);
};

/** The error of a time more than 10 minutes ahead of `now` (epoch milliseconds). */
export const aheadErrors = (pointer: string, text: string | undefined, now: number): FieldError[] =>
  text !== undefined && Date.parse(text) > now + MAX_AHEAD_MS
    ? [{ pointer, detail: 'must not be more than 10 minutes ahead' }]
    : [];

const MEMBERS = ['ingestion_timestamp', 'occurred_at'] as const;

const isPlausible = (text: string, now: number): boolean => {
  const at = Date.parse(text);
  return at >= FIRST_CALLS && at <= now + MAX_AHEAD_MS;
};

/**
 * The event with its arrival in place of times that no clock can show: more than 10 minutes ahead of `now` (epoch
 * milliseconds), or before there were such calls. `reported_time` keeps the time of the call that was replaced.
 */
export const withPlausibleTimes = (
  event: InvocationEvent,
  now: number,
): { readonly event: InvocationEvent; readonly warnings: readonly FieldError[] } => {
  const replaced = MEMBERS.filter((member) => !isPlausible(event[member] ?? event.ingestion_timestamp, now));
  if (replaced.length === 0) return { event, warnings: [] };
  const arrival = new Date(now).toISOString();
  return {
    event: {
      ...event,
      ...Object.fromEntries(replaced.map((member) => [member, arrival])),
      ...(replaced.includes('occurred_at') && {
        reported_time: event.occurred_at ?? event.ingestion_timestamp,
      }),
    },
    warnings: replaced
      .filter((member) => event[member] !== undefined)
      .map((member) => ({
        pointer: `/${member}`,
        detail: 'must be neither more than 10 minutes ahead nor before 2020. The time of arrival was used',
      })),
  };
};

/**
 * Errors for event times more than 13 months before `now` (epoch milliseconds). The cost of such a call belongs to a month
 * that is closed, so no other time can stand for it.
 */
export const validateEventTimes = (event: InvocationEvent, now: number): FieldError[] =>
  MEMBERS.flatMap((member) => {
    const text = event[member];
    return text === undefined || Date.parse(text) >= earliest(now)
      ? []
      : [{ pointer: `/${member}`, detail: `must not be more than ${AGE_MONTHS_MAXIMUM} months old` }];
  });
