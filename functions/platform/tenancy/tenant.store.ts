import { ScanCommand } from '@aws-sdk/client-dynamodb';
import * as z from 'zod';
import { ContractPrices } from '../../../schemas/attribution/contractPrices.ts';
import { NodePools } from '../../../schemas/attribution/nodePools.ts';
import {
  deleteDocument,
  NO_REVISION,
  putDocument,
  readDocument,
  readVersioned,
  type Versioned,
  type Write,
  type WriteOptions,
  writeDocument,
} from '../shared/aws/document.store.ts';
import { dynamodb } from '../shared/aws/dynamodb.client.ts';
import { Tenant } from './tenant.ts';

const Sender = z.object({ tenant_id: z.string() });

const tenantKey = (tenantId: string) => ({ pk: `tenant#${tenantId}` });
const pricesKey = (tenantId: string) => ({ pk: `prices#${tenantId}` });
const poolsKey = (tenantId: string) => ({ pk: `nodePools#${tenantId}` });
const senderKey = (principal: string) => ({ pk: `sender#${principal}` });

export interface TenantReader {
  readonly tenant: (tenantId: string) => Promise<Tenant | null>;
  /** The tenant that an AWS principal sends for. `principal` is the SenderId of SQS without the session name. */
  readonly tenantOfSender: (principal: string) => Promise<string | null>;
  /** The contract prices of the tenant with its providers; empty if there are none. */
  readonly contractPrices: (tenantId: string) => Promise<ContractPrices>;
  /** The own nodes of the tenant; empty if there are none. */
  readonly nodePools: (tenantId: string) => Promise<NodePools>;
}

export const tenantReader = (table: string): TenantReader => ({
  tenant: (tenantId) => readDocument(table, tenantKey(tenantId), Tenant),
  tenantOfSender: async (principal) =>
    (await readDocument(table, senderKey(principal), Sender))?.tenant_id ?? null,
  contractPrices: async (tenantId) => (await readDocument(table, pricesKey(tenantId), ContractPrices)) ?? [],
  nodePools: async (tenantId) => (await readDocument(table, poolsKey(tenantId), NodePools)) ?? [],
});

/** A tenant as a list names it. */
export interface ListedTenant {
  readonly tenant_id: string;
  readonly isSandbox: boolean;
}

/** False for a text that cannot be read, so that one broken row does not stop a list. */
const isSandboxText = (text: string): boolean => {
  try {
    const document: { readonly sandbox?: unknown } | null = JSON.parse(text);
    return document?.sandbox === true;
  } catch {
    return false;
  }
};

/** All tenants. For schedules and commands only, because it scans the table. */
export const tenantDirectory = (table: string) => {
  const scan = async (after: string | null, limit?: number) => {
    const { Items = [], LastEvaluatedKey } = await dynamodb.send(
      new ScanCommand({
        TableName: table,
        FilterExpression: 'begins_with(pk, :tenant)',
        ExpressionAttributeValues: { ':tenant': { S: tenantKey('').pk } },
        ...(after !== null && { ExclusiveStartKey: { pk: { S: after } } }),
        ...(limit !== undefined && { Limit: limit }),
      }),
    );
    return { items: Items, next: LastEvaluatedKey?.['pk']?.S ?? null };
  };
  return {
    /** The tenants after a key, of at most `limit` examined rows. A row that cannot be read is listed by its key. */
    list: async (after: string | null, limit: number) => {
      const { items, next } = await scan(after, limit);
      const tenants = items.map(
        (item): ListedTenant => ({
          tenant_id: (item['pk']?.S ?? '').slice(tenantKey('').pk.length),
          isSandbox: isSandboxText(item['document']?.S ?? ''),
        }),
      );
      return { tenants, next };
    },
    /** Throws for a tenant that cannot be read. */
    pages: async function* (): AsyncGenerator<Tenant[]> {
      let after: string | null = null;
      do {
        const page = await scan(after);
        yield page.items.map((item) => Tenant.parse(JSON.parse(item['document']?.S ?? '{}')));
        after = page.next;
      } while (after !== null);
    },
  };
};

/** Changes a tenant may make to its own settings. */
export interface TenantSettingsWriter {
  readonly tenant: (tenantId: string) => Promise<Versioned<Tenant> | null>;
  readonly putTenant: (tenant: Tenant, options: WriteOptions) => Write;
  /** The contract prices of the tenant; empty if there are none. */
  readonly contractPrices: (tenantId: string) => Promise<Versioned<ContractPrices>>;
  readonly putContractPrices: (tenantId: string, prices: ContractPrices, options: WriteOptions) => Write;
  readonly nodePools: (tenantId: string) => Promise<Versioned<NodePools>>;
  readonly putNodePools: (tenantId: string, pools: NodePools, options: WriteOptions) => Write;
}

/**
 * For commands of operators. No route creates tenants or registers senders; {@link TenantSettingsWriter} is the part routes
 * use.
 */
export const tenantWriter = (table: string) => ({
  tenant: (tenantId: string): Promise<Versioned<Tenant> | null> =>
    readVersioned(table, tenantKey(tenantId), Tenant),
  putTenant: (tenant: Tenant, options: WriteOptions): Write =>
    writeDocument(table, tenantKey(tenant.tenant_id), tenant, options),
  registerSender: (principal: string, tenantId: string): Write =>
    putDocument(table, senderKey(principal), { tenant_id: tenantId }),
  removeSender: (principal: string): Write => deleteDocument(table, senderKey(principal)),
  contractPrices: async (tenantId: string): Promise<Versioned<ContractPrices>> =>
    (await readVersioned(table, pricesKey(tenantId), ContractPrices)) ?? {
      document: [],
      revision: NO_REVISION,
    },
  putContractPrices: (tenantId: string, prices: ContractPrices, options: WriteOptions): Write =>
    writeDocument(table, pricesKey(tenantId), prices, options),
  nodePools: async (tenantId: string): Promise<Versioned<NodePools>> =>
    (await readVersioned(table, poolsKey(tenantId), NodePools)) ?? { document: [], revision: NO_REVISION },
  putNodePools: (tenantId: string, pools: NodePools, options: WriteOptions): Write =>
    writeDocument(table, poolsKey(tenantId), pools, options),
});
