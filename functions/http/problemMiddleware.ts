import { type Problem, problemSlug, problemTypes } from '../../schemas/problems.ts';
import { describeError, log } from '../shared/log.ts';
import { type ProblemError, toProblem } from '../shared/problem.ts';
import { type Exchange, headerOf } from './exchange.ts';
import type { Middleware } from './middleware.ts';
import type { Reply } from './reply.ts';

export const PROBLEM_MEDIA_TYPE = 'application/problem+json';

/**
 * RFC 6749 §5.2 wants application/json and its libraries read nothing else. A caller of an OAuth endpoint that accepts
 * just that gets the same body under this name; whoever accepts a problem gets it as one.
 */
const mediaTypeOf = (exchange: Exchange): string => {
  const accepted = (headerOf(exchange, 'accept') ?? '')
    .split(',')
    .map((range) => range.split(';')[0]?.trim());
  const takesProblems = ['', '*/*', 'application/*', PROBLEM_MEDIA_TYPE].some((range) =>
    accepted.includes(range),
  );
  const isOAuth = exchange.route.body?.kind === 'form';
  return isOAuth && !takesProblems && accepted.includes('application/json')
    ? 'application/json'
    : PROBLEM_MEDIA_TYPE;
};

/** OAuth clients read `error` (RFC 6749 §5.2); where the operation names none, the status does. */
const oauthMembers = (exchange: Exchange, status: number) =>
  exchange.route.body?.kind === 'form' ? { error: status >= 500 ? 'server_error' : 'invalid_request' } : {};

/** The response of a refusal (RFC 9457): catalogue text and the trace, nothing of the error behind it. */
export const toProblemReply = (problem: ProblemError, exchange: Exchange, baseUrl: string): Reply => {
  const type = problemTypes[problem.code];
  const page = `${baseUrl}/errors/${problemSlug(problem.code)}`;
  const status = problem.options.status ?? type.status;
  const body: Problem = {
    type: page,
    title: type.title,
    status,
    detail: problem.detail,
    instance: exchange.gateway.rawPath,
    error_code: problem.code,
    trace_id: exchange.trace.traceId,
    docs_url: page,
    ...(exchange.caller && { tenant_id: exchange.caller.tenant.tenant_id }),
    ...(problem.options.errors && { errors: [...problem.options.errors] }),
  };
  return {
    status,
    headers: { 'content-type': mediaTypeOf(exchange), ...problem.options.headers },
    body: { ...body, ...oauthMembers(exchange, status), ...problem.options.members },
  };
};

/** Turns whatever was thrown into a problem; outages and failures of ours are logged. */
export const problemMiddleware = (baseUrl: string): Middleware => ({
  onError: (request) => {
    const { error, event: exchange } = request;
    const problem = toProblem(error);
    if (problemTypes[problem.code].status >= 500) {
      log({
        level: 'error',
        message: problem.code,
        trace_id: exchange.trace.traceId,
        operation: exchange.route.operation,
        ...(exchange.caller && { tenant_id: exchange.caller.tenant.tenant_id }),
        ...describeError(problem.options.cause),
      });
    }
    request.response = toProblemReply(problem, exchange, baseUrl);
  },
});
