import type { AttributionRecord } from '../../../schemas/attribution/attributionRecord.ts';
import { ProblemError } from '../shared/problem.ts';
import type { Caller } from './caller.ts';

/** Whether a record is visible in a data-residency lane. The lane null sees the records of all lanes. */
export const isInLane = (record: Pick<AttributionRecord, 'residency'>, lane: string | null): boolean =>
  lane === null || record.residency === lane;

/** Throws RESIDENCY_BLOCKED if the caller's credential is bound to another lane than the record. */
export const requireResidency = (
  record: Pick<AttributionRecord, 'residency'>,
  { residency }: Pick<Caller, 'residency'>,
): void => {
  if (isInLane(record, residency)) return;
  throw new ProblemError(
    'RESIDENCY_BLOCKED',
    'The record belongs to another data-residency lane than the credential.',
  );
};
