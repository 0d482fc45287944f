import type { Attribution } from '../ledger/attribution.ts';
import { toInvocationEvent } from '../ledger/storedEvent.ts';
import type { CompiledMappings } from './mappings/mappingRules.ts';
import { resolve } from './rules/resolution.ts';

/** Whom the rules would name for a record under other mappings; what a person or a model said of it aside. */
export const resolveWith = (
  { record, kept }: Attribution,
  mappings: CompiledMappings,
): { owner: string | null; service: string | null } => {
  const occurredAt = Date.parse(record.occurred_at);
  const context = { mappings, trace: kept.trace ?? null, occurredAt };
  const { owner, service } = resolve(toInvocationEvent(record, kept), context);
  return { owner, service };
};
