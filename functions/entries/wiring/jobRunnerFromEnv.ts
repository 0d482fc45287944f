import { randomUUID } from 'node:crypto';
import type { Job, JobOf } from '../../../schemas/jobs.ts';
import { allocationStepper } from '../../attribution/allocation/allocationJob.ts';
import { recordSubscription } from '../../attribution/engine/recordSubscription.ts';
import { reprocessingStepper } from '../../attribution/engine/reprocessingJob.ts';
import { reviser } from '../../attribution/engine/revise.ts';
import { artefactWriter } from '../../attribution/training/models/artefact.store.ts';
import { modelRegistry } from '../../attribution/training/models/registry.store.ts';
import { trainingStepper } from '../../attribution/training/trainingJob.ts';
import { endpointReader } from '../../delivery/webhooks/endpoints/endpoint.store.ts';
import { archiveDirectoryWriter } from '../../ledger/archive/archiveDirectory.store.ts';
import { archiveObjects } from '../../ledger/archive/archiveObjects.store.ts';
import { ledgerReader } from '../../ledger/records/ledger.store.ts';
import { raisedVersionLog } from '../../ledger/records/raisedVersionLog.store.ts';
import { rollupReader } from '../../ledger/rollups/rollup.store.ts';
import { jobStore } from '../../platform/jobs/job.store.ts';
import { jobRunner, type Stepper } from '../../platform/jobs/jobRunner.ts';
import { outbox } from '../../platform/outbox/outbox.store.ts';
import { resource } from '../../platform/shared/settings.ts';
import { systemClock } from '../../platform/shared/time/clock.ts';
import { tenantReader } from '../../platform/tenancy/tenant.store.ts';
import { attributionContextFromEnv } from './attributionContextFromEnv.ts';
import { jobQueueFromEnv } from './jobQueueFromEnv.ts';
import { archiveFromEnv, ledgerFromEnv, recordVersionsFromEnv } from './ledgerFromEnv.ts';
import { rollupMarkerFromEnv } from './rollupMarkerFromEnv.ts';

const ledgerTable = resource('table', 'ledger');
const archive = archiveFromEnv();
const ledger = ledgerFromEnv(archive);
const events = outbox(resource('table', 'outbox'));
const isRaised = recordSubscription(
  endpointReader(resource('table', 'webhooks')),
  systemClock,
  raisedVersionLog(resource('table', 'outbox')),
);
const revise = reviser(recordVersionsFromEnv(archive), systemClock, isRaised);
const tenants = tenantReader(resource('table', 'tenants'));
const attributionContextFor = attributionContextFromEnv({ tenants, budget: Number.POSITIVE_INFINITY });
const registry = modelRegistry(resource('table', 'models'));
const artefacts = artefactWriter(resource('bucket', 'artefacts'));
const mark = rollupMarkerFromEnv();
const jobs = jobStore(resource('table', 'jobs'));
const queue = jobQueueFromEnv();

/** Loaded on first use: the Parquet library is as large as the rest of this worker, and few jobs need it. */
const closeDay = async (): Promise<Stepper<JobOf<'archive'>>> => {
  const [{ closeDayStepper }, { expiryExtender }] = await Promise.all([
    import('../../ledger/archive/closing/closeDayJob.ts'),
    import('../../ledger/archive/closing/rowExpiry.store.ts'),
  ]);
  return closeDayStepper({
    ledger,
    keep: {
      rows: ledgerReader(ledgerTable, systemClock),
      archive,
      extendExpiry: expiryExtender(ledgerTable),
    },
    rollups: rollupReader(resource('table', 'rollups')),
    objects: archiveObjects(resource('bucket', 'archive')),
    directory: archiveDirectoryWriter(ledgerTable),
    clock: systemClock,
    newId: randomUUID,
  });
};

const isJobOfType =
  <Type extends Job['request']['type']>(type: Type) =>
  (job: Job): job is JobOf<Type> =>
    job.request.type === type;

/** Adapts the stepper of one job type to all jobs. Throws for a job of another type. */
const narrowStepper =
  <J extends Job>(isOwn: (job: Job) => job is J, step: Stepper<J>): Stepper =>
  async (job) => {
    if (!isOwn(job)) throw new Error('the job has another type than its stepper');
    return step(job);
  };

const stepperOf = async (job: Job): Promise<Stepper> => {
  const tenant = await tenants.tenant(job.tenant_id);
  if (tenant === null) throw new Error('the tenant of the job does not exist');
  switch (job.request.type) {
    case 'training':
      return narrowStepper(
        isJobOfType('training'),
        trainingStepper(
          { ledger, registry, artefacts, outbox: events, jobs, queue },
          { tenant, clock: systemClock },
        ),
      );
    case 'reprocessing':
      return narrowStepper(
        isJobOfType('reprocessing'),
        reprocessingStepper({ ledger, revise, mark, tenant, context: await attributionContextFor(tenant) }),
      );
    case 'archive':
      return narrowStepper(isJobOfType('archive'), await closeDay());
    case 'allocation':
      return narrowStepper(isJobOfType('allocation'), allocationStepper({ ledger, revise, mark, tenant }));
  }
};

/** Runs a job, configured from the environment. */
export const runJob = jobRunner({
  jobs,
  queue,
  stepperOf,
  clock: systemClock,
  newClaim: randomUUID,
});
