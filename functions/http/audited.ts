import type { AuditEntry } from '../../schemas/audit.ts';
import type { ErrorCode } from '../../schemas/problems.ts';
import { auditEntry, type Occasion } from '../audit/entry.ts';
import type { AuditLog } from '../audit/store.ts';
import type { Limiter } from '../limits/limiter.ts';
import { commit } from '../shared/document.store.ts';
import { claimedUlid, parseId } from '../shared/ids.ts';
import type { Exchange } from './exchange.ts';
import { REPLAYED } from './idempotencyKey.ts';
import { charge } from './limit.ts';
import type { Run } from './operation.ts';
import { orUnavailable, ProblemError, unavailable } from './problem.ts';
import type { Step } from './step.ts';

/**
 * What a call tells the audit log; undefined where its route names no action, or nobody is known to act.
 * Its id follows from the call's claim, so a retry tells it once; a refused call, which holds none, tells it each time.
 */
export const occasionOf = (exchange: Exchange, kind = 'audit'): Occasion | undefined => {
  const { route, caller, receivedAt, claim, gateway, trace, lambda } = exchange;
  if (route.audit === undefined || caller === undefined) return undefined;
  return {
    ulid: claimedUlid(kind, claim?.claim ?? lambda.awsRequestId, receivedAt),
    tag: caller.tenant.tag,
    action: route.audit,
    actor: { type: caller.kind, id: caller.principal },
    sourceIp: gateway.requestContext.http.sourceIp,
    traceId: trace.traceId,
  };
};

/** Refusals that say nothing of who tried to do what: the request was not understood, came too often, or met an outage. */
const UNTOLD: ReadonlySet<ErrorCode> = new Set([
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
const refusalOf = (exchange: Exchange, error: unknown): AuditEntry | undefined => {
  const occasion = occasionOf(exchange, 'audit refusal');
  if (occasion === undefined || !(error instanceof ProblemError) || UNTOLD.has(error.code)) return undefined;
  return auditEntry(occasion, { resource: resourceOf(exchange, occasion.tag), refusal: error.code });
};

const tell = async (log: AuditLog, { caller }: Exchange, entry: AuditEntry): Promise<void> => {
  if (caller === undefined) return;
  await orUnavailable(() => commit([log.append(caller.tenant.tenant_id, entry)]));
};

/**
 * Records what an operation refuses before the refusal is kept as its response: were it kept first, a log that is down
 * would be passed over by the retry, which finds the response.
 */
export const tellingRefusals =
  (log: AuditLog, run: Run): Run =>
  async (exchange) => {
    try {
      return await run(exchange);
    } catch (error) {
      const entry = refusalOf(exchange, error);
      if (entry !== undefined) await tell(log, exchange, entry);
      throw error;
    }
  };

/**
 * Records attempts that are refused before their operation runs. What succeeded is recorded by the operation itself,
 * in one transaction with its effect. An attempt costs a token like any other call, so that nobody can flood the log;
 * one that cannot be recorded is answered 503: nothing about credentials goes by unseen.
 */
export const audited = (log: AuditLog, limiter: Limiter): Step => ({
  onError: async (request) => {
    const { error, event: exchange } = request;
    const { caller, claim, headers, charged } = exchange;
    const entry = refusalOf(exchange, error);
    const isTold = claim !== undefined || headers[REPLAYED] !== undefined;
    if (entry === undefined || caller === undefined || isTold) return;
    try {
      if (!charged) await charge(exchange, caller, limiter);
      await tell(log, exchange, entry);
    } catch (failure) {
      request.error = failure instanceof ProblemError ? failure : unavailable(failure);
    }
  },
});
