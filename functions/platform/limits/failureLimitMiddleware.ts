import { type Exchange, headerOf } from '../http/exchange.ts';
import type { Middleware } from '../http/middleware.ts';
import { sha256Of } from '../shared/hash.ts';
import { ProblemError } from '../shared/problem.ts';
import type { AuthenticationAttempt, FailureLimiter } from './failureLimiter.ts';

/** The body of an OAuth request, which may hold the credential of the client; empty for other routes. */
const formOf = ({ route, gateway }: Exchange): string =>
  route.body?.kind === 'form' ? (gateway.body ?? '') : '';

/**
 * The attempt of a request; undefined if its route checks no credential, or if it carries none. The address is that of the
 * connection, never that of a header, which the caller could choose.
 */
const attemptOf = (exchange: Exchange): AuthenticationAttempt | undefined => {
  const { access, body } = exchange.route;
  if ((access === 'public' || access === 'session') && body?.kind !== 'form') return undefined;
  const parts = [
    headerOf(exchange, 'x-api-key') ?? '',
    headerOf(exchange, 'authorization') ?? '',
    formOf(exchange),
  ];
  if (parts.every((part) => part === '')) return undefined;
  const { sourceIp } = exchange.gateway.requestContext.http;
  return { sourceIp, credential: sha256Of('credential', ...parts).toString('base64') };
};

/**
 * Refuses a credential without looking it up while too many others from the same source have failed. Throws RATE_LIMITED.
 * Only failures are charged, and only to their source, so nobody can lock out the owner of a known key id.
 */
export const failureLimitMiddleware = (limiter: FailureLimiter): Middleware => ({
  before: ({ event: exchange }) => {
    const attempt = attemptOf(exchange);
    const seconds = attempt === undefined ? 0 : limiter.secondsToWait(attempt);
    if (seconds === 0) return;
    throw new ProblemError(
      'RATE_LIMITED',
      'Too many failed authentications from this network address. Check the credential and retry after Retry-After.',
      { headers: { 'retry-after': String(seconds) } },
    );
  },
  // An OAuth request has no caller: its response tells that the client was authenticated.
  after: ({ event: exchange }) => {
    const attempt = attemptOf(exchange);
    if (attempt !== undefined) limiter.recordSuccess(attempt);
  },
  onError: ({ event: exchange, error }) => {
    const attempt = attemptOf(exchange);
    if (attempt === undefined) return;
    if (exchange.caller !== undefined) limiter.recordSuccess(attempt);
    else if (error instanceof ProblemError && error.code === 'INVALID_CREDENTIALS')
      limiter.recordFailure(attempt);
  },
});
