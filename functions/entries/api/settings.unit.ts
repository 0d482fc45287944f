import reprocessRecords from '../../attribution/engine/reprocessing/reprocessRecords.ts';
import listModels from '../../attribution/training/models/listModels.ts';
import recallModel from '../../attribution/training/models/recallModel.ts';
import trainModel from '../../attribution/training/models/trainModel.ts';
import markNotificationsRead from '../../delivery/notifications/markNotificationsRead.ts';
import getSandbox from '../../tenants/sandbox/getSandbox.ts';
import resetSandbox from '../../tenants/sandbox/resetSandbox.ts';
import updateSandbox from '../../tenants/sandbox/updateSandbox.ts';
import getContractPrices from '../../tenants/settings/getContractPrices.ts';
import getNodePools from '../../tenants/settings/getNodePools.ts';
import getTenant from '../../tenants/settings/getTenant.ts';
import putContractPrices from '../../tenants/settings/putContractPrices.ts';
import putNodePools from '../../tenants/settings/putNodePools.ts';
import updateTenant from '../../tenants/settings/updateTenant.ts';
import { modelsList, modelsRead, modelsWrite } from '../stores/attribution.ts';
import { notificationsMark } from '../stores/delivery.ts';
import { auditAppend } from '../stores/identity.ts';
import { cursorDerive, endpointDerive } from '../stores/keys.ts';
import { jobsCreate, jobsSend, outboxAppend, tenantsRead } from '../stores/platform.ts';
import { sandboxRead, sandboxWrite, tenantsWrite } from '../stores/tenants.ts';
import { pipelineFromEnv } from '../wiring/pipelineFromEnv.ts';
import { unitFromEnv } from '../wiring/unitFromEnv.ts';

export const handler = unitFromEnv({
  pipeline: pipelineFromEnv,
  operations: [
    getTenant,
    updateTenant,
    getContractPrices,
    putContractPrices,
    getNodePools,
    putNodePools,
    listModels,
    trainModel,
    recallModel,
    reprocessRecords,
    markNotificationsRead,
    getSandbox,
    resetSandbox,
    updateSandbox,
  ],
  stores: {
    auditAppend,
    cursorDerive,
    endpointDerive,
    jobsCreate,
    jobsSend,
    modelsList,
    modelsRead,
    modelsWrite,
    notificationsMark,
    outboxAppend,
    sandboxRead,
    sandboxWrite,
    tenantsRead,
    tenantsWrite,
  },
});
