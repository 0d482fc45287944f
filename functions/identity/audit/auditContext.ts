import type { AuditAction, AuditActor } from '../../../schemas/identity/audit.ts';
import type { AuditContext } from '../../platform/http/auditContext.ts';
import { deterministicUlid } from '../../platform/shared/ids.ts';

/** The request data of a public endpoint that its audit entries need. */
export interface CallInfo {
  readonly requestId: string;
  /** Epoch milliseconds. */
  readonly receivedAt: number;
  readonly origin: Pick<AuditContext, 'sourceIp' | 'traceId'>;
}

/** The audit context of a call to a public endpoint, where the operation itself identifies actor and tenant. */
export const createAuditContext = (
  { requestId, receivedAt, origin }: CallInfo,
  subject: { readonly tag: string; readonly action: AuditAction; readonly actor: AuditActor },
): AuditContext => ({
  ...subject,
  ...origin,
  ulid: deterministicUlid(subject.action, requestId, receivedAt),
});
