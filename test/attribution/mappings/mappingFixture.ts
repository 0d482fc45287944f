import dryRunIdentityMapping from '../../../functions/attribution/engine/dryRunIdentityMapping.ts';
import createIdentityMapping from '../../../functions/attribution/mappings/createIdentityMapping.ts';
import deleteIdentityMapping from '../../../functions/attribution/mappings/deleteIdentityMapping.ts';
import getIdentityMapping from '../../../functions/attribution/mappings/getIdentityMapping.ts';
import listIdentityMappings from '../../../functions/attribution/mappings/listIdentityMappings.ts';
import { mappingReader, mappingWriter } from '../../../functions/attribution/mappings/mapping.store.ts';
import updateIdentityMapping from '../../../functions/attribution/mappings/updateIdentityMapping.ts';
import { auditLog } from '../../../functions/identity/audit/audit.store.ts';
import { ledgerReader } from '../../../functions/ledger/records/ledger.store.ts';
import type { BoundOperation } from '../../../functions/platform/http/operation.ts';
import type { Tenant } from '../../../functions/platform/tenancy/tenant.ts';
import { callAsTenant, type TenantRequest } from '../../platform/http/callAsTenant.ts';
import type { TestResponse } from '../../platform/http/harness.ts';
import { startTables } from '../../support/tables.ts';
import { newTenant } from '../../support/tenants.ts';

const operationsOf = (clock: () => number) => {
  const stores = {
    audit: auditLog('audit'),
    mappings: mappingReader('identity'),
    mappingWriter: mappingWriter('identity'),
    ledger: ledgerReader('ledger', clock),
    cursorKey: async () => new Uint8Array(32),
  };
  return {
    create: createIdentityMapping(stores),
    list: listIdentityMappings(stores),
    get: getIdentityMapping(stores),
    update: updateIdentityMapping(stores),
    remove: deleteIdentityMapping(stores),
    dryRun: dryRunIdentityMapping(stores),
  } satisfies Record<string, BoundOperation>;
};
export type OperationName = keyof ReturnType<typeof operationsOf>;

/** The mapping operations with the full middleware pipeline, real tables and a test clock. */
export const startMappingFixture = async () => {
  const live = await startTables();
  const time = { now: Date.parse('2026-05-01T12:00:00Z') };
  const operations = operationsOf(() => time.now);
  const reader = mappingReader('identity');

  return {
    live,
    time,
    reader,
    newTenant,
    /** A call by an administrator of the tenant. */
    call: (name: OperationName, sent: TenantRequest): Promise<TestResponse> =>
      callAsTenant(operations[name], sent, {
        scopes: ['admin:config', 'read:attribution'],
        clock: () => time.now,
      }),
    auditOf: live.auditOf,
    /** The stored mapping count, to compare with the actual mappings. */
    countOf: async ({ tenant_id }: Tenant): Promise<number> =>
      (await mappingWriter('identity').head(tenant_id)).count,
  };
};
export type MappingFixture = Awaited<ReturnType<typeof startMappingFixture>>;
