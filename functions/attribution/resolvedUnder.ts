import type { Attribution } from '../ledger/attribution.ts';
import { eventOf } from '../ledger/keptEvent.ts';
import type { Mappings } from './mappings/mapping.ts';
import { resolve } from './rules/resolution.ts';

/** Whom the rules would name for a record under other mappings; what a person or a model said of it aside. */
export const resolvedUnder = (
  { record, kept }: Attribution,
  mappings: Mappings,
): { owner: string | null; service: string | null } => {
  const occurredAt = Date.parse(record.occurred_at);
  const context = { mappings, trace: kept.trace ?? null, occurredAt };
  const { owner, service } = resolve(eventOf(record, kept), context);
  return { owner, service };
};
