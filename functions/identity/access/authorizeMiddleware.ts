import type { Scope } from '../../../schemas/identity/scopes.ts';
import { type RouteShape, requiresStepUp, sufficientScopes } from '../../../schemas/routes/route.ts';
import type { Middleware } from '../../platform/http/middleware.ts';
import { ProblemError } from '../../platform/shared/problem.ts';
import type { Caller } from '../../platform/tenancy/caller.ts';

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
 * Checks lane, scopes and sign-in age of the caller against the authority that the route declares. No scope implies
 * another. Throws RESIDENCY_BLOCKED, INSUFFICIENT_SCOPE or STEP_UP_REQUIRED.
 */
export const authorizeMiddleware: Middleware = {
  before: ({ event: exchange }) => {
    const { caller, route } = exchange;
    if (route.access === 'optional') return;
    if (caller !== undefined) requireOwnLane(caller);
    if (caller?.connector !== undefined && route.access === 'caller') throw connectorDenied();
    requireScopes(caller?.scopes ?? new Set(), sufficientScopes(route));
    if (caller === undefined) return;
    requireCoveredLanes(caller, route);
    if (requiresStepUp(route)) requireRecentSignIn(caller, exchange.receivedAt);
  },
};

/** A connector of a partner may call nothing that is not for partners, not even what needs no scope. */
const connectorDenied = () =>
  new ProblemError(
    'INSUFFICIENT_SCOPE',
    'The connector of a partner can use the paths below /api/partner/v1 only.',
    { headers: { 'www-authenticate': 'Bearer error="insufficient_scope"' } },
  );

/** Whether the scopes contain all scopes of one set. */
export const isSufficient = (held: ReadonlySet<Scope>, sufficient: readonly (readonly Scope[])[]): boolean =>
  sufficient.some((scopes) => scopes.every((scope) => held.has(scope)));

/** Throws INSUFFICIENT_SCOPE, naming the required scopes, unless the caller has all scopes of one set. */
export const requireScopes = (held: ReadonlySet<Scope>, sufficient: readonly (readonly Scope[])[]): void => {
  if (isSufficient(held, sufficient)) return;
  const [required = []] = sufficient;
  const noun = sufficient.flat().length === 1 ? 'scope' : 'scopes';
  throw new ProblemError(
    'INSUFFICIENT_SCOPE',
    `This operation needs the ${noun} ${sufficient.map((scopes) => scopes.join(' and ')).join(', or ')}.`,
    {
      headers: { 'www-authenticate': `Bearer error="insufficient_scope", scope="${required.join(' ')}"` },
    },
  );
};

/** Refuses a credential that is bound to a lane its tenant no longer has. */
const requireOwnLane = ({ residency, tenant }: Caller): void => {
  if (residency === null || tenant.residency.includes(residency)) return;
  throw new ProblemError(
    'RESIDENCY_BLOCKED',
    'The credential is bound to a data-residency lane that its tenant does not have.',
  );
};

/** Refuses a credential that is bound to a lane where the route covers every lane of the tenant. */
const requireCoveredLanes = ({ residency }: Caller, { authority }: RouteShape): void => {
  if (residency === null || authority.lanes !== 'all') return;
  throw new ProblemError(
    'RESIDENCY_BLOCKED',
    'This operation covers every data-residency lane. Use a credential that is not bound to a lane.',
  );
};
