import type { Attribution } from '../ledger/attribution.ts';
import { ProblemError } from '../shared/problem.ts';

/** A doubt about whom a record names, and whom it should name instead, as far as the person knows. */
export interface DisputeRequest {
  readonly id: string;
  readonly by: string;
  readonly reason: string;
  readonly owner: string | undefined;
  readonly service: string | undefined;
}

/**
 * A record with a dispute open from `at` (epoch milliseconds) on; whom it names stays.
 * Throws CONFLICT while another is open.
 */
export const openDispute = (
  { record, explanation, storedEvent }: Attribution,
  request: DisputeRequest,
  at: number,
): Attribution => {
  if (record.dispute?.status === 'open') {
    throw new ProblemError('CONFLICT', 'The record has an open dispute; an override resolves it.');
  }
  const instant = new Date(at).toISOString();
  return {
    record: {
      ...record,
      version: record.version + 1,
      as_of: instant,
      dispute: {
        id: request.id,
        status: 'open',
        reason: request.reason,
        proposed_owner: request.owner ?? null,
        proposed_service: request.service ?? null,
        opened_by: request.by,
        opened_at: instant,
        resolved_at: null,
      },
    },
    explanation,
    storedEvent,
  };
};
