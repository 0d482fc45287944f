import type { Contradiction, ObservationTrace } from '../../../../schemas/attribution/observation.ts';
import { HOUR_MS } from '../../../../schemas/durations.ts';
import { InvocationEvent } from '../../../../schemas/ingest/invocationEvent.ts';
import { canonicalProvider } from '../../../impact/usage/modelIdentity.ts';
import { occurredAtOf } from '../../../ingest/events/eventTimes.ts';
import { personKey } from '../../../ledger/records/person.ts';
import { decimal } from '../../../platform/shared/decimal.ts';
import { toIso } from '../../../platform/shared/time/toIso.ts';
import { type Member, membersOf, PARTS, USAGE, USAGE_PARTS } from './observationParts.ts';

/** What sets the money of a call and who caused it. Of all else, observers have views of their own. */
const CONTRADICTORY: Readonly<Record<string, readonly Member[]>> = {
  call: ['provider', 'requested_model', 'served_model'],
  region: ['region', 'inference_region'],
  service_tier: ['service_tier', 'batch'],
  usage: [...USAGE, ...USAGE_PARTS],
  cost: ['estimated_cost_usd', 'cost_breakdown'],
  billing_mode: ['billing_mode'],
  footprint: ['energy_wh', 'carbon_gco2e'],
  attributed_identity: ['attributed_identity'],
  attributed_service: ['attributed_service'],
  end_user: ['end_user'],
};

type Value = InvocationEvent[Member];

/** A client library fills what it does not know with 0, `unknown` or `ok`. */
const isStated = (value: Value): boolean =>
  value !== undefined && value !== 0 && value !== 'unknown' && value !== 'ok';

/** A dated version and its family, such as `gpt-4o-2024-08-06` and `gpt-4o`, are one model to two observers. */
const isSameModel = (one: string, other: string): boolean => one.startsWith(other) || other.startsWith(one);

/** Whether two observers say the same in their own words. */
const agree = (member: Member, one: Value, other: Value): boolean => {
  if (typeof one === 'string' && typeof other === 'string') {
    if (member === 'attributed_identity' || member === 'end_user') return personKey(one) === personKey(other);
    if (member === 'provider') return canonicalProvider(one) === canonicalProvider(other);
    if (member === 'served_model' || member === 'requested_model') return isSameModel(one, other);
    if (member === 'estimated_cost_usd') return decimal(one).eq(other);
  }
  return JSON.stringify(one) === JSON.stringify(other);
};

/** Whether an event says something else of a part than is known. */
export const differs = (name: string, known: InvocationEvent, incoming: InvocationEvent): boolean =>
  (CONTRADICTORY[name] ?? []).some(
    (member) => isStated(incoming[member]) && !agree(member, known[member], incoming[member]),
  );

/** A part of an event, as its observer stated it against what the record holds. */
export const contradictionOf = (part: string, event: InvocationEvent): Contradiction => ({
  part,
  stated: Object.fromEntries(
    (PARTS[part]?.members ?? []).flatMap((member) => {
      const value = event[member];
      return value === undefined ? [] : [[member, value]];
    }),
  ),
});

/** Observers of one call time its begin or its end. A batch takes longer, and then both are true. */
const TIMES_MS = HOUR_MS;

/** Another time of the call than the record has, which decides its month. Empty if they are close. */
export const timeContradictionsIn = (known: InvocationEvent, incoming: InvocationEvent): Contradiction[] => {
  const [at, stated] = [known, incoming].map(occurredAtOf);
  return at === undefined || stated === undefined || Math.abs(at - stated) <= TIMES_MS
    ? []
    : [{ part: 'time', stated: { occurred_at: toIso(stated) } }];
};

/** The members of a part that another observer fills. What its holder stated of them stays. */
export const filled = (
  name: string,
  known: InvocationEvent,
  incoming: InvocationEvent,
): Partial<Record<Member, Value>> =>
  Object.fromEntries(
    membersOf(name).map((member) => [
      member,
      // The source of a cost belongs to its amount.
      name !== 'cost' && isStated(known[member]) ? known[member] : incoming[member],
    ]),
  );

/** The call as each observer tells it who contradicts the record. */
export const contradictingEvents = (
  event: InvocationEvent,
  observations: readonly ObservationTrace[] = [],
): InvocationEvent[] =>
  observations.flatMap(({ contradicts = [] }) => {
    if (contradicts.length === 0) return [];
    const parts = contradicts.flatMap(({ part, stated }) =>
      (PARTS[part]?.members ?? []).map((member) => [member, stated[member]]),
    );
    return [InvocationEvent.parse({ ...event, ...Object.fromEntries(parts) })];
  });
