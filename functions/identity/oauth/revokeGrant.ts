import type { AuditAction, AuditActor } from '../../../schemas/identity/audit.ts';
import { commitWithRetry } from '../../platform/shared/retry/optimisticUpdate.ts';
import { toIso } from '../../platform/shared/time/toIso.ts';
import type { GrantWriter } from '../access/grants/grant.store.ts';
import { CONSOLE_CLIENT_ID } from '../access/principals/consoleClient.ts';
import type { AuditLog } from '../audit/audit.store.ts';
import { type CallInfo, createAuditContext } from '../audit/auditContext.ts';
import { buildAuditEntry } from '../audit/auditEntry.ts';

/** Revokes a grant and all of its tokens, effective with the next request. Writes one audit entry, also when repeated. */
export const revokeGrant = async (
  grantId: string,
  action: Extract<AuditAction, 'token.revoke' | 'token.reuse'>,
  call: CallInfo,
  { grantWriter, audit }: { readonly grantWriter: GrantWriter; readonly audit: AuditLog },
): Promise<void> => {
  const by = { claim: call.requestId, attempt: 1 };
  await commitWithRetry(async () => {
    const found = await grantWriter.grant(grantId);
    if (found === null || found.document.revoked_at !== null) return { writes: [], result: undefined };
    const { document: grant, revision } = found;
    const { client_id, user_id, tenant_id, tenant_tag: tag } = grant;
    // In the console, users end their own grants.
    const actor: AuditActor =
      client_id === CONSOLE_CLIENT_ID
        ? { type: 'user', id: user_id }
        : { type: 'oauth_client', id: client_id };
    const auditContext = createAuditContext(call, { tag, action, actor });
    const revoked = { ...grant, revoked_at: toIso(call.receivedAt) };
    return {
      writes: [
        grantWriter.putGrant(revoked, { expectedRevision: revision, by }),
        audit.append(tenant_id, buildAuditEntry(auditContext, { resource: grantId })),
      ],
      result: undefined,
    };
  });
};
