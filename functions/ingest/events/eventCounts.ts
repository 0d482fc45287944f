import type { FieldError } from '../../../schemas/fieldError.ts';
import { INVOCATION_EVENT_FIELDS } from '../../../schemas/ingest/invocationEvent.ts';
import { EVENT_FAULT, type FaultOutcome } from '../../../schemas/tenants/counters.ts';
import { memberAt } from '../../platform/shared/memberAt.ts';
import type { Counts } from './acceptedMessage.ts';
import { type CheckedEvent, countDropped } from './checkEvent.ts';

/** Any path of content, and what is no member of an event. Names that a sender chose are not stored. */
const CONTENT = 'content';
const WHOLE_EVENT = 'event';

const memberOf = ({ pointer = '' }: FieldError): string => {
  const name = pointer.split('/', 2)[1] ?? '';
  return INVOCATION_EVENT_FIELDS.has(name) ? name : WHOLE_EVENT;
};

/** What was wrong with an event, each member once. */
const faultsIn = (one: CheckedEvent): ReadonlyMap<string, FaultOutcome> => {
  if (one.event === null) {
    const [first] = one.errors;
    return new Map([[first === undefined ? WHOLE_EVENT : memberOf(first), 'refused']]);
  }
  const { event, dropped } = one;
  const faults = new Map<string, FaultOutcome>();
  for (const warning of dropped.warnings ?? []) {
    const member = memberOf(warning);
    // The name of a misspelt member is the sender's own.
    if (member === WHOLE_EVENT) faults.set(CONTENT, 'dropped');
    else faults.set(member, memberAt(event, member) === undefined ? 'dropped' : 'corrected');
  }
  if (dropped.scrubbed.some((path) => !INVOCATION_EVENT_FIELDS.has(path))) faults.set(CONTENT, 'dropped');
  return faults;
};

/** What events of a producer add to the counters: how many were refused, cleaned and repaired, by member. */
export const countsOf = (checked: readonly CheckedEvent[], producer: string): Counts => {
  const counts = new Map<Parameters<Counts['get']>[0], number>();
  for (const one of checked) {
    for (const [member, outcome] of faultsIn(one)) {
      const name = `${EVENT_FAULT}${outcome} ${member} ${producer}` as const;
      counts.set(name, (counts.get(name) ?? 0) + 1);
    }
  }
  const dropped = countDropped(checked);
  return dropped === 0 ? counts : counts.set('dropped_members', dropped);
};

/** The sums of both. */
export const addCounts = (some: Counts, others: Counts): Counts => {
  const sums = new Map(some);
  for (const [name, count] of others) sums.set(name, (sums.get(name) ?? 0) + count);
  return sums;
};
