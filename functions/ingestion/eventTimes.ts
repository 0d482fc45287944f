import type { InvocationEvent } from '../../schemas/ingestion/invocationEvent.ts';
import type { FieldError } from '../../schemas/problems.ts';
import { sha256Of } from '../shared/hash.ts';

const MONTHS_BACK = 13;
const AHEAD_MILLISECONDS = 10 * 60 * 1_000;

/** When the call was made, in epoch milliseconds. */
export const occurredAtOf = (event: InvocationEvent): number =>
  Date.parse(event.occurred_at ?? event.ingestion_timestamp);

const earliest = (now: number): number => {
  const date = new Date(now);
  return date.setUTCMonth(date.getUTCMonth() - MONTHS_BACK);
};

/** Faults of an event's times at `now`: over 13 months old or over 10 minutes ahead. */
export const validateEventTimes = (event: InvocationEvent, now: number): FieldError[] =>
  (['ingestion_timestamp', 'occurred_at'] as const).flatMap((member) => {
    const text = event[member];
    if (text === undefined) return [];
    const at = Date.parse(text);
    if (at > now + AHEAD_MILLISECONDS) {
      return [{ pointer: `/${member}`, detail: 'must not be more than 10 minutes ahead' }];
    }
    if (at < earliest(now)) {
      return [{ pointer: `/${member}`, detail: `must not be more than ${MONTHS_BACK} months old` }];
    }
    return [];
  });

/**
 * What makes two sightings of one event id the same event: every member but the times, which a retry may stamp anew.
 * The schema's own order of members makes the spelling canonical.
 */
export const contentHash = (event: InvocationEvent): string => {
  const { ingestion_timestamp: _seen, occurred_at: _made, ...content } = event;
  return sha256Of('event', JSON.stringify(content)).subarray(0, 16).toString('base64url');
};
