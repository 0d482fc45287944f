import type { AttributionRecord } from '../../schemas/attribution/attributionRecord.ts';
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

/**
 * Throws RESIDENCY_BLOCKED when the caller's credential is bound to a data-residency lane. For resources (`resources` in
 * the plural, as the message begins with it) that belong to the whole tenant: they would disclose data of other lanes.
 */
export const requireNoLane = (
  { residency }: Pick<Caller, 'residency'>,
  resources: 'Bills' | 'Notification channels' | 'Webhooks',
): void => {
  if (residency === null) return;
  throw new ProblemError(
    'RESIDENCY_BLOCKED',
    `${resources} cover every data-residency lane. Use a credential that is not bound to a lane.`,
  );
};
