import type { AuditEntry } from '../../../schemas/identity/audit.ts';
import type { ErrorCode } from '../../../schemas/problems.ts';
import { auditContextOf } from '../../platform/http/auditContext.ts';
import type { Exchange } from '../../platform/http/exchange.ts';
import type { Middleware } from '../../platform/http/middleware.ts';
import type { RequestHandler } from '../../platform/http/operation.ts';
import { REPLAYED_HEADER } from '../../platform/idempotency/idempotencyKey.ts';
import type { Limiter } from '../../platform/limits/limiter.ts';
import { charge } from '../../platform/limits/rateLimitMiddleware.ts';
import { commit } from '../../platform/shared/aws/document.store.ts';
import { sha256Of } from '../../platform/shared/hash.ts';
import { parseId } from '../../platform/shared/ids.ts';
import { ProblemError } from '../../platform/shared/problem.ts';
import type { Caller } from '../../platform/tenancy/caller.ts';
import type { AuditLog } from './audit.store.ts';
import { buildAuditEntry } from './auditEntry.ts';

/** Refusals that are not audited: malformed requests, rate limits and outages say nothing about an attempted change. */
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

/** The refusals of a caller that may not call an operation. Others, such as of an unknown id, attempt nothing foreign. */
const DENIALS: ReadonlySet<ErrorCode> = new Set(['INSUFFICIENT_SCOPE', 'RESIDENCY_BLOCKED']);

/** A refusal to record. Of those with the same denial, one an hour is recorded. */
interface Refusal {
  readonly entry: AuditEntry;
  readonly denial: string | null;
}

/** Names equal denials of a partner's connector, so that a partner cannot fill the log. */
const denialOf = ({ route }: Exchange, { principal }: Caller, code: ErrorCode): string =>
  sha256Of('audit denial', principal, route.operation, code).toString('base64url');

/** The resource id of a refused call. Text in another format is not recorded, since it may be a misplaced secret. */
const resourceOf = ({ gateway, route }: Exchange, tag: string): string | null => {
  const text = gateway.pathParameters?.['id'] ?? '';
  return parseId(text, route.ids?.['id'] ?? '', tag).kind === 'malformed' ? null : text;
};

/** A refusal, undefined if it is not audited. Its entry is separate from that of an earlier successful attempt. */
const toRefusal = (exchange: Exchange, error: unknown): Refusal | undefined => {
  const auditContext = auditContextOf(exchange, 'audit refusal');
  if (auditContext === undefined || !(error instanceof ProblemError) || UNAUDITED_CODES.has(error.code))
    return undefined;
  const isDenial = DENIALS.has(error.code);
  if (auditContext.action === 'connector.access' && !isDenial) return undefined;
  const { caller } = exchange;
  return {
    entry: buildAuditEntry(auditContext, {
      resource: resourceOf(exchange, auditContext.tag),
      refusal: error.code,
      refusedHost: error.options.refusedHost ?? null,
    }),
    denial: isDenial && caller?.connector !== undefined ? denialOf(exchange, caller, error.code) : null,
  };
};

const record = async (
  log: AuditLog,
  { caller, receivedAt, claim }: Exchange,
  { entry, denial }: Refusal,
): Promise<void> => {
  if (caller === undefined) return;
  const { tenant_id: tenantId } = caller.tenant;
  // The commit fails if an earlier attempt has this entry, if an equal denial was recorded within the last hour, or if
  // another attempt of the call has taken over: what refuses this one can be the effect of the other.
  await commit([
    log.appendOnce(tenantId, entry),
    ...(claim === undefined ? [] : [claim.guard]),
    ...(denial === null ? [] : [log.admitDenial(tenantId, denial, receivedAt)]),
  ]);
};

/**
 * Records a refusal of an operation before the refusal is stored as its idempotent response. In the other order, a retry
 * after an outage of the audit log would replay the stored response without an entry.
 */
export const recordRefusals =
  (log: AuditLog, run: RequestHandler): RequestHandler =>
  async (exchange) => {
    try {
      return await run(exchange);
    } catch (error) {
      const refusal = toRefusal(exchange, error);
      if (refusal !== undefined) await record(log, exchange, refusal);
      throw error;
    }
  };

/**
 * Records calls that are refused before their operation runs. Operations record their successes themselves, in one
 * transaction with the effect. A refused call costs a rate-limit token like any other, so that the log cannot be flooded.
 * If the entry cannot be written, the call returns that failure instead, so that no refusal stays unrecorded.
 */
export const auditMiddleware = (log: AuditLog, limiter: Limiter): Middleware => ({
  onError: async (request) => {
    const { error, event: exchange } = request;
    const { caller, claim, headers, isCharged } = exchange;
    const refusal = toRefusal(exchange, error);
    const isRecorded = claim !== undefined || headers[REPLAYED_HEADER] !== undefined;
    if (refusal === undefined || caller === undefined || isRecorded) return;
    try {
      if (!isCharged) await charge(exchange, caller, limiter);
      await record(log, exchange, refusal);
    } catch (failure) {
      request.error =
        failure instanceof Error ? failure : new Error('the refusal was not recorded', { cause: failure });
    }
  },
});
