import { DAY_MS } from '../../../schemas/durations.ts';
import type { Scope } from '../../../schemas/identity/scopes.ts';
import { ProblemError } from '../../platform/shared/problem.ts';
import type { Caller } from '../../platform/tenancy/caller.ts';
import { isInLane } from '../../platform/tenancy/residency.ts';
import type { ApiKey } from '../access/principals/apiKey.ts';
import { hasAllScopes } from './authority.ts';

/**
 * The scopes of a new credential: the requested ones without duplicates. They must be a subset of the creator's scopes.
 * Throws NO_SCOPE or INSUFFICIENT_SCOPE.
 */
export const grantableScopes = (caller: Pick<Caller, 'scopes'>, requested: readonly Scope[]): Scope[] => {
  if (requested.length === 0) {
    const detail = 'A credential needs at least one scope.';
    const allowed = [...caller.scopes];
    throw new ProblemError('NO_SCOPE', detail, { errors: [{ pointer: '/scopes', detail, allowed }] });
  }
  if (!hasAllScopes(caller, requested)) {
    throw new ProblemError('INSUFFICIENT_SCOPE', 'A credential cannot have a scope that its creator lacks.');
  }
  return [...new Set(requested)];
};

/**
 * The lane of a new credential: the requested one, else the creator's. A creator that is bound to a lane cannot create a
 * credential for another one, and the tenant must have the lane. Throws RESIDENCY_BLOCKED.
 */
export const grantableLane = (
  caller: Pick<Caller, 'residency' | 'tenant'>,
  requested: string | undefined,
): string | null => {
  const lane = requested ?? caller.residency;
  if (lane === null) return null;
  if (!isInLane(lane, caller.residency) || !caller.tenant.residency.includes(lane)) {
    throw new ProblemError(
      'RESIDENCY_BLOCKED',
      'The requested data-residency lane is not one of the tenant, or not the lane of the creator.',
    );
  }
  return lane;
};

/**
 * The expiry of a new key in epoch milliseconds: the requested one, by default the maximum lifetime of the tenant. Throws
 * VALIDATION_FAILED if the requested expiry is in the past or exceeds the maximum lifetime.
 */
export const grantableExpiry = (requested: string | undefined, now: number, lifetimeDays: number): number => {
  const latest = now + lifetimeDays * DAY_MS;
  if (requested === undefined) return latest;
  const at = Date.parse(requested);
  const detail =
    at <= now
      ? 'must be in the future'
      : at > latest
        ? `must be within ${lifetimeDays} days, the maximum key lifetime of the tenant`
        : null;
  if (detail === null) return at;
  throw new ProblemError('VALIDATION_FAILED', 'expires_at is not allowed for this key.', {
    errors: [{ pointer: '/expires_at', detail }],
  });
};

/**
 * The expiry of a rotated key in epoch milliseconds: the requested one, by default the present one, limited to the current
 * maximum lifetime of the tenant. Throws VALIDATION_FAILED as {@link grantableExpiry} does.
 */
export const rotatedExpiry = (
  key: Pick<ApiKey, 'expires_at'>,
  requested: string | undefined,
  { now, lifetimeDays }: { readonly now: number; readonly lifetimeDays: number },
): number =>
  requested === undefined
    ? Math.min(Date.parse(key.expires_at), now + lifetimeDays * DAY_MS)
    : grantableExpiry(requested, now, lifetimeDays);
