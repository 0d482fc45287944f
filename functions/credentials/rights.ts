import type { Scope } from '../../schemas/access/scopes.ts';
import type { ApiKey } from '../access/apiKey.ts';
import { ProblemError } from '../shared/problem.ts';
import type { Caller } from '../tenancy/caller.ts';
import { coversLane, hasAllScopes } from './authority.ts';

/**
 * The scopes a new credential gets: those asked for, once each. Nobody hands on what they do not have.
 * Throws NO_SCOPE or INSUFFICIENT_SCOPE.
 */
export const grantableScopes = (caller: Pick<Caller, 'scopes'>, requested: readonly Scope[]): Scope[] => {
  if (requested.length === 0) throw new ProblemError('NO_SCOPE', 'A credential needs at least one scope.');
  if (!hasAllScopes(caller, requested)) {
    throw new ProblemError('INSUFFICIENT_SCOPE', 'A credential cannot have a scope its creator lacks.');
  }
  return [...new Set(requested)];
};

/**
 * The lane a new credential is bound to: the one asked for, else the creator's. A bound creator cannot make one for
 * elsewhere, and no lane is bound to that the tenant does not have. Throws RESIDENCY_BLOCKED.
 */
export const grantableLane = (
  caller: Pick<Caller, 'residency' | 'tenant'>,
  requested: string | undefined,
): string | null => {
  const lane = requested ?? caller.residency;
  if (lane === null) return null;
  if (!coversLane(caller, lane) || !caller.tenant.residency.includes(lane)) {
    throw new ProblemError('RESIDENCY_BLOCKED', 'The credential would be bound to a lane it cannot have.');
  }
  return lane;
};

const DAY = 24 * 60 * 60 * 1_000;

/**
 * When a new key ends, epoch milliseconds: as asked, at the latest and by default when the tenant's policy says.
 * Throws VALIDATION_FAILED for an instant that has passed or lies beyond the policy.
 */
export const grantableExpiry = (requested: string | undefined, now: number, lifetimeDays: number): number => {
  const latest = now + lifetimeDays * DAY;
  if (requested === undefined) return latest;
  const at = Date.parse(requested);
  const detail =
    at <= now
      ? 'must lie ahead'
      : at > latest
        ? `must be within ${lifetimeDays} days, as the tenant’s policy says`
        : null;
  if (detail === null) return at;
  throw new ProblemError('VALIDATION_FAILED', 'The key cannot live until then.', {
    errors: [{ pointer: '/expires_at', detail }],
  });
};

/**
 * When a rotated key ends, epoch milliseconds: its new secret lives as long as the one before was given,
 * within the tenant's policy of today.
 */
export const renewedExpiry = (
  key: Pick<ApiKey, 'created_at' | 'rotated_at' | 'expires_at'>,
  now: number,
  lifetimeDays: number,
): number => {
  const given = Date.parse(key.expires_at) - Date.parse(key.rotated_at ?? key.created_at);
  return now + Math.min(given, lifetimeDays * DAY);
};
