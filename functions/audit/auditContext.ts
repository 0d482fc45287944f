import type { AuditAction, AuditActor } from '../../schemas/access/audit.ts';
import type { AuditContext } from '../http/auditContext.ts';
import { deterministicUlid } from '../shared/ids.ts';

/** What every call knows of itself. */
export interface CallInfo {
  readonly requestId: string;
  /** Epoch milliseconds. */
  readonly receivedAt: number;
  readonly origin: Pick<AuditContext, 'sourceIp' | 'traceId'>;
}

/** What a call at an open endpoint tells the audit log: there the operation itself finds out who acts in which tenant. */
export const createAuditContext = (
  { requestId, receivedAt, origin }: CallInfo,
  subject: { readonly tag: string; readonly action: AuditAction; readonly actor: AuditActor },
): AuditContext => ({
  ...subject,
  ...origin,
  ulid: deterministicUlid(subject.action, requestId, receivedAt),
});
