import type { AuditAction } from '../../schemas/access/audit.ts';
import type { GrantWriter } from '../access/grant.store.ts';
import type { AuditLog } from '../audit/auditLog.store.ts';
import { auditEntry } from '../audit/entry.ts';
import { type CallAt, openOccasion } from '../audit/openOccasion.ts';
import { change } from '../shared/change.ts';

/** Ends a grant and with it every token it gave, from the next request on. Tells the audit log once. */
export const revokeGrant = async (
  grantId: string,
  action: Extract<AuditAction, 'token.revoke' | 'token.reuse'>,
  call: CallAt,
  { grantWriter, audit }: { readonly grantWriter: GrantWriter; readonly audit: AuditLog },
): Promise<void> => {
  const by = { claim: call.requestId, attempt: 1 };
  await change(
    by,
    () => grantWriter.grant(grantId),
    ({ document: grant, revision }) => {
      if (grant.revoked_at !== null) return null;
      const { client_id, tenant_id, tenant_tag: tag } = grant;
      const occasion = openOccasion(call, { tag, action, actor: { type: 'oauth_client', id: client_id } });
      const revoked = { ...grant, revoked_at: new Date(call.receivedAt).toISOString() };
      return [
        grantWriter.putGrant(revoked, { seen: revision, by }),
        audit.append(tenant_id, auditEntry(occasion, { resource: grantId })),
      ];
    },
  );
};
