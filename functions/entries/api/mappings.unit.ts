import dryRunIdentityMapping from '../../attribution/engine/reprocessing/dryRunIdentityMapping.ts';
import createIdentityMapping from '../../attribution/mappings/createIdentityMapping.ts';
import deleteIdentityMapping from '../../attribution/mappings/deleteIdentityMapping.ts';
import getIdentityMapping from '../../attribution/mappings/getIdentityMapping.ts';
import listIdentityMappings from '../../attribution/mappings/listIdentityMappings.ts';
import updateIdentityMapping from '../../attribution/mappings/updateIdentityMapping.ts';
import getUnownedReport from '../../insight/unowned/getUnownedReport.ts';
import { identityList, identityRead, identityWrite } from '../stores/attribution.ts';
import { auditAppend } from '../stores/identity.ts';
import { cursorDerive } from '../stores/keys.ts';
import { rollupsRead } from '../stores/ledger.ts';
import { progressRead } from '../stores/progress.ts';
import { ledgerRead } from '../stores/records.ts';
import { pipelineFromEnv } from '../wiring/pipelineFromEnv.ts';
import { unitFromEnv } from '../wiring/unitFromEnv.ts';

export const handler = unitFromEnv({
  pipeline: pipelineFromEnv,
  operations: [
    createIdentityMapping,
    listIdentityMappings,
    getIdentityMapping,
    updateIdentityMapping,
    deleteIdentityMapping,
    dryRunIdentityMapping,
    getUnownedReport,
  ],
  stores: {
    auditAppend,
    cursorDerive,
    identityList,
    identityRead,
    identityWrite,
    ledgerRead,
    progressRead,
    rollupsRead,
  },
});
