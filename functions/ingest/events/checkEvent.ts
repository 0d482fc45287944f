import type { FieldError } from '../../../schemas/fieldError.ts';
import { InvocationEvent } from '../../../schemas/ingest/invocationEvent.ts';
import { fieldErrors, WITH_INPUT } from '../../platform/http/inputErrors.ts';
import { memberAt } from '../../platform/shared/memberAt.ts';
import { type DroppedMembers, findDroppedMembers } from './droppedMembers.ts';
import { validateEventTimes, withPlausibleTimes } from './eventTimes.ts';
import { repairEvent } from './repairEvent.ts';

/** What was sent, and the valid event that it is, or why it is none. */
export type CheckedEvent = { readonly sent: unknown } & (
  | { readonly event: InvocationEvent; readonly dropped: DroppedMembers; readonly errors: null }
  | { readonly event: null; readonly errors: readonly FieldError[] }
);

/** Repeated once: faults between members show only when each member is valid. */
const REPAIRS_MAXIMUM = 2;

/**
 * Checks one event, whatever way it came. Only its required members can make it invalid. Any other value that the schema
 * refuses is repaired or left out, and times that no clock can show are replaced by the arrival, because the call has a cost
 * all the same. `now`: the arrival in epoch milliseconds.
 */
export const checkEvent = (sent: unknown, now: number): CheckedEvent => {
  let parsed = InvocationEvent.safeParse(sent, WITH_INPUT);
  let members = sent;
  const warnings: FieldError[] = [];
  for (let repairs = 0; repairs < REPAIRS_MAXIMUM && parsed.error !== undefined; repairs += 1) {
    if (typeof members !== 'object' || members === null) break;
    const repaired = repairEvent(members, parsed.error);
    members = repaired.event;
    warnings.push(...repaired.warnings);
    parsed = InvocationEvent.safeParse(members, WITH_INPUT);
  }
  // Not of what was repaired: it would not have made the event invalid.
  if (parsed.error !== undefined)
    return { sent, event: null, errors: fieldErrors(parsed.error, InvocationEvent, sent) };
  const timed = withPlausibleTimes(parsed.data, now);
  const { event } = timed;
  const errors = validateEventTimes(event, now);
  if (errors.length > 0) return { sent, event: null, errors };
  return {
    sent,
    event,
    dropped: findDroppedMembers(sent, event, [...warnings, ...timed.warnings]),
    errors: null,
  };
};

/** A fault in one line. */
export const describeFault = ({ pointer = '', parameter, detail }: FieldError): string =>
  `${parameter ?? pointer.slice(1)} ${detail}`.trim();

/** What was changed in accepted events, each thing once. */
export const changesIn = (checked: readonly CheckedEvent[]): readonly string[] => [
  ...new Set(
    checked.flatMap((one) => (one.event === null ? [] : (one.dropped.warnings ?? []).map(describeFault))),
  ),
];

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
