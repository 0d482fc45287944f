import { type Problem, problemSlug, problemTypes } from '../../../schemas/problems.ts';
import { describeError, log } from '../shared/log.ts';
import { annotate, measure } from '../shared/metrics.ts';
import { type ProblemError, toProblem, unavailable } from '../shared/problem.ts';
import { type Exchange, headerOf } from './exchange.ts';
import type { Reply } from './reply.ts';
import { toStatusReply } from './rpcStatus.ts';

export const PROBLEM_MEDIA_TYPE = 'application/problem+json';

/**
 * RFC 6749 §5.2 requires application/json, and OAuth libraries read `error` from nothing else. A caller of an OAuth
 * endpoint that accepts only application/json receives the same body with that type. Other callers receive a problem, and
 * so does everybody with a 401: libraries recognize it by its WWW-Authenticate header.
 */
const mediaTypeOf = (exchange: Exchange, status: number): string => {
  if (status === 401) return PROBLEM_MEDIA_TYPE;
  const accepted = (headerOf(exchange, 'accept') ?? '')
    .split(',')
    .map((range) => range.split(';')[0]?.trim());
  const acceptsProblems = ['', '*/*', 'application/*', PROBLEM_MEDIA_TYPE].some((range) =>
    accepted.includes(range),
  );
  const isOAuth = exchange.route.body?.kind === 'form';
  return isOAuth && !acceptsProblems && accepted.includes('application/json')
    ? 'application/json'
    : PROBLEM_MEDIA_TYPE;
};

/** OAuth clients read `error` (RFC 6749 §5.2). If the operation sets none, it follows from the status. */
const oauthMembers = (exchange: Exchange, status: number, detail: string) =>
  exchange.route.body?.kind === 'form'
    ? { error: status >= 500 ? 'server_error' : 'invalid_request', error_description: detail }
    : {};

/** The RFC 9457 response of a problem: catalogue text and trace id, without the internal cause. */
const problemReply = (problem: ProblemError, exchange: Exchange, baseUrl: string) => {
  const type = problemTypes[problem.code];
  const page = `${baseUrl}/errors/${problemSlug(problem.code)}`;
  const status = problem.options.status ?? type.status;
  const challenge = problem.options.headers?.['www-authenticate'];
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
    // API Gateway renames the header, so that many clients do not find it.
    ...(challenge !== undefined && { www_authenticate: challenge }),
    ...((status === 400 || status === 422) && {
      errors: [...(problem.options.errors ?? [{ detail: problem.detail }])],
    }),
  };
  return {
    status,
    headers: { 'content-type': mediaTypeOf(exchange, status), ...problem.options.headers },
    body: { ...body, ...oauthMembers(exchange, status, problem.detail), ...problem.options.members },
  };
};

/**
 * The reply to a request that failed with this error. A 5xx is logged with its cause. A route may declare another code for
 * faults of the service.
 */
export const answerError = (error: unknown, exchange: Exchange, baseUrl: string): Reply => {
  const problem = toProblem(error);
  const { status } = problemTypes[problem.code];
  measure(status === 401 ? 'unauthenticated' : 'refused');
  annotate('code', problem.code);
  if (status >= 500) {
    log({
      level: 'error',
      message: problem.code,
      trace_id: exchange.trace.traceId,
      operation: exchange.route.operation,
      ...(exchange.caller && { tenant_id: exchange.caller.tenant.tenant_id }),
      ...describeError(problem.options.cause),
    });
  }
  const isHidden = problem.code === 'INTERNAL_ERROR' && exchange.route.faultCode !== undefined;
  const reply = problemReply(isHidden ? unavailable(error) : problem, exchange, baseUrl);
  return exchange.route.body?.kind === 'otlp' ? toStatusReply(reply, exchange) : reply;
};
