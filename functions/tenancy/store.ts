import * as z from 'zod';
import { readDocument, writeDocument } from '../shared/document.store.ts';
import { Tenant } from './tenant.ts';

const Sender = z.object({ tenant_id: z.string() });

const tenantKey = (tenantId: string) => `tenant#${tenantId}`;
const senderKey = (principal: string) => `sender#${principal}`;

export interface TenantReader {
  readonly tenant: (tenantId: string) => Promise<Tenant | null>;
  /** The tenant an AWS principal is registered on, by the queue's SenderId without its session name. */
  readonly tenantOfSender: (principal: string) => Promise<string | null>;
}

export const tenantReader = (table: string): TenantReader => ({
  tenant: (tenantId) => readDocument(table, tenantKey(tenantId), Tenant),
  tenantOfSender: async (principal) =>
    (await readDocument(table, senderKey(principal), Sender))?.tenant_id ?? null,
});

/** For operators' commands only: no route writes tenants. */
export const tenantWriter = (table: string) => ({
  /** False when the tenant exists already. */
  create: (tenant: Tenant) => writeDocument(table, tenantKey(tenant.tenant_id), tenant, { create: true }),
  replace: (tenant: Tenant) => writeDocument(table, tenantKey(tenant.tenant_id), tenant),
  registerSender: (principal: string, tenantId: string) =>
    writeDocument(table, senderKey(principal), { tenant_id: tenantId }),
});
