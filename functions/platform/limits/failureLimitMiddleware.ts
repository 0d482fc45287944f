import { type Exchange, headerOf } from '../http/exchange.ts';
import type { Middleware } from '../http/middleware.ts';
import { ProblemError } from '../shared/problem.ts';
import type { AuthenticationAttempt, FailureLimiter } from './failureLimiter.ts';

/** The body of an OAuth request, which may hold the credential of the client; empty for other routes. */
const formOf = ({ route, gateway }: Exchange): string =>
  route.body?.kind === 'form' ? (gateway.body ?? '') : '';

/** Whether a request carries what can be a valid credential. `form` is the body of an OAuth request. */
type IsWellFormed = (exchange: Exchange, form: string) => boolean;

/**
 * The attempt of a request; undefined if its route checks no credential, or if it carries none. The address is that of the
 * connection, never that of a header, which the caller could choose.
 */
const attemptOf = (exchange: Exchange, isWellFormed: IsWellFormed): AuthenticationAttempt | undefined => {
  const { access, body } = exchange.route;
  if ((access === 'public' || access === 'session') && body?.kind !== 'form') return undefined;
  const form = formOf(exchange);
  const parts = [headerOf(exchange, 'x-api-key') ?? '', headerOf(exchange, 'authorization') ?? '', form];
  if (parts.every((part) => part === '')) return undefined;
  const { sourceIp } = exchange.gateway.requestContext.http;
  return { sourceIp, isWellFormed: isWellFormed(exchange, form) };
};

const tooManyFailures = (seconds: number) =>
  new ProblemError(
    'RATE_LIMITED',
    'Too many failed authentications from this network address. Check the credential and retry after Retry-After.',
    { headers: { 'retry-after': String(seconds) } },
  );

/**
 * Answers a failed authentication with RATE_LIMITED while too many others from the same source have failed. What cannot be a
 * credential is then refused without a look. A well-formed credential is always checked, whatever failed before and whatever
 * this environment remembers: nobody can lock out the owner of a valid one.
 */
export const failureLimitMiddleware = (limiter: FailureLimiter, isWellFormed: IsWellFormed): Middleware => ({
  before: ({ event: exchange }) => {
    const attempt = attemptOf(exchange, isWellFormed);
    if (attempt === undefined || attempt.isWellFormed) return;
    const seconds = limiter.secondsToWait(attempt);
    if (seconds > 0) throw tooManyFailures(seconds);
  },
  onError: (request) => {
    const { event: exchange, error } = request;
    if (!(error instanceof ProblemError) || error.code !== 'INVALID_CREDENTIALS') return;
    const attempt = attemptOf(exchange, isWellFormed);
    if (attempt === undefined || exchange.caller !== undefined) return;
    const seconds = limiter.secondsToWait(attempt);
    limiter.recordFailure(attempt);
    if (seconds > 0) request.error = tooManyFailures(seconds);
  },
});
