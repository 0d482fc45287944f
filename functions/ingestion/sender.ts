import type { TenantReader } from '../tenancy/tenant.store.ts';
import type { Tenant } from '../tenancy/tenant.ts';

/** `AROAEXAMPLE:session` → `AROAEXAMPLE`: a role's sessions are one principal. */
export const principalOf = (senderId: string): string => senderId.split(':', 1)[0] ?? senderId;

/**
 * The tenant a producer sends for when it puts events straight on the ingestion queue: the one its AWS principal is
 * registered on, else the only tenant of a self-hosted stack. Never from the message.
 */
export const tenantIdOfSender = async (
  senderId: string,
  tenants: Pick<TenantReader, 'tenantOfSender'>,
  singleTenant: string | undefined,
): Promise<Tenant['tenant_id'] | null> =>
  (await tenants.tenantOfSender(principalOf(senderId))) ?? singleTenant ?? null;
