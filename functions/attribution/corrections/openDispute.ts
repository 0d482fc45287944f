import type { Attribution } from '../../ledger/records/attribution.ts';
import { ProblemError } from '../../platform/shared/problem.ts';
import { toIso } from '../../platform/shared/time/toIso.ts';

/** A dispute of a record's owner or service, with an optional proposal. */
export interface DisputeRequest {
  readonly id: string;
  readonly by: string;
  readonly reason: string;
  readonly owner: string | undefined;
  readonly service: string | undefined;
}

/**
 * The next version of a record with an open dispute, valid from `at` (epoch milliseconds). Owner and service stay
 * unchanged. Throws CONFLICT when a dispute is already open.
 */
export const openDispute = (
  { record, explanation, storedEvent }: Attribution,
  request: DisputeRequest,
  at: number,
): Attribution => {
  if (record.dispute?.status === 'open') {
    throw new ProblemError(
      'CONFLICT',
      'The record already has an open dispute. Override the record to resolve it.',
    );
  }
  const instant = toIso(at);
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
