import type { Sandbox, SandboxState } from '../../../schemas/sandbox.ts';
import type { AuditLog } from '../../identity/audit/audit.store.ts';
import { buildAuditEntry } from '../../identity/audit/auditEntry.ts';
import type { AuditContext } from '../../platform/http/auditContext.ts';
import type { Revision } from '../../platform/shared/aws/document.store.ts';
import { updateWithRetry } from '../../platform/shared/retry/optimisticUpdate.ts';
import type { Tenant } from '../../platform/tenancy/tenant.ts';
import type { SandboxStore } from './sandbox.store.ts';
import { notASandbox, toSandbox } from './sandbox.ts';

interface ChangeCall {
  readonly tenant: Tenant;
  readonly receivedAt: number;
  readonly claim: Revision;
  readonly auditContext: AuditContext;
  readonly stores: { readonly sandboxes: SandboxStore; readonly audit: AuditLog };
}

/** Changes a sandbox in one transaction with its audit entry. Throws CONFLICT for a tenant that is not a sandbox. */
export const changeSandbox = async (
  { tenant, receivedAt, claim, auditContext, stores }: ChangeCall,
  change: (state: SandboxState) => SandboxState,
): Promise<Sandbox> => {
  if (tenant.sandbox !== true) throw notASandbox();
  const tenantId = tenant.tenant_id;
  let result: SandboxState | undefined;
  await updateWithRetry(
    claim,
    async () => {
      const found = await stores.sandboxes.find(tenantId);
      if (found === null) throw notASandbox();
      return found;
    },
    ({ document, revision }, isRetry) => {
      result = isRetry ? document : change(document);
      if (isRetry) return null;
      return [
        stores.sandboxes.put(tenantId, result, { expectedRevision: revision, by: claim }),
        stores.audit.append(tenantId, buildAuditEntry(auditContext, { resource: tenantId })),
      ];
    },
  );
  if (result === undefined) throw notASandbox();
  return toSandbox(result, receivedAt);
};
