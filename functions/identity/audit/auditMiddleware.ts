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
import { parseId } from '../../platform/shared/ids.ts';
import { ProblemError } from '../../platform/shared/problem.ts';
import type { AuditLog } from './audit.store.ts';
import { buildAuditEntry } from './auditEntry.ts';
import { type HourlyEntries, hourlyEntries } from './hourlyEntries.ts';

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

/** The refusals of a caller that may not make a call. Others, such as of an unknown id, attempt nothing foreign. */
const DENIALS: ReadonlySet<ErrorCode> = new Set([
  'INSUFFICIENT_SCOPE',
  'RESIDENCY_BLOCKED',
  'TENANT_MISMATCH',
]);

/** A refusal to record. Of those that are frequent, the first of equal ones in each hour is recorded. */
interface Refusal {
  readonly entry: AuditEntry;
  readonly isFrequent: boolean;
}

/** The entries of a process: those of changes, and the first of equal reads and denials in each hour. */
interface Entries {
  readonly log: AuditLog;
  readonly recordHourly: HourlyEntries;
}
const entriesOf = (log: AuditLog): Entries => ({ log, recordHourly: hourlyEntries(log) });

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
  if (exchange.route.audit === undefined && !isDenial) return undefined;
  // A partner cannot fill the log, whatever it tries.
  const isPartner = exchange.caller?.connector !== undefined;
  return {
    entry: buildAuditEntry(auditContext, {
      resource: resourceOf(exchange, auditContext.tag),
      refusal: error.code,
      refusedHost: error.options.refusedHost ?? null,
    }),
    isFrequent: isDenial && (isPartner || exchange.route.audit === undefined),
  };
};

const record = async (
  { log, recordHourly }: Entries,
  { caller, receivedAt, claim, route }: Exchange,
  { entry, isFrequent }: Refusal,
): Promise<void> => {
  if (caller === undefined) return;
  const { tenant_id: tenantId } = caller.tenant;
  // The commit fails if an earlier attempt has this entry, or if another attempt of the call has taken over: what refuses
  // this one can be the effect of the other.
  const guards = claim === undefined ? [] : [claim.guard];
  if (isFrequent) {
    // The id of a refused call is the caller's choice, and does not make calls different.
    const like = [entry.action, caller.principal, route.operation, entry.error_code];
    return recordHourly({ tenantId, entry, like, at: receivedAt }, guards);
  }
  await commit([log.appendOnce(tenantId, entry), ...guards]);
};

/** Records who read single records. */
const recordRead = async ({ recordHourly }: Entries, exchange: Exchange): Promise<void> => {
  const { caller, route, receivedAt } = exchange;
  const auditContext = auditContextOf(exchange);
  if (caller === undefined || auditContext?.action !== 'records.read') return;
  const resource = resourceOf(exchange, auditContext.tag);
  await recordHourly({
    tenantId: caller.tenant.tenant_id,
    entry: buildAuditEntry(auditContext, { resource }),
    like: ['records.read', caller.principal, route.operation, resource],
    at: receivedAt,
  });
};

/**
 * Records a refusal of an operation before the refusal is stored as its idempotent response. In the other order, a retry
 * after an outage of the audit log would replay the stored response without an entry.
 */
export const recordRefusals = (log: AuditLog, run: RequestHandler): RequestHandler => {
  const entries = entriesOf(log);
  return async (exchange) => {
    try {
      return await run(exchange);
    } catch (error) {
      const refusal = toRefusal(exchange, error);
      if (refusal !== undefined) await record(entries, exchange, refusal);
      throw error;
    }
  };
};

/**
 * Records reads of single records, and calls that are refused before their operation runs. Operations record their changes
 * themselves, in one transaction with the effect. A refused call costs a rate-limit token like any other, so that the log
 * cannot be flooded. If the entry cannot be written, the call returns that failure instead, so that nothing stays
 * unrecorded.
 */
export const auditMiddleware = (log: AuditLog, limiter: Limiter): Middleware => {
  const entries = entriesOf(log);
  return {
    after: ({ event: exchange }) => recordRead(entries, exchange),
    onError: async (request) => {
      const { error, event: exchange } = request;
      const { caller, claim, headers, isCharged } = exchange;
      const refusal = toRefusal(exchange, error);
      const isRecorded = claim !== undefined || headers[REPLAYED_HEADER] !== undefined;
      if (refusal === undefined || caller === undefined || isRecorded) return;
      try {
        if (!isCharged) await charge(exchange, caller, limiter);
        await record(entries, exchange, refusal);
      } catch (failure) {
        request.error =
          failure instanceof Error ? failure : new Error('the refusal was not recorded', { cause: failure });
      }
    },
  };
};
