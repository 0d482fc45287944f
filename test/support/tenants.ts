import { randomBytes, randomUUID } from 'node:crypto';
import { tenantTag } from '../../functions/platform/shared/ids.ts';
import type { Tenant } from '../../functions/platform/tenancy/tenant.ts';
import { aTenant } from '../attribution/engine/events.ts';

/** A tenant with an id and a tag of its own, so that tests share tables without sharing rows. It is not stored. */
export const newTenant = (members: Partial<Tenant> = {}): Tenant => {
  const tenant_id = `tenant-${randomUUID()}`;
  return aTenant({ tenant_id, tag: tenantTag(tenant_id, randomBytes(32)), ...members });
};
