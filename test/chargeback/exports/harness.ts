import { randomUUID } from 'node:crypto';
import { type RunOptions, StateMachine, type StateMachineDefinition } from 'aws-local-stepfunctions';
import * as z from 'zod';
import {
  nodeHourLineReader,
  nodeHourLineWriter,
} from '../../../functions/attribution/allocation/nodeHours/nodeHourLine.store.ts';
import cancelJob from '../../../functions/chargeback/exports/cancelJob.ts';
import createFocusExport from '../../../functions/chargeback/exports/createFocusExport.ts';
import deliverExport from '../../../functions/chargeback/exports/deliverExport.ts';
import { datasetStore } from '../../../functions/chargeback/exports/delivery/dataset.store.ts';
import { exportDeliverer } from '../../../functions/chargeback/exports/delivery/deliver.ts';
import type { BucketAccess } from '../../../functions/chargeback/exports/delivery/openBucket.ts';
import {
  destinationReader,
  destinationStore,
} from '../../../functions/chargeback/exports/destinations/destination.store.ts';
import type { StoredDestination } from '../../../functions/chargeback/exports/destinations/destination.ts';
import type { Executions } from '../../../functions/chargeback/exports/job/execution.aws.ts';
import {
  deliveryStore,
  type ExportRef,
  exportReader,
  exportWatchStore,
} from '../../../functions/chargeback/exports/job/export.store.ts';
import { staleExportReaper } from '../../../functions/chargeback/exports/job/reapStaleExports.ts';
import listExports from '../../../functions/chargeback/exports/listExports.ts';
import createExportSchedule from '../../../functions/chargeback/exports/schedules/createExportSchedule.ts';
import deleteExportSchedule from '../../../functions/chargeback/exports/schedules/deleteExportSchedule.ts';
import getExportSchedule from '../../../functions/chargeback/exports/schedules/getExportSchedule.ts';
import listExportSchedules from '../../../functions/chargeback/exports/schedules/listExportSchedules.ts';
import { dueExportOpener } from '../../../functions/chargeback/exports/schedules/openDueExports.ts';
import {
  scheduleReader,
  scheduleStore,
} from '../../../functions/chargeback/exports/schedules/schedule.store.ts';
import updateExportSchedule from '../../../functions/chargeback/exports/schedules/updateExportSchedule.ts';
import { BeginInput, begin } from '../../../functions/chargeback/exports/steps/begin.ts';
import { FailInput, fail } from '../../../functions/chargeback/exports/steps/fail.ts';
import { FinishInput, finish } from '../../../functions/chargeback/exports/steps/finish.ts';
import { GatherInput, gather } from '../../../functions/chargeback/exports/steps/gather.ts';
import { MergeInput, mergePartitions } from '../../../functions/chargeback/exports/steps/mergePartitions.ts';
import { WriteInput, write } from '../../../functions/chargeback/exports/steps/write.ts';
import closePeriod from '../../../functions/chargeback/periods/closePeriod.ts';
import listPeriods from '../../../functions/chargeback/periods/listPeriods.ts';
import reopenPeriod from '../../../functions/chargeback/periods/reopenPeriod.ts';
import { credentialReader } from '../../../functions/identity/access/principals/credential.store.ts';
import { auditLog } from '../../../functions/identity/audit/audit.store.ts';
import { closingReader, closingStore } from '../../../functions/insight/periods/closing.store.ts';
import { periodFollower } from '../../../functions/ledger/freshness/followPeriods.ts';
import type { IndexLag } from '../../../functions/ledger/freshness/indexLag.ts';
import { servedPeriods } from '../../../functions/ledger/freshness/servedPeriods.store.ts';
import type { TotalsLag } from '../../../functions/ledger/freshness/totalsLag.ts';
import { withAnswers } from '../../../functions/ledger/records/answers.ts';
import type { Attribution } from '../../../functions/ledger/records/attribution.ts';
import {
  type LedgerReader,
  ledgerReader,
  ledgerWriter,
} from '../../../functions/ledger/records/ledger.store.ts';
import { recordPartitionOf, shardBitsOf } from '../../../functions/ledger/records/ledgerKey.ts';
import { recordVersionStore } from '../../../functions/ledger/records/recordVersion.store.ts';
import { LENGTH } from '../../../functions/ledger/rollups/grain.ts';
import { periodVersionReader } from '../../../functions/ledger/rollups/periodVersions.store.ts';
import { rollupWriter } from '../../../functions/ledger/rollups/rollupWriter.store.ts';
import type { BoundOperation } from '../../../functions/platform/http/operation.ts';
import { jobStore } from '../../../functions/platform/jobs/job.store.ts';
import { outbox } from '../../../functions/platform/outbox/outbox.store.ts';
import { commit } from '../../../functions/platform/shared/aws/document.store.ts';
import { idOf, ulidInId } from '../../../functions/platform/shared/ids.ts';
import { monthOf } from '../../../functions/platform/shared/time/month.ts';
import { toIso } from '../../../functions/platform/shared/time/toIso.ts';
import { timeOfUlid, ulidOf } from '../../../functions/platform/shared/ulid.ts';
import type { Tenant } from '../../../functions/platform/tenancy/tenant.ts';
import getJob from '../../../functions/tenants/jobs/getJob.ts';
import listJobs from '../../../functions/tenants/jobs/listJobs.ts';
import { sandboxStore } from '../../../functions/tenants/sandbox/sandbox.store.ts';
import { buildDefinition } from '../../../lib/exports/definition.ts';
import { Settings } from '../../../lib/settings.ts';
import type { Scope } from '../../../schemas/identity/scopes.ts';
import { injectFaults } from '../../identity/credentials/faultInjection.ts';
import { testComputer } from '../../ledger/rollups/rollupFixture.ts';
import { callAsTenant, type TenantRequest } from '../../platform/http/callAsTenant.ts';
import { BASE_URL, type TestResponse } from '../../platform/http/harness.ts';
import { startTables } from '../../support/tables.ts';
import { newTenant } from '../../support/tenants.ts';
import { simulatedBuckets } from './simulatedBucket.ts';

