import { auditLog } from '../../audit/audit.store.ts';
import { outbox } from '../../events/outbox.store.ts';
import { jobStore } from '../../jobs/job.store.ts';
import listModels from '../../models/listModels.ts';
import recallModel from '../../models/recallModel.ts';
import { modelRegistry, servingReader } from '../../models/registry.store.ts';
import trainModel from '../../models/trainModel.ts';
import markNotificationsRead from '../../notifications/markNotificationsRead.ts';
import { readMarkWriter } from '../../notifications/readMark.store.ts';
import getSandbox from '../../sandbox/getSandbox.ts';
import resetSandbox from '../../sandbox/resetSandbox.ts';
import { sandboxStore } from '../../sandbox/sandbox.store.ts';
import updateSandbox from '../../sandbox/updateSandbox.ts';
import { resource } from '../../shared/settings.ts';
import { tenantReader, tenantWriter } from '../../tenancy/tenant.store.ts';
import getContractPrices from '../../tenantSettings/getContractPrices.ts';
import getTenant from '../../tenantSettings/getTenant.ts';
import putContractPrices from '../../tenantSettings/putContractPrices.ts';
import updateTenant from '../../tenantSettings/updateTenant.ts';
import { unit } from '../wiring/httpHandler.ts';
import { jobQueueFromEnv } from '../wiring/jobQueueFromEnv.ts';
import { cursorKeyFromEnv, pipelineFromEnv, storedResponsesFromEnv } from '../wiring/pipelineFromEnv.ts';
import { egressFromEnv, endpointKeyFromEnv } from '../wiring/webhooksFromEnv.ts';

/** The timeout of the DNS lookup of a chat URL. It must be well below the timeout of the function. */
const LOOKUP_TIMEOUT_MS = 5_000;

const audit = auditLog(resource('table', 'audit'));
const models = resource('table', 'models');
const stores = {
  audit,
  outbox: outbox(resource('table', 'outbox')),
  tenants: tenantReader(resource('table', 'tenants')),
  tenantSettings: tenantWriter(resource('table', 'tenants')),
  sandboxes: sandboxStore(resource('table', 'tenants')),
  vet: egressFromEnv(LOOKUP_TIMEOUT_MS).vet,
  endpointKey: endpointKeyFromEnv(),
  serving: servingReader(models),
  models: modelRegistry(models),
  jobs: jobStore(resource('table', 'jobs')),
  jobQueue: jobQueueFromEnv(),
  readMarks: readMarkWriter(resource('table', 'notifications')),
  cursorKey: cursorKeyFromEnv(),
};

const operations = [
  getTenant,
  updateTenant,
  getContractPrices,
  putContractPrices,
  listModels,
  trainModel,
  recallModel,
  markNotificationsRead,
  getSandbox,
  resetSandbox,
  updateSandbox,
];

export const handler = unit(
  operations.map((operation) => operation(stores)),
  { ...pipelineFromEnv(), responses: storedResponsesFromEnv() },
);
