import type { AuditEntry } from '../../schemas/access/audit.ts';
import type { ErrorCode } from '../../schemas/problems.ts';
import { auditContextOf } from '../http/auditContext.ts';
import type { Exchange } from '../http/exchange.ts';
import type { Middleware } from '../http/middleware.ts';
import type { RequestHandler } from '../http/operation.ts';
import { REPLAYED_HEADER } from '../idempotency/idempotencyKey.ts';
import type { Limiter } from '../limits/limiter.ts';
import { charge } from '../limits/rateLimitMiddleware.ts';
import { commit } from '../shared/aws/document.store.ts';
import { parseId } from '../shared/ids.ts';
import { orUnavailable, ProblemError, unavailable } from '../shared/problem.ts';
import type { AuditLog } from './audit.store.ts';
import { buildAuditEntry } from './auditEntry.ts';

/** Refusals that say nothing of who tried to do what: the request was not understood, came too often, or met an outage. */
const UNAUDITED_CODES: ReadonlySet<ErrorCode> = new Set([
  'RATE_LIMITED',
  'INVALID_REQUEST',
  'IDEMPOTENCY_KEY_REQUIRED',
  'IDEMPOTENCY_CONFLICT',
  'IDEMPOTENCY_IN_PROGRESS',
  'PAYLOAD_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
  'SERVICE_UNAVAILABLE',
  'INTERNAL_ERROR',
]);

/** The id a refused call named. What is none of ours may be anything, a secret pasted in the wrong place included. */
const resourceOf = ({ gateway, route }: Exchange, tag: string): string | null => {
  const text = gateway.pathParameters?.['id'] ?? '';
  return parseId(text, route.ids?.['id'] ?? '', tag).kind === 'malformed' ? null : text;
};

/** The entry of a refusal, beside the one of what the call may have done in an attempt before. Undefined if there is none to write. */
const toRefusalEntry = (exchange: Exchange, error: unknown): AuditEntry | undefined => {
  const auditContext = auditContextOf(exchange, 'audit refusal');
  if (auditContext === undefined || !(error instanceof ProblemError) || UNAUDITED_CODES.has(error.code))
    return undefined;
  return buildAuditEntry(auditContext, {
    resource: resourceOf(exchange, auditContext.tag),
    refusal: error.code,
  });
};

const appendEntry = async (log: AuditLog, { caller }: Exchange, entry: AuditEntry): Promise<void> => {
  if (caller === undefined) return;
  await orUnavailable(() => commit([log.append(caller.tenant.tenant_id, entry)]));
};

/**
 * Records what an operation refuses before the refusal is kept as its response: were it kept first, a log that is down
 * would be passed over by the retry, which finds the response.
 */
export const recordRefusals =
  (log: AuditLog, run: RequestHandler): RequestHandler =>
  async (exchange) => {
    try {
      return await run(exchange);
    } catch (error) {
      const entry = toRefusalEntry(exchange, error);
      if (entry !== undefined) await appendEntry(log, exchange, entry);
      throw error;
    }
  };

/**
 * Records attempts that are refused before their operation runs. What succeeded is recorded by the operation itself,
 * in one transaction with its effect. An attempt costs a token like any other call, so that nobody can flood the log;
 * one that cannot be recorded is answered 503: nothing about credentials goes by unseen.
 */
export const auditMiddleware = (log: AuditLog, limiter: Limiter): Middleware => ({
  onError: async (request) => {
    const { error, event: exchange } = request;
    const { caller, claim, headers, isCharged } = exchange;
    const entry = toRefusalEntry(exchange, error);
    const isRecorded = claim !== undefined || headers[REPLAYED_HEADER] !== undefined;
    if (entry === undefined || caller === undefined || isRecorded) return;
    try {
      if (!isCharged) await charge(exchange, caller, limiter);
      await appendEntry(log, exchange, entry);
    } catch (failure) {
      request.error = failure instanceof ProblemError ? failure : unavailable(failure);
    }
  },
});
