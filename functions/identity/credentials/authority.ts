import type { Scope } from '../../../schemas/identity/scopes.ts';
import { ProblemError } from '../../platform/shared/problem.ts';
import type { Caller } from '../../platform/tenancy/caller.ts';
import { isInLane } from '../../platform/tenancy/residency.ts';

type Rights = Pick<Caller, 'scopes' | 'residency'>;

/** What an API key or OAuth client may do: its scopes, and the lane it is bound to (null for no lane). */
interface Target {
  readonly scopes: readonly Scope[];
  readonly residency: string | null;
}

/** Whether the caller has every one of these scopes. */
export const hasAllScopes = ({ scopes }: Pick<Rights, 'scopes'>, requested: readonly Scope[]): boolean =>
  requested.every((scope) => scopes.has(scope));

/**
 * Requires that the target can do nothing the caller cannot do. Otherwise the caller could obtain the target's secret
 * and use scopes or a residency lane that it was never given, or stop an integration that is none of its business.
 * Throws INSUFFICIENT_SCOPE or RESIDENCY_BLOCKED.
 */
export const requireAuthorityOver = (caller: Rights, target: Target): void => {
  if (!hasAllScopes(caller, target.scopes)) {
    throw new ProblemError('INSUFFICIENT_SCOPE', 'The credential has a scope that the caller lacks.');
  }
  if (!isInLane(target.residency, caller.residency)) {
    throw new ProblemError(
      'RESIDENCY_BLOCKED',
      'The credential is not bound to the caller’s residency lane.',
    );
  }
};
