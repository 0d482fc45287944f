import { InvocationEvent } from '../../../schemas/ingestion/invocationEvent.ts';
import type { FieldError } from '../../../schemas/problems.ts';
import { fieldErrors } from '../../platform/http/inputErrors.ts';
import { memberAt } from '../formats/values.ts';
import { type DroppedMembers, findDroppedMembers } from './droppedMembers.ts';
import { validateEventTimes } from './eventTimes.ts';

/** What was sent, and the valid event that it is, or why it is none. */
export type CheckedEvent = { readonly sent: unknown } & (
  | { readonly event: InvocationEvent; readonly dropped: DroppedMembers; readonly errors: null }
  | { readonly event: null; readonly errors: readonly FieldError[] }
);

/** Checks an event against the schema and the accepted range of times. `now` is in epoch milliseconds. */
export const checkEvent = (sent: unknown, now: number): CheckedEvent => {
  const { data: event, error } = InvocationEvent.safeParse(sent);
  if (error !== undefined) return { sent, event: null, errors: fieldErrors(error) };
  const errors = validateEventTimes(event, now);
  if (errors.length > 0) return { sent, event: null, errors };
  return { sent, event, dropped: findDroppedMembers(sent, event), errors: null };
};

/** The error of an event that names another tenant. The credential alone selects the tenant. */
export const foreignTenantErrors = (sent: unknown, tenantId: string): FieldError[] => {
  const named = memberAt(sent, 'tenant_id');
  return named === undefined || named === tenantId
    ? []
    : [{ pointer: '/tenant_id', detail: 'must be left out or equal the tenant of the credential' }];
};

/** Content members and labels that were dropped from the valid ones of these events. */
export const countDropped = (checked: readonly CheckedEvent[]): number =>
  checked.reduce((sum, one) => sum + (one.event === null ? 0 : one.dropped.scrubbed.length), 0);
