import type { Attribution } from '../../ledger/records/attribution.ts';
import { toInvocationEvent } from '../../ledger/records/storedEvent.ts';
import type { CompiledMappings } from '../mappings/mappingRules.ts';
import { resolve } from './rules/resolution.ts';

/** The owner and service that stage A finds for a record under other mappings. Ignores overrides and stage B. */
export const resolveWith = (
  { record, storedEvent }: Attribution,
  mappings: CompiledMappings,
): { owner: string | null; service: string | null } => {
  const occurredAt = Date.parse(record.occurred_at);
  const context = { mappings, trace: storedEvent.trace ?? null, occurredAt };
  const { owner, service } = resolve(toInvocationEvent(record, storedEvent), context);
  return { owner, service };
};
