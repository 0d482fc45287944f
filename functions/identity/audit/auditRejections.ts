import type { AuditActor } from '../../../schemas/identity/audit.ts';
import { deterministicUlid } from '../../platform/shared/ids.ts';
import { describeError, log } from '../../platform/shared/log.ts';
import type { Tenant } from '../../platform/tenancy/tenant.ts';
import type { AuditLog } from './audit.store.ts';
import { buildAuditEntry } from './auditEntry.ts';
import { hourlyEntries } from './hourlyEntries.ts';

/** A statement that its credential had no authority for. */
export interface Rejection {
  readonly actor: AuditActor;
  /** Id of what the statement is about. */
  readonly resource: string;
  /** Epoch milliseconds. */
  readonly at: number;
}

/**
 * Records that a statement was rejected: one entry an hour for each credential. Never throws: the statement is rejected and
 * counted.
 */
export const rejectionAuditor = (audit: AuditLog) => {
  const recordHourly = hourlyEntries(audit);
  return async (
    { tenant_id: tenantId, tag }: Pick<Tenant, 'tenant_id' | 'tag'>,
    { actor, resource, at }: Rejection,
  ): Promise<void> => {
    const ulid = deterministicUlid('rejected statement', JSON.stringify([tenantId, actor.id]), at);
    const context = { ulid, tag, action: 'statement.reject', actor, sourceIp: null, traceId: null } as const;
    try {
      const entry = buildAuditEntry(context, { resource, refusal: 'INSUFFICIENT_SCOPE' });
      await recordHourly({ tenantId, entry, like: ['statement.reject', actor.id], at });
    } catch (error) {
      log({ level: 'warn', message: 'a rejected statement was not audited', ...describeError(error) });
    }
  };
};
export type AuditRejection = ReturnType<typeof rejectionAuditor>;
