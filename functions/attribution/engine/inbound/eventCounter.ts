import * as z from 'zod';
import { type CounterName, counterNames } from '../../../../schemas/tenants/counters.ts';
import type { DeadLetterReason } from '../../../ingest/events/deadLetter.ts';
import type { RecordOutcome } from '../recordOutcome.ts';

/**
 * The counter that an event increments when it was recorded with this outcome. The events of a message that the queue
 * delivers again meet their own records. The producer did not repeat them, so they are no duplicates.
 */
export const counterOfOutcome = (outcome: RecordOutcome, isRedelivered: boolean): CounterName | undefined => {
  if (outcome === 'duplicate_mismatch') return 'duplicate_mismatches';
  if (outcome === 'set_aside') return 'implausible_amounts';
  if (outcome === 'rejected') return 'rejected_statements';
  if (outcome === 'contradicted') return 'contradicting_statements';
  if (outcome === 'merged') return 'merged_observations';
  if (outcome === 'duplicate' || (outcome === 'same_arrival' && !isRedelivered)) return 'duplicates';
  return undefined;
};

/** Undefined for reasons without a known tenant, because counters belong to a tenant. */
export const counterOfDeadLetter = (reason: DeadLetterReason): CounterName | undefined =>
  z.enum(counterNames).safeParse(`set_aside_${reason}`).data;
