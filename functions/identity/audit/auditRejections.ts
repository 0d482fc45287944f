import { HOUR_MS } from '../../../schemas/durations.ts';
import type { AuditActor } from '../../../schemas/identity/audit.ts';
import { commit } from '../../platform/shared/aws/document.store.ts';
import { setBounded } from '../../platform/shared/boundedMap.ts';
import { sha256Of } from '../../platform/shared/hash.ts';
import { deterministicUlid } from '../../platform/shared/ids.ts';
import { describeError, log } from '../../platform/shared/log.ts';
import { isHeld } from '../../platform/shared/time/lease.ts';
import type { Tenant } from '../../platform/tenancy/tenant.ts';
import type { AuditLog } from './audit.store.ts';
import { buildAuditEntry } from './auditEntry.ts';

/** Most credentials kept in memory. */
const CAPACITY = 1_000;

/** A statement that its credential had no authority for. */
export interface Rejection {
  readonly actor: AuditActor;
  /** Id of what the statement is about. */
  readonly resource: string;
  /** Epoch milliseconds. */
  readonly at: number;
}

/**
 * Records that a statement was rejected: one entry an hour for each credential, so that nobody can fill the log. A process
 * remembers what it has recorded, so most rejections cost no call. Never throws: the statement is rejected and counted.
 */
export const rejectionAuditor = (audit: AuditLog) => {
  const recordedAt = new Map<string, number>();
  return async (
    { tenant_id: tenantId, tag }: Pick<Tenant, 'tenant_id' | 'tag'>,
    { actor, resource, at }: Rejection,
  ): Promise<void> => {
    const name = sha256Of('rejected statement', tenantId, actor.id).toString('base64url');
    const recorded = recordedAt.get(name);
    if (recorded !== undefined && isHeld({ until: recorded + HOUR_MS }, HOUR_MS, at)) return;
    setBounded(recordedAt, name, at, CAPACITY);
    const ulid = deterministicUlid('rejected statement', JSON.stringify([tenantId, actor.id]), at);
    const context = { ulid, tag, action: 'statement.reject', actor, sourceIp: null, traceId: null } as const;
    try {
      const entry = buildAuditEntry(context, { resource, refusal: 'INSUFFICIENT_SCOPE' });
      await commit([audit.appendOnce(tenantId, entry), audit.admitDenial(tenantId, name, at)]);
    } catch (error) {
      recordedAt.delete(name);
      log({ level: 'warn', message: 'a rejected statement was not audited', ...describeError(error) });
    }
  };
};
export type AuditRejection = ReturnType<typeof rejectionAuditor>;
