import { roles } from '../../schemas/access/roles.ts';
import type { Scope } from '../../schemas/access/scopes.ts';
import { ProblemError } from '../shared/problem.ts';
import type { Caller } from '../tenancy/caller.ts';

type Rights = Pick<Caller, 'scopes' | 'residency'>;

/** What an API key or OAuth client may do: its scopes, and the lane it is bound to (null for no lane). */
interface Target {
  readonly scopes: readonly Scope[];
  readonly residency: string | null;
}

/** Whether the caller has every one of these scopes. */
export const hasAllScopes = ({ scopes }: Pick<Rights, 'scopes'>, requested: readonly Scope[]): boolean =>
  requested.every((scope) => scopes.has(scope));

/** Whether the caller reaches everything a credential with this lane reaches. No lane reaches all lanes. */
export const coversLane = ({ residency }: Pick<Rights, 'residency'>, lane: string | null): boolean =>
  residency === null || residency === lane;

/**
 * Requires that the target can do nothing the caller cannot do. Otherwise the caller could obtain the target's secret
 * and use scopes or a residency lane that it was never given.
 * Throws INSUFFICIENT_SCOPE or RESIDENCY_BLOCKED.
 */
export const requireAuthorityOver = (caller: Rights, target: Target): void => {
  if (!hasAllScopes(caller, target.scopes)) {
    throw new ProblemError('INSUFFICIENT_SCOPE', 'The credential has a scope that the caller lacks.');
  }
  if (!coversLane(caller, target.residency)) {
    throw new ProblemError(
      'RESIDENCY_BLOCKED',
      'The credential is not bound to the caller’s residency lane.',
    );
  }
};

/** Whether the caller has every scope of the `admin` role and is bound to no lane. */
const isTenantAdministrator = ({ scopes, residency }: Rights): boolean =>
  residency === null && roles.admin.every((scope) => scopes.has(scope));

/**
 * Requires the right to revoke or delete the target. A tenant administrator may end any credential, also one with
 * `partner:connector`, which no user role has: ending it returns no secret, and a leaked credential must be revocable.
 * Throws INSUFFICIENT_SCOPE or RESIDENCY_BLOCKED.
 */
export const requireAuthorityToEnd = (caller: Rights, target: Target): void => {
  if (!isTenantAdministrator(caller)) requireAuthorityOver(caller, target);
};
