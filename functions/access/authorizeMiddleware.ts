import { requiresStepUp, scopeOf } from '../../schemas/routes/route.ts';
import type { Middleware } from '../http/middleware.ts';
import { ProblemError } from '../shared/problem.ts';
import type { Caller } from '../tenancy/caller.ts';

/** The maximum age of a sign-in for operations that require a recent one. */
const STEP_UP_SECONDS = 15 * 60;

/**
 * Throws STEP_UP_REQUIRED if the user's sign-in is too old (RFC 9470). API keys and OAuth clients have no sign-in and
 * pass. `now` is epoch milliseconds.
 */
export const requireRecentSignIn = ({ signedInAt }: Pick<Caller, 'signedInAt'>, now: number): void => {
  if (signedInAt === null || now - signedInAt <= STEP_UP_SECONDS * 1_000) return;
  const challenge = `Bearer error="insufficient_user_authentication", max_age=${STEP_UP_SECONDS}`;
  throw new ProblemError(
    'STEP_UP_REQUIRED',
    'This operation needs a sign-in within the last 15 minutes. Sign in again.',
    {
      headers: { 'www-authenticate': challenge },
    },
  );
};

/**
 * Checks lane, scope and sign-in age of the caller. No scope implies another. Throws RESIDENCY_BLOCKED,
 * INSUFFICIENT_SCOPE or STEP_UP_REQUIRED.
 */
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

/** Refuses a credential that is bound to a lane its tenant no longer has. */
const requireOwnLane = ({ residency, tenant }: Caller): void => {
  if (residency === null || tenant.residency.includes(residency)) return;
  throw new ProblemError(
    'RESIDENCY_BLOCKED',
    'The credential is bound to a data-residency lane that its tenant does not have.',
  );
};
