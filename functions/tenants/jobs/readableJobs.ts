import type { Scope } from '../../../schemas/identity/scopes.ts';
import { type JobType, jobReaders, jobTypes } from '../../../schemas/routes/tenants/jobs.ts';
import { isSufficient, requireScopes } from '../../identity/access/authorizeMiddleware.ts';
import { ProblemError } from '../../platform/shared/problem.ts';
import type { Caller } from '../../platform/tenancy/caller.ts';

type Reader = Pick<Caller, 'scopes' | 'residency'>;

const scopesOf = (type: JobType): Scope[][] => jobReaders[type].map((scope) => [scope]);
/** Whether jobs of a type belong to one lane. All others work on every lane. */
const hasLane = (type: JobType): boolean => type === 'focus_export';

/** Throws INSUFFICIENT_SCOPE, or RESIDENCY_BLOCKED for a job that covers every lane, unless the caller may read the type. */
export const requireReadableType = ({ scopes, residency }: Reader, type: JobType): void => {
  requireScopes(scopes, scopesOf(type));
  if (hasLane(type) || residency === null) return;
  throw new ProblemError(
    'RESIDENCY_BLOCKED',
    `A job of the type ${type} covers every data-residency lane. Use a credential that is not bound to a lane.`,
  );
};

/**
 * The types of jobs that the caller may list, all or the requested one. Throws the errors of `requireReadableType` for a
 * requested type that it may not read.
 */
export const listedTypes = (caller: Reader, requested: JobType | undefined): ReadonlySet<JobType> => {
  if (requested === undefined) {
    const { scopes, residency } = caller;
    const isListed = (type: JobType) =>
      isSufficient(scopes, scopesOf(type)) && (hasLane(type) || residency === null);
    return new Set(jobTypes.filter(isListed));
  }
  requireReadableType(caller, requested);
  return new Set([requested]);
};
