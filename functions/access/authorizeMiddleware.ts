import { requiresStepUp, scopeOf } from '../../schemas/routes/route.ts';
import type { Middleware } from '../http/middleware.ts';
import { ProblemError } from '../shared/problem.ts';
import type { Caller } from '../tenancy/caller.ts';

/** How long ago a user may have signed in for operations that need a recent sign-in. */
const STEP_UP_SECONDS = 15 * 60;

/**
 * Refuses a user whose sign-in is too old (RFC 9470); keys and clients have no sign-in and are not asked for one.
 * `now` is epoch milliseconds.
 */
export const requireRecentSignIn = ({ signedInAt }: Pick<Caller, 'signedInAt'>, now: number): void => {
  if (signedInAt === null || now - signedInAt <= STEP_UP_SECONDS * 1_000) return;
  const challenge = `Bearer error="insufficient_user_authentication", max_age=${STEP_UP_SECONDS}`;
  throw new ProblemError('STEP_UP_REQUIRED', 'This operation needs a sign-in of the last 15 minutes.', {
    headers: { 'www-authenticate': challenge },
  });
};

/** Whether the caller may: absence denies, no scope implies another, and a lane holds whatever the scope. */
export const authorizeMiddleware: Middleware = {
  before: ({ event: exchange }) => {
    const { caller, route } = exchange;
    if (caller !== undefined) requireOwnLane(caller);
    const scope = scopeOf(route);
    if (scope === undefined || caller?.scopes.has(scope)) {
      if (caller !== undefined && requiresStepUp(route)) requireRecentSignIn(caller, exchange.receivedAt);
      return;
    }
    throw new ProblemError('INSUFFICIENT_SCOPE', `This operation needs the scope ${scope}.`, {
      headers: { 'www-authenticate': `Bearer error="insufficient_scope", scope="${scope}"` },
    });
  },
};

/** A credential bound to a lane that its tenant has left reaches nothing. */
const requireOwnLane = ({ residency, tenant }: Caller): void => {
  if (residency === null || tenant.residency.includes(residency)) return;
  throw new ProblemError('RESIDENCY_BLOCKED', 'The credential is bound to a lane that is not its tenant’s.');
};
