import { InvocationEvent } from '../../../schemas/ingestion/invocationEvent.ts';
import type { FieldError } from '../../../schemas/problems.ts';
import { fieldErrors } from '../../platform/http/inputErrors.ts';
import { validateEventTimes } from './eventTimes.ts';

/** A valid event, or why it is invalid. */
export type CheckedEvent =
  | { readonly event: InvocationEvent; readonly errors: null }
  | { readonly event: null; readonly errors: readonly FieldError[] };

/** Checks one event of a batch against the schema and the accepted range of times. `now` is in epoch milliseconds. */
export const checkEvent = (sent: unknown, now: number): CheckedEvent => {
  const { data: event, error } = InvocationEvent.safeParse(sent);
  if (error !== undefined) return { event: null, errors: fieldErrors(error) };
  const errors = validateEventTimes(event, now);
  return errors.length > 0 ? { event: null, errors } : { event, errors: null };
};
