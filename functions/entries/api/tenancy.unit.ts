import listModels from '../../attribution/training/models/listModels.ts';
import recallModel from '../../attribution/training/models/recallModel.ts';
import { modelRegistry, servingReader } from '../../attribution/training/models/registry.store.ts';
import trainModel from '../../attribution/training/models/trainModel.ts';
import markNotificationsRead from '../../delivery/notifications/markNotificationsRead.ts';
import { readMarkWriter } from '../../delivery/notifications/readMark.store.ts';
import { auditLog } from '../../identity/audit/audit.store.ts';
import { jobStore } from '../../platform/jobs/job.store.ts';
import { outbox } from '../../platform/outbox/outbox.store.ts';
import { resource } from '../../platform/shared/settings.ts';
import { tenantReader, tenantWriter } from '../../platform/tenancy/tenant.store.ts';
import getSandbox from '../../tenants/sandbox/getSandbox.ts';
import resetSandbox from '../../tenants/sandbox/resetSandbox.ts';
import { sandboxStore } from '../../tenants/sandbox/sandbox.store.ts';
import updateSandbox from '../../tenants/sandbox/updateSandbox.ts';
import getContractPrices from '../../tenants/settings/getContractPrices.ts';
import getTenant from '../../tenants/settings/getTenant.ts';
import putContractPrices from '../../tenants/settings/putContractPrices.ts';
import updateTenant from '../../tenants/settings/updateTenant.ts';
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
