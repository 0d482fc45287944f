import type { TenantReader } from '../../platform/tenancy/tenant.store.ts';
import type { Tenant } from '../../platform/tenancy/tenant.ts';

/** Removes the session name (`AROAEXAMPLE:session` → `AROAEXAMPLE`): all sessions of a role are one principal. */
export const principalOf = (senderId: string): string => senderId.split(':', 1)[0] ?? senderId;

/**
 * The tenant of a producer that sends to the ingestion queue: the tenant on which its AWS principal is registered, or the
 * only tenant of a single-tenant stack. Null when there is neither. The message content is never used.
 */
export const tenantIdOfSender = async (
  senderId: string,
  tenants: Pick<TenantReader, 'tenantOfSender'>,
  singleTenant: string | undefined,
): Promise<Tenant['tenant_id'] | null> =>
  (await tenants.tenantOfSender(principalOf(senderId))) ?? singleTenant ?? null;
