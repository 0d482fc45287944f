import type { Attribution } from '../ledger/attribution.ts';
import { ProblemError } from '../shared/problem.ts';

/** A doubt about whom a record names, and whom it should name instead, as far as the person knows. */
export interface Doubt {
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
export const disputed = (
  { record, explanation, kept }: Attribution,
  doubt: Doubt,
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
        id: doubt.id,
        status: 'open',
        reason: doubt.reason,
        proposed_owner: doubt.owner ?? null,
        proposed_service: doubt.service ?? null,
        opened_by: doubt.by,
        opened_at: instant,
        resolved_at: null,
      },
    },
    explanation,
    kept,
  };
};
