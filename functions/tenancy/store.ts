import * as z from 'zod';
import { ContractPrices } from '../../schemas/contractPrices.ts';
import {
  deleteDocument,
  putDocument,
  readDocument,
  readVersioned,
  type Versioned,
  type Write,
  type WriteOptions,
  writeDocument,
} from '../shared/document.store.ts';
import { Tenant } from './tenant.ts';

const Sender = z.object({ tenant_id: z.string() });

const tenantKey = (tenantId: string) => ({ pk: `tenant#${tenantId}` });
const pricesKey = (tenantId: string) => ({ pk: `prices#${tenantId}` });
const senderKey = (principal: string) => ({ pk: `sender#${principal}` });

export interface TenantReader {
  readonly tenant: (tenantId: string) => Promise<Tenant | null>;
  /** The tenant an AWS principal is registered on, by the queue's SenderId without its session name. */
  readonly tenantOfSender: (principal: string) => Promise<string | null>;
  /** What the tenant agreed with its providers; empty when nothing was. */
  readonly contractPrices: (tenantId: string) => Promise<ContractPrices>;
}

export const tenantReader = (table: string): TenantReader => ({
  tenant: (tenantId) => readDocument(table, tenantKey(tenantId), Tenant),
  tenantOfSender: async (principal) =>
    (await readDocument(table, senderKey(principal), Sender))?.tenant_id ?? null,
  contractPrices: async (tenantId) => (await readDocument(table, pricesKey(tenantId), ContractPrices)) ?? [],
});

/** For operators' commands only: no route opens tenants or decides who sends for them. */
export const tenantWriter = (table: string) => ({
  tenant: (tenantId: string): Promise<Versioned<Tenant> | null> =>
    readVersioned(table, tenantKey(tenantId), Tenant),
  putTenant: (tenant: Tenant, options: WriteOptions): Write =>
    writeDocument(table, tenantKey(tenant.tenant_id), tenant, options),
  registerSender: (principal: string, tenantId: string): Write =>
    putDocument(table, senderKey(principal), { tenant_id: tenantId }),
  removeSender: (principal: string): Write => deleteDocument(table, senderKey(principal)),
  putContractPrices: (tenantId: string, prices: ContractPrices): Write =>
    putDocument(table, pricesKey(tenantId), prices),
});
