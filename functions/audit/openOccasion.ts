import type { AuditAction, AuditActor } from '../../schemas/access/audit.ts';
import type { Occasion } from '../http/auditContext.ts';
import { claimedUlid } from '../shared/ids.ts';

/** What every call knows of itself. */
export interface CallAt {
  readonly requestId: string;
  /** Epoch milliseconds. */
  readonly receivedAt: number;
  readonly origin: Pick<Occasion, 'sourceIp' | 'traceId'>;
}

/** What a call at an open endpoint tells the audit log: there the operation itself finds out who acts in which tenant. */
export const openOccasion = (
  { requestId, receivedAt, origin }: CallAt,
  told: { readonly tag: string; readonly action: AuditAction; readonly actor: AuditActor },
): Occasion => ({
  ...told,
  ...origin,
  ulid: claimedUlid(told.action, requestId, receivedAt),
});
