import { type AttributeValue, ScanCommand } from '@aws-sdk/client-dynamodb';
import * as z from 'zod';
import { ContractPrices } from '../../../schemas/attribution/contractPrices.ts';
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
const senderKey = (principal: string) => ({ pk: `sender#${principal}` });

export interface TenantReader {
  readonly tenant: (tenantId: string) => Promise<Tenant | null>;
  /** The tenant that an AWS principal sends for. `principal` is the SenderId of SQS without the session name. */
  readonly tenantOfSender: (principal: string) => Promise<string | null>;
  /** The contract prices of the tenant with its providers; empty if there are none. */
  readonly contractPrices: (tenantId: string) => Promise<ContractPrices>;
}

export const tenantReader = (table: string): TenantReader => ({
  tenant: (tenantId) => readDocument(table, tenantKey(tenantId), Tenant),
  tenantOfSender: async (principal) =>
    (await readDocument(table, senderKey(principal), Sender))?.tenant_id ?? null,
  contractPrices: async (tenantId) => (await readDocument(table, pricesKey(tenantId), ContractPrices)) ?? [],
});

/** All tenants, one page at a time. For schedules only, because it scans the table. */
export const tenantDirectory = (table: string) => ({
  pages: async function* (): AsyncGenerator<Tenant[]> {
    let resume: Record<string, AttributeValue> | undefined;
    do {
      const { Items = [], LastEvaluatedKey } = await dynamodb.send(
        new ScanCommand({
          TableName: table,
          FilterExpression: 'begins_with(pk, :tenant)',
          ExpressionAttributeValues: { ':tenant': { S: tenantKey('').pk } },
          ExclusiveStartKey: resume,
        }),
      );
      yield Items.map((item) => Tenant.parse(JSON.parse(item['document']?.S ?? '{}')));
      resume = LastEvaluatedKey;
    } while (resume !== undefined);
  },
});

/** Changes a tenant may make to its own settings. */
export interface TenantSettingsWriter {
  readonly tenant: (tenantId: string) => Promise<Versioned<Tenant> | null>;
  readonly putTenant: (tenant: Tenant, options: WriteOptions) => Write;
  /** The contract prices of the tenant; empty if there are none. */
  readonly contractPrices: (tenantId: string) => Promise<Versioned<ContractPrices>>;
  readonly putContractPrices: (tenantId: string, prices: ContractPrices, options: WriteOptions) => Write;
}

/** For commands of operators. No route creates tenants or registers senders; {@link TenantSettingsWriter} is the part routes use. */
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
});
