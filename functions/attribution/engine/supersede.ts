import { toInvocationEvent } from '../../ledger/records/storedEvent.ts';
import type { Observation } from './observations/statement.ts';
import type { ObservedRecord } from './recordObservation.ts';
import { reattribute } from './reprocessing/reattribute.ts';
import type { Revise } from './revise.ts';

/**
 * The tenant reports a call that a connector has reported before. Its record is the one that is billed: the record of the
 * connector keeps everything but its cost. Returns what the connector states, which moves into the record of the tenant as far
 * as it may. Idempotent.
 */
export const supersede = async (
  revise: Revise,
  { ulid, ...record }: ObservedRecord,
  connectorRecord: string,
): Promise<Observation | undefined> => {
  const { tenant, context } = record;
  let observation: Observation | undefined;
  const by = { claim: `superseded by ${ulid}`, attempt: 1 };
  await revise(tenant, connectorRecord, by, (current, startsAt) => {
    const { stated_by: statedBy } = current.storedEvent;
    const event = toInvocationEvent(current.record, current.storedEvent);
    observation = statedBy === undefined ? undefined : { event, statedBy };
    return reattribute(current, tenant, context.factors, { ...context, isSuperseded: true }, startsAt());
  });
  return observation;
};
