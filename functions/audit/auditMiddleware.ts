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
import { deterministicUlid, parseId } from '../shared/ids.ts';
import { orUnavailable, ProblemError, unavailable } from '../shared/problem.ts';
import { HOUR_MS } from '../shared/time/durations.ts';
import type { Caller } from '../tenancy/caller.ts';
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

/**
 * The ULID of a denial of a partner's connector. Equal attempts of an hour have the same, so that a partner cannot fill the
 * log. It is no earlier than the tenant, because the log is read from then on.
 */
const denialUlid = (
  { route, receivedAt }: Exchange,
  { tenant, principal }: Caller,
  code: ErrorCode,
): string =>
  deterministicUlid(
    'audit denial',
    JSON.stringify([principal, route.operation, code]),
    Math.max(receivedAt - (receivedAt % HOUR_MS), Date.parse(tenant.created_at)),
  );

/** The resource id of a refused call. Text in another format is not recorded, since it may be a misplaced secret. */
const resourceOf = ({ gateway, route }: Exchange, tag: string): string | null => {
  const text = gateway.pathParameters?.['id'] ?? '';
  return parseId(text, route.ids?.['id'] ?? '', tag).kind === 'malformed' ? null : text;
};

/** The entry of a refusal, undefined if it is not audited. Separate from the entry of an earlier successful attempt. */
const toRefusalEntry = (exchange: Exchange, error: unknown): AuditEntry | undefined => {
  const auditContext = auditContextOf(exchange, 'audit refusal');
  if (auditContext === undefined || !(error instanceof ProblemError) || UNAUDITED_CODES.has(error.code))
    return undefined;
  const isDenial = DENIALS.has(error.code);
  if (auditContext.action === 'connector.access' && !isDenial) return undefined;
  const { caller } = exchange;
  const ulid =
    isDenial && caller?.connector !== undefined
      ? denialUlid(exchange, caller, error.code)
      : auditContext.ulid;
  return buildAuditEntry(
    { ...auditContext, ulid },
    {
      resource: resourceOf(exchange, auditContext.tag),
      refusal: error.code,
      refusedHost: error.options.refusedHost ?? null,
    },
  );
};

const appendEntry = async (log: AuditLog, { caller }: Exchange, entry: AuditEntry): Promise<void> => {
  if (caller === undefined) return;
  // The commit fails if an earlier attempt has this entry.
  await orUnavailable(() => commit([log.appendOnce(caller.tenant.tenant_id, entry)]));
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
      const entry = toRefusalEntry(exchange, error);
      if (entry !== undefined) await appendEntry(log, exchange, entry);
      throw error;
    }
  };

/**
 * Records calls that are refused before their operation runs. Operations record their successes themselves, in one
 * transaction with the effect. A refused call costs a rate-limit token like any other, so that the log cannot be flooded.
 * If the entry cannot be written, the call returns 503 instead, so that no refusal stays unrecorded.
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
