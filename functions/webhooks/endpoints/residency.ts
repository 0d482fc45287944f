import { ProblemError } from '../../shared/problem.ts';
import type { Caller } from '../../tenancy/caller.ts';

/** Events tell of calls in every lane: whoever is bound to one neither has them sent nor learns where they go. */
export const requireUnboundCredential = ({ residency }: Pick<Caller, 'residency'>): void => {
  if (residency === null) return;
  throw new ProblemError(
    'RESIDENCY_BLOCKED',
    'Webhooks know no data-residency lanes: use a credential that is bound to none.',
  );
};
