import { randomUUID } from 'node:crypto';
import type { Job, JobOf } from '../../../schemas/jobs.ts';
import { allocationStepper } from '../../attribution/allocation/allocationJob.ts';
import { nodeHourStepper } from '../../attribution/allocation/nodeHours/nodeHourJob.ts';
import { recordSubscription } from '../../attribution/engine/recordSubscription.ts';
import { reprocessingStepper } from '../../attribution/engine/reprocessing/reprocessingJob.ts';
import { reviser } from '../../attribution/engine/revise.ts';
import { trainingStepper } from '../../attribution/training/trainingJob.ts';
import { archiveDirectoryWriter } from '../../ledger/archive/archiveDirectory.store.ts';
import { archiveObjects } from '../../ledger/archive/archiveObjects.store.ts';
import { ledgerReader } from '../../ledger/records/ledger.store.ts';
import { raisedVersionLog } from '../../ledger/records/raised/raisedVersionLog.store.ts';
import { jobRunner, type Stepper } from '../../platform/jobs/jobRunner.ts';
import { archiveIn } from '../stores/archive.ts';
import { artefactsWrite } from '../stores/artefacts.ts';
import { modelsWrite, nodeHoursWrite } from '../stores/attribution.ts';
import { exportWorkReadWrite } from '../stores/chargeback/exportFiles.ts';
import { webhooksList } from '../stores/delivery.ts';
import { environment } from '../stores/environment.ts';
import { rollupsMark, rollupsRead } from '../stores/ledger.ts';
import { jobsSend, jobsWrite, outboxAppend, tenantsRead } from '../stores/platform.ts';
import { storesIn } from '../stores/provider.ts';
import { ledgerCorrect, ledgerRead } from '../stores/records.ts';
import { attributionContextFromEnv } from './attributionContextFromEnv.ts';

const { clock, resourceOf } = environment;
const { ledger, mark, outbox, jobs, tenants, rollups, ...stores } = storesIn(environment, {
  artefactsWrite,
  exportWorkReadWrite,
  jobsSend,
  jobsWrite,
  ledgerCorrect,
  ledgerRead,
  modelsWrite,
  nodeHoursWrite,
  outboxAppend,
  rollupsMark,
  rollupsRead,
  tenantsRead,
  webhooksList,
});
const isRaised = recordSubscription(stores.endpoints, clock, raisedVersionLog(resourceOf('outbox.append')));
const revise = reviser(stores.corrections, clock, isRaised);
const attributionContextFor = attributionContextFromEnv(Number.POSITIVE_INFINITY);
const queue = stores.jobQueue;

/** Loaded on first use: the Parquet library is as large as the rest of this worker, and few jobs need it. */
const closeDay = async (): Promise<Stepper<JobOf<'archive'>>> => {
  const [{ closeDayStepper }, { expiryExtender }] = await Promise.all([
    import('../../ledger/archive/closing/closeDayJob.ts'),
    import('../../ledger/archive/closing/rowExpiry.store.ts'),
  ]);
  const table = resourceOf('ledger.read');
  return closeDayStepper({
    ledger,
    keep: {
      rows: ledgerReader(table, clock),
      archive: archiveIn(environment),
      extendExpiry: expiryExtender(table),
    },
    rollups,
    objects: archiveObjects(resourceOf('archive.readWrite')),
    directory: archiveDirectoryWriter(table),
    clock,
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
          { ledger, registry: stores.models, artefacts: stores.artefactWriter, outbox, jobs, queue },
          { tenant, clock },
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
      return narrowStepper(
        isJobOfType('allocation'),
        allocationStepper({ ledger, revise, mark, tenant, work: stores.work }),
      );
    case 'node_hours':
      return narrowStepper(
        isJobOfType('node_hours'),
        nodeHourStepper({
          ledger,
          revise,
          mark,
          tenant,
          pools: await tenants.nodePools(tenant.tenant_id),
          lines: stores.nodeHourLineWriter,
          work: stores.work,
        }),
      );
  }
};

/** Runs a job, configured from the environment. */
export const runJob = jobRunner({
  jobs,
  queue,
  stepperOf,
  clock,
  newClaim: randomUUID,
});