const ARN = 'arn:aws:lambda:us-east-1:123456789012:function:step';
const machine = new StateMachine(
  z
    .custom<StateMachineDefinition>()
    .parse(buildDefinition({ control: ARN, gather: ARN, write: ARN }, Settings.parse({}).exportConcurrency)),
);
const AT_ONCE = Object.fromEntries(
  ['Begin', 'Gather', 'Merge', 'Write', 'Finish', 'Fail'].map((state) => [state, 0]),
);

type Handler = (input: unknown) => Promise<unknown>;
/** Overrides for the functions of an execution. */
export interface Behaviour {
  /** Wraps the call of each state. */
  readonly around?: (state: string, call: () => Promise<unknown>) => Promise<unknown>;
  readonly ledger?: LedgerReader;
  readonly slice?: number;
  readonly pageVersions?: number;
}

/** Exports with real tables, an interpreted state machine, a simulated clock and simulated buckets. */
export const startExportHarness = async () => {
  const live = await startTables();
  const faults = injectFaults();
  const time = { now: Date.parse('2026-11-02T00:10:00Z') };
  const clock = () => time.now;
  const buckets = simulatedBuckets();
  const exports = exportWatchStore('exports');
  const ledger = ledgerReader('ledger', clock);
  const rollups = rollupWriter('rollups');
  const versions = recordVersionStore('ledger', clock);
  const writer = ledgerWriter('ledger', clock);
  const aggregate = testComputer({ ledger, rollups, clock });
  const events = outbox('outbox');
  const tenants = new Map<string, Tenant>();
  /** How far the totals of a tenant are behind; without an entry, not at all. */
  const lags = new Map<string, TotalsLag>();
  const totalsLag = async (tenantId: string): Promise<TotalsLag> =>
    lags.get(tenantId) ?? { isStale: false, incompleteSince: null };
  let areTotalsComplete = true;
  const indexLag: IndexLag = {
    totalsLag,
    areRecordsStale: async (tenantId) => (await totalsLag(tenantId)).isStale,
  };
  const ending = { exports, outbox: events, clock, attempt: randomUUID, baseUrl: BASE_URL };

  const totals = {
    rollups,
    nodeHourLines: nodeHourLineReader('rollups'),
    closings: closingReader('rollups'),
    periodVersions: periodVersionReader('rollups'),
    readCompleteness: async () => () => areTotalsComplete,
  };

  const handlersOf = (behaviour: Behaviour): Record<string, Handler> => {
    const { around = (_, call) => call(), slice = 60_000, pageVersions } = behaviour;
    const shared = {
      ...ending,
      work: buckets.work,
      files: buckets.files,
      tenants: { tenant: async (id: string) => tenants.get(id) ?? null },
      ...totals,
      indexLag,
      ledger: behaviour.ledger ?? ledger,
      slice,
      ...(pageVersions !== undefined && { pageVersions }),
    };
    const steps: Record<string, Handler> = {
      Begin: (input) => begin(shared)(BeginInput.parse(input)),
      Gather: (input) => gather(shared)(GatherInput.parse(input)),
      Merge: (input) => mergePartitions(shared)(MergeInput.parse(input)),
      Write: (input) => write(shared)(WriteInput.parse(input)),
      Finish: (input) => finish(shared)(FinishInput.parse(input)),
      Fail: (input) => fail(shared)(FailInput.parse(input)),
    };
    return Object.fromEntries(
      Object.entries(steps).map(([state, step]) => [
        state,
        async (input: unknown) => {
          // Each call simulates a new process, without the fault of the previous call.
          faults.restart();
          return around(state, () => step(input));
        },
      ]),
    );
  };

  /** Runs the state machine to its end. Rejects with the error of a failed execution. */
  const run = async (
    { tenant_id, job_id }: ExportRef,
    behaviour: Behaviour = {},
    execution = `execution:${job_id}`,
  ): Promise<void> => {
    const options = {
      context: { Execution: { Id: execution, Name: job_id } },
      overrides: {
        taskResourceLocalHandlers: handlersOf(behaviour),
        retryIntervalOverrides: AT_ONCE,
      },
    };
    await machine.run({ tenant_id, job_id }, z.custom<RunOptions>().parse(options)).result;
  };

  /** All started executions, and those that still run. */
  const started: ExportRef[] = [];
  const running = new Set<string>();
  const ended = new Set<string>();
  let isDown = false;
  const executions: Executions = {
    start: async (name) => {
      if (isDown) throw Object.assign(new Error('no answer'), { $metadata: {} });
      if (ended.has(name.job_id)) return false;
      if (!running.has(name.job_id)) started.push({ tenant_id: name.tenant_id, job_id: name.job_id });
      running.add(name.job_id);
      return true;
    },
    isRunning: async ({ job_id }) => running.has(job_id),
    stop: async ({ job_id }) => {
      running.delete(job_id);
      ended.add(job_id);
    },
  };

  const stores = {
    ...totals,
    closingStore: closingStore('rollups'),
    bookWriters: async () => ({
      rollupWriter: rollups,
      nodeHourLineWriter: nodeHourLineWriter('rollups', clock),
    }),
    audit: auditLog('audit'),
    outbox: events,
    exports: exportReader('exports'),
    exportStore: exports,
    exportSchedules: scheduleReader('exports'),
    scheduleStore: scheduleStore('exports'),
    exportDestinations: destinationReader('exports'),
    destinationStore: destinationStore('exports'),
    executions,
    sign: buckets.sign,
    cursorKey: async () => new Uint8Array(32),
    jobs: jobStore('jobs'),
    sandboxes: sandboxStore('tenants'),
  };
  const operations = {
    create: createFocusExport(stores),
    list: listExports(stores),
    jobs: listJobs(stores),
    get: getJob(stores),
    createSchedule: createExportSchedule(stores),
    listSchedules: listExportSchedules(stores),
    getSchedule: getExportSchedule(stores),
    updateSchedule: updateExportSchedule(stores),
    deleteSchedule: deleteExportSchedule(stores),
    cancel: cancelJob(stores),
    redeliver: deliverExport(stores),
    close: closePeriod(stores),
    reopen: reopenPeriod(stores),
    periods: listPeriods(stores),
  } satisfies Record<string, BoundOperation>;

  const reapExport = staleExportReaper({ ...ending, executions });
  return {
    live,
    faults,
    buckets,
    time,
    clock,
    ledger,
    rollups,
    exports,
    run,
    lags,
    started,
    running,
    ended,
    setComplete: (isComplete: boolean) => {
      areTotalsComplete = isComplete;
    },
    setDown: (down: boolean) => {
      isDown = down;
    },
    reap: async (): Promise<void> => {
      for (const name of (await exports.unfinished(null)).items) await reapExport(name);
    },
    openDue: dueExportOpener({
      schedules: scheduleReader('exports'),
      closings: totals.closings,
      exports,
      executions,
      credentials: credentialReader('access', Math.random),
      outbox: events,
      baseUrl: BASE_URL,
      follow: periodFollower({
        versions: periodVersionReader('rollups'),
        served: servedPeriods('jobs'),
        readCompleteness: async (tenantId) => () => !lags.get(tenantId)?.isStale,
        hasTime: () => true,
        newClaim: randomUUID,
      }),
    }),
    /** Stores a destination of a tenant. Returns its id. */
    destination: async (
      { tenant_id, tag }: Tenant,
      members: Pick<StoredDestination, 'name' | 'location' | 'region' | 'role_arn'>,
    ): Promise<string> => {
      const id = idOf('dst', tag, ulidOf(time.now, Buffer.alloc(10)));
      const check = { state: 'unchecked', error: null, at: null } as const;
      const stored = { id, ...members, check, created_at: toIso(time.now), created_by: 'key' };
      const lookup = await stores.destinationStore.find(tenant_id, id);
      const by = { claim: randomUUID(), attempt: 1 };
      await commit(stores.destinationStore.change(tenant_id, lookup, stored, by));
      return id;
    },
    /** Attempts to deliver an export into a bucket of a customer. */
    deliver: (bucketAccess: BucketAccess, job: ExportRef): Promise<void> =>
      exportDeliverer({
        deliveries: deliveryStore('exports'),
        destinations: destinationReader('exports'),
        datasets: datasetStore('exports', randomUUID),
        files: {
          read: async (key, range) => {
            const body = buckets.stored.get(key);
            if (body === undefined) throw new Error(`no object with key ${key}`);
            return range === undefined ? body : body.subarray(range.from, range.to);
          },
        },
        bucketAccess,
        outbox: events,
        clock,
        newClaim: randomUUID,
        baseUrl: BASE_URL,
      })(job),
    newTenant: (members: Partial<Tenant> = {}): Tenant => {
      const tenant = newTenant(members);
      tenants.set(tenant.tenant_id, tenant);
      return tenant;
    },
    /** Writes records as the recorder does, and aggregates them. */
    record: async (tenant: Tenant, records: readonly Attribution[]): Promise<void> => {
      const instants = records.map(({ record }) => Date.parse(record.occurred_at));
      for (const record of records) {
        const ulid = ulidInId(record.record.id);
        await writer.openMonth(tenant.tenant_id, monthOf(timeOfUlid(ulid)), shardBitsOf(ulid));
        await writer.add(recordPartitionOf(tenant, ulid), ulid, record);
      }
      await aggregate(
        tenant,
        instants.map((at) => Math.floor(at / LENGTH.minute)),
      );
    },
    /** Writes the next version of a record, and aggregates it. */
    correct: async (
      tenant: Tenant,
      ulid: string,
      change: (current: Attribution) => Attribution,
    ): Promise<void> => {
      const key = { partition: recordPartitionOf(tenant, ulid), ulid };
      const current = await versions.find(tenant.tenant_id, key);
      if (current === null) throw new Error('there is no such record');
      const changed = change(current.newest.attribution);
      const { version } = current.newest.validity;
      const record = { ...changed.record, version: version + 1, as_of: toIso(clock()) };
      const next = { ...changed, record: withAnswers(record, changed.explanation) };
      const by = { claim: randomUUID(), attempt: 1 };
      if (!(await commit([...versions.appendVersion(key, current, next, by)])))
        throw new Error('the version was not written');
      await aggregate(tenant, [Math.floor(timeOfUlid(ulid) / LENGTH.minute)]);
    },
    /** Calls an operation with a credential that has the export scopes. */
    call: (
      name: keyof typeof operations,
      sent: TenantRequest,
      scopes: readonly Scope[] = ['export:create', 'read:attribution'],
    ): Promise<TestResponse> => callAsTenant(operations[name], sent, { scopes, clock: () => time.now }),
    eventsOf: live.eventsOf,
    /** The result files of an export by key, without manifest and metadata. */
    filesOf: (jobId: string): Map<string, Buffer> =>
      new Map(
        [...buckets.stored]
          .filter(([key]) => key.includes(jobId) && !key.endsWith('.json'))
          .sort(([one], [other]) => (one < other ? -1 : 1)),
      ),
    documentOf: (jobId: string, name: string): unknown => {
      const [, bytes] = [...buckets.stored].find(([key]) => key.endsWith(`${jobId}/${name}`)) ?? [];
      return bytes === undefined ? undefined : JSON.parse(bytes.toString('utf8'));
    },
  };
};
export type ExportHarness = Awaited<ReturnType<typeof startExportHarness>>;
