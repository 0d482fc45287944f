import type { AttributionRecord } from '../../../schemas/attribution/attributionRecord.ts';
import type { PredictionTrace } from '../../../schemas/attribution/explanation.ts';
import type { MappingCondition } from '../../../schemas/attribution/identityMapping.ts';
import type { InvocationEvent } from '../../../schemas/ingest/invocationEvent.ts';
import { hasConfirmedOwner } from '../../ledger/records/answers.ts';
import type { Attribution } from '../../ledger/records/attribution.ts';
import { toInvocationEvent } from '../../ledger/records/storedEvent.ts';
import { type CallValue, conditionsOf, valuesOf } from './callValues.ts';

/** An examined call: its record, its event, and the values that say something about its owner. */
export interface OpenCall {
  readonly record: AttributionRecord;
  readonly event: InvocationEvent;
  readonly values: readonly CallValue[];
  readonly prediction: PredictionTrace | undefined;
}

export const toOpenCall = ({ record, storedEvent, explanation }: Attribution): OpenCall => {
  const event = toInvocationEvent(record, storedEvent);
  return { record, event, values: valuesOf(event), prediction: explanation.prediction };
};

/** Whether a call counts in the amounts of the report: another record of the same call has the cost of a repeat. */
const counts = ({ interpretation }: AttributionRecord): boolean =>
  interpretation.same_call?.state !== 'repeat';

export const openCallsIn = (calls: readonly OpenCall[]): OpenCall[] =>
  calls.filter(({ record }) => counts(record) && !hasConfirmedOwner(record));

export const keyOfValue = ({ field, value }: Pick<CallValue, 'field' | 'value'>): string =>
  `${field}:${value}`;

/** The owners of the confirmed calls with each value. */
export const confirmedByValue = (
  calls: readonly OpenCall[],
): ReadonlyMap<string, ReadonlyMap<string, number>> => {
  const byValue = new Map<string, Map<string, number>>();
  for (const { record, values } of calls) {
    if (record.owner === null || !hasConfirmedOwner(record)) continue;
    for (const value of values) {
      const key = keyOfValue(value);
      const owners = byValue.get(key) ?? new Map<string, number>();
      owners.set(record.owner, (owners.get(record.owner) ?? 0) + 1);
      byValue.set(key, owners);
    }
  }
  return byValue;
};

/** Calls that one mapping can cover. */
export interface CallGroup {
  readonly conditions: readonly MappingCondition[];
  readonly calls: readonly OpenCall[];
}

/** Groups the open calls of a service by the conditions of the mapping that would cover them. */
export const groupByConditions = (calls: readonly OpenCall[]): CallGroup[] =>
  [...Map.groupBy(calls, ({ values }) => JSON.stringify(conditionsOf(values))).values()].map((same) => ({
    conditions: conditionsOf(same[0]?.values ?? []),
    calls: same,
  }));
