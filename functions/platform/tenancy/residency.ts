import type { AttributionRecord } from '../../../schemas/attribution/attributionRecord.ts';
import { ProblemError } from '../shared/problem.ts';
import type { Caller } from './caller.ts';

/**
 * Whether what belongs to a data-residency lane is within `lane`. The lane null includes all lanes, and also what belongs to
 * none or to several.
 */
export const isInLane = (residency: string | null | undefined, lane: string | null): boolean =>
  lane === null || residency === lane;

/** Throws RESIDENCY_BLOCKED if the caller's credential is bound to another lane than the record. */
export const requireResidency = (
  record: Pick<AttributionRecord, 'residency'>,
  { residency }: Pick<Caller, 'residency'>,
): void => {
  if (isInLane(record.residency, residency)) return;
  throw new ProblemError(
    'RESIDENCY_BLOCKED',
    'The record belongs to another data-residency lane than the credential.',
  );
};
