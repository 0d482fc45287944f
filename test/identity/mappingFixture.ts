import { randomBytes, randomUUID } from 'node:crypto';
import { QueryCommand } from '@aws-sdk/client-dynamodb';
import { vi } from 'vitest';
import { mappingReader, mappingWriter } from '../../functions/attribution/mappings/mapping.store.ts';
import { auditLog } from '../../functions/audit/audit.store.ts';
import type { BoundOperation } from '../../functions/http/operation.ts';
import { ledgerReader } from '../../functions/ledger/ledger.store.ts';
import { tenantTag } from '../../functions/shared/ids.ts';
import type { Tenant } from '../../functions/tenancy/tenant.ts';
import { AuditEntry } from '../../schemas/access/audit.ts';
import { aTenant } from '../attribution/events.ts';
import { callAsTenant, type TenantRequest } from '../http/callAsTenant.ts';
import { BASE_URL, type TestResponse } from '../http/harness.ts';
import { startTables } from '../shared/tables.ts';

/** Environment variables of the function. Read once, when its operations are loaded. */
const ENVIRONMENT = { BASE_URL, ENVIRONMENT: 'local', PUBLIC_CONTRACT: 'true' };

const loadOperations = async (clock: () => number) => {
  for (const [name, value] of Object.entries(ENVIRONMENT)) vi.stubEnv(name, value);
  const stores = {
    audit: auditLog('audit'),
    mappings: mappingReader('identity'),
    mappingWriter: mappingWriter('identity'),
    ledger: ledgerReader('ledger', clock),
    cursorKey: async () => new Uint8Array(32),
  };
  return {
    create: (await import('../../functions/identity/createIdentityMapping.ts')).default(stores),
    list: (await import('../../functions/identity/listIdentityMappings.ts')).default(stores),
    get: (await import('../../functions/identity/getIdentityMapping.ts')).default(stores),
    update: (await import('../../functions/identity/updateIdentityMapping.ts')).default(stores),
    remove: (await import('../../functions/identity/deleteIdentityMapping.ts')).default(stores),
    dryRun: (await import('../../functions/identity/dryRunIdentityMapping.ts')).default(stores),
  } satisfies Record<string, BoundOperation>;
};
export type OperationName = keyof Awaited<ReturnType<typeof loadOperations>>;

/** The mapping operations with the full middleware pipeline, real tables and a test clock. */
export const startMappingFixture = async () => {
  const live = await startTables();
  const time = { now: Date.parse('2026-05-01T12:00:00Z') };
  const operations = await loadOperations(() => time.now);
  const reader = mappingReader('identity');

  return {
    live,
    time,
    reader,
    newTenant: (): Tenant => {
      const tenant_id = `tenant-${randomUUID()}`;
      return aTenant({ tenant_id, tag: tenantTag(tenant_id, randomBytes(32)) });
    },
    /** A call by an administrator of the tenant. */
    call: (name: OperationName, sent: TenantRequest): Promise<TestResponse> =>
      callAsTenant(operations[name], sent, { scopes: ['admin:config'], clock: () => time.now }),
    auditOf: async ({ tenant_id }: Tenant): Promise<AuditEntry[]> => {
      const { Items = [] } = await live.client.send(
        new QueryCommand({
          TableName: 'audit',
          KeyConditionExpression: 'pk = :pk',
          ExpressionAttributeValues: { ':pk': { S: `${tenant_id}#2026-05` } },
          ConsistentRead: true,
        }),
      );
      return Items.map(({ document }) => AuditEntry.parse(JSON.parse(document?.S ?? '')));
    },
    /** The stored mapping count, to compare with the actual mappings. */
    countOf: async ({ tenant_id }: Tenant): Promise<number> =>
      (await mappingWriter('identity').find(tenant_id, 'none')).document.head.count,
  };
};
export type MappingFixture = Awaited<ReturnType<typeof startMappingFixture>>;
