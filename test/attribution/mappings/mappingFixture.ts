import dryRunIdentityMapping from '../../../functions/attribution/engine/reprocessing/dryRunIdentityMapping.ts';
import createIdentityMapping from '../../../functions/attribution/mappings/createIdentityMapping.ts';
import deleteIdentityMapping from '../../../functions/attribution/mappings/deleteIdentityMapping.ts';
import getIdentityMapping from '../../../functions/attribution/mappings/getIdentityMapping.ts';
import listIdentityMappings from '../../../functions/attribution/mappings/listIdentityMappings.ts';
import { mappingReader, mappingWriter } from '../../../functions/attribution/mappings/mapping.store.ts';
import updateIdentityMapping from '../../../functions/attribution/mappings/updateIdentityMapping.ts';
import { identityList, identityWrite } from '../../../functions/entries/stores/attribution.ts';
import { type Environment, storesIn } from '../../../functions/entries/stores/provider.ts';
import { ledgerReader } from '../../../functions/ledger/records/ledger.store.ts';
import type { Tenant } from '../../../functions/platform/tenancy/tenant.ts';
import { startOperations } from '../../platform/http/startOperations.ts';

const operations = {
  create: createIdentityMapping,
  list: listIdentityMappings,
  get: getIdentityMapping,
  update: updateIdentityMapping,
  remove: deleteIdentityMapping,
  dryRun: dryRunIdentityMapping,
};

/** The mapping operations. */
export const startMappingFixture = async () => {
  const reader = mappingReader('identity');
  const world = await startOperations(
    operations,
    (environment: Environment) => ({
      ...storesIn(environment, { identityList, identityWrite }),
      ledger: ledgerReader('ledger', environment.clock),
    }),
    { now: Date.parse('2026-05-01T12:00:00Z'), allScopes: ['admin:config', 'read:attribution'] },
  );
  return {
    ...world,
    reader,
    /** The stored mapping count, to compare with the actual mappings. */
    countOf: async ({ tenant_id }: Tenant): Promise<number> =>
      (await mappingWriter('identity').head(tenant_id)).count,
  };
};
