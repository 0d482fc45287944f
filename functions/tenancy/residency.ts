import type { AttributionRecord } from '../../schemas/attribution/attributionRecord.ts';
import { ProblemError } from '../shared/problem.ts';
import type { Caller } from './caller.ts';

/** Whether a record may be seen from a data-residency lane; null sees every lane's. */
export const isInLane = (record: Pick<AttributionRecord, 'residency'>, lane: string | null): boolean =>
  lane === null || record.residency === lane;

/** Refuses a record of another lane than the caller's credential is bound to. */
export const requireResidency = (
  record: Pick<AttributionRecord, 'residency'>,
  { residency }: Pick<Caller, 'residency'>,
): void => {
  if (isInLane(record, residency)) return;
  throw new ProblemError(
    'RESIDENCY_BLOCKED',
    'The record lies in another lane than the credential is bound to.',
  );
};
