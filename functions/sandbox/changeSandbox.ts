import type { Sandbox, SandboxState } from '../../schemas/sandbox.ts';
import type { AuditLog } from '../audit/audit.store.ts';
import { buildAuditEntry } from '../audit/auditEntry.ts';
import type { AuditContext } from '../http/auditContext.ts';
import type { Revision } from '../shared/aws/document.store.ts';
import { orUnavailable } from '../shared/problem.ts';
import { updateWithRetry } from '../shared/retry/optimisticUpdate.ts';
import type { Tenant } from '../tenancy/tenant.ts';
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
  await orUnavailable(() =>
    updateWithRetry(
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
    ),
  );
  if (result === undefined) throw notASandbox();
  return toSandbox(result, receivedAt);
};
