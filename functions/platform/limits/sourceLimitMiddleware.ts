import { type Exchange, headerOf } from '../http/exchange.ts';
import type { Middleware } from '../http/middleware.ts';
import { ProblemError } from '../shared/problem.ts';
import type { SourceAttempt, SourceLimiter } from './sourceLimiter.ts';

/** The body of an OAuth request, which may hold the credential of the client; empty for other routes. */
const formOf = ({ route, gateway }: Exchange): string =>
  route.body?.kind === 'form' ? (gateway.body ?? '') : '';

/** Whether a request carries what can be a valid credential. `form` is the body of an OAuth request. */
type IsWellFormed = (exchange: Exchange, form: string) => boolean;

/** The attempt to authenticate; undefined if the route of a request checks no credential, or if it carries none. */
const authenticationOf = (exchange: Exchange, isWellFormed: IsWellFormed): SourceAttempt | undefined => {
  const { access, body } = exchange.route;
  if ((access === 'public' || access === 'session') && body?.kind !== 'form') return undefined;
  const form = formOf(exchange);
  const parts = [headerOf(exchange, 'x-api-key') ?? '', headerOf(exchange, 'authorization') ?? '', form];
  if (parts.every((part) => part === '')) return undefined;
  return {
    sourceIp: exchange.sourceIp,
    reserve: isWellFormed(exchange, form) ? 'well-formed' : 'malformed',
  };
};

const tooMany = (seconds: number) =>
  new ProblemError(
    'RATE_LIMITED',
    'Too many failed or started sign-ins from this network address. Retry after Retry-After.',
    { headers: { 'retry-after': String(seconds) } },
  );

/** Charges a call without a credential to its source. Throws RATE_LIMITED. */
const chargeSource = (limiter: SourceLimiter, { sourceIp }: Exchange): void => {
  const attempt: SourceAttempt = { sourceIp, reserve: 'sign-in' };
  const seconds = limiter.secondsToWait(attempt);
  if (seconds > 0) throw tooMany(seconds);
  limiter.record(attempt);
};

/**
 * Answers a failed authentication with RATE_LIMITED while too many others from the same source have failed. What cannot be a
 * credential is then refused without a look. A well-formed credential is always checked, whatever failed before and whatever
 * this environment remembers: nobody can lock out the owner of a valid one. Routes of the rate `source` are charged too.
 */
export const sourceLimitMiddleware = (limiter: SourceLimiter, isWellFormed: IsWellFormed): Middleware => ({
  before: ({ event: exchange }) => {
    if (exchange.route.rate === 'source') chargeSource(limiter, exchange);
    const attempt = authenticationOf(exchange, isWellFormed);
    if (attempt?.reserve !== 'malformed') return;
    const seconds = limiter.secondsToWait(attempt);
    if (seconds > 0) throw tooMany(seconds);
  },
  onError: (request) => {
    const { event: exchange, error } = request;
    if (!(error instanceof ProblemError) || error.code !== 'INVALID_CREDENTIALS') return;
    const attempt = authenticationOf(exchange, isWellFormed);
    if (attempt === undefined || exchange.caller !== undefined) return;
    const seconds = limiter.secondsToWait(attempt);
    limiter.record(attempt);
    if (seconds > 0) request.error = tooMany(seconds);
  },
});
