import { randomUUID } from 'node:crypto';
import { QueryCommand } from '@aws-sdk/client-dynamodb';
import { reviser } from '../../../functions/attribution/engine/revise.ts';
import { modelRegistry } from '../../../functions/attribution/training/models/registry.store.ts';
import {
  fromVersionItem,
  ledgerReader,
  type Version,
} from '../../../functions/ledger/records/ledger.store.ts';
import { recordPartitionOf } from '../../../functions/ledger/records/ledgerKey.ts';
import { recordVersionStore } from '../../../functions/ledger/records/recordVersion.store.ts';
import { type JobMessage, jobStore } from '../../../functions/platform/jobs/job.store.ts';
import { isFinished, newJob } from '../../../functions/platform/jobs/job.ts';
import { jobRunner, type Stepper } from '../../../functions/platform/jobs/jobRunner.ts';
import { outbox } from '../../../functions/platform/outbox/outbox.store.ts';
import { commit } from '../../../functions/platform/shared/aws/document.store.ts';
import { deterministicUlid, recordUlid } from '../../../functions/platform/shared/ids.ts';
import type { Tenant } from '../../../functions/platform/tenancy/tenant.ts';
import type { Job, JobOf, JobRequest } from '../../../schemas/jobs.ts';
import { neverRaised } from '../../attribution/engine/neverRaised.ts';
import { type Fault, injectFaults } from '../../identity/credentials/faultInjection.ts';
import { eventIdOf } from '../../ledger/records/ledgerFixture.ts';
import { startTables } from '../../support/tables.ts';
import { newTenant } from '../../support/tenants.ts';
import type { CallSpec } from './ledgerFixtures.ts';

/** After this many messages, the harness fails instead of looping forever. */
const MESSAGES_MAXIMUM = 50;

/** Background jobs on real tables, with a simulated clock and queue. */
export const startJobHarness = async () => {
  const live = await startTables();
  const faults = injectFaults();
  const time = { now: Date.parse('2026-05-20T12:00:00Z') };
  const clock = () => time.now;
  const sent: string[] = [];
  const send = async ({ job_id }: JobMessage) => void sent.push(job_id);
  const queue = { send, sendAfterPropagation: send };
  const marked = new Set<number>();
  const jobs = jobStore('jobs');

  const run = (stepper: Stepper, at: () => number = clock) =>
    jobRunner({ jobs, queue, stepperOf: async () => stepper, clock: at, newClaim: randomUUID });
  const read = async (job: JobMessage): Promise<Job> => {
    const found = await jobs.read(job);
    if (found === null) throw new Error('the job is not stored');
    return found.document;
  };

  return {
    live,
    faults,
    time,
    clock,
    jobs,
    queue,
    /** The ids of queued jobs. */
    sent,
    /** The times of calls whose records may have changed, in epoch milliseconds. */
    marked,
    mark: async (_: string, instants: readonly number[]) => {
      for (const instant of instants) marked.add(instant);
    },
    ledger: ledgerReader('ledger', clock),
    revise: reviser(recordVersionStore('ledger', clock), clock, neverRaised),
    registry: modelRegistry('models'),
    outbox: outbox('outbox'),
    newTenant,
    /** Creates a job of the tenant as of now. */
    open: async (tenant: Tenant, request: JobRequest): Promise<Job> => {
      const job = newJob(tenant, deterministicUlid('test', randomUUID(), time.now), request, time.now);
      await commit(jobs.create(job, { claim: job.job_id, attempt: 0 }));
      return job;
    },
    run,
    read,
    /** Runs messages of a job, with faults, until the job is finished. */
    finish: async (job: JobMessage, stepper: Stepper, faultList: readonly Fault[] = []): Promise<Job> => {
      const remaining = [...faultList];
      for (let messages = 0; messages < MESSAGES_MAXIMUM; messages += 1) {
        const fault = remaining.shift();
        if (fault !== undefined) void faults.arm(fault);
        await run(stepper)(job).catch((error: unknown) => {
          if (fault === undefined) throw error;
        });
        faults.restart();
        time.now += 1_000;
        const found = await read(job);
        if (isFinished(found)) return found;
      }
      throw new Error(`the job is not finished after ${MESSAGES_MAXIMUM} messages`);
    },
    /** The versions of a record, oldest first. */
    versions: async (tenant: Tenant, { index, occurredAt }: CallSpec): Promise<Version[]> => {
      const ulid = recordUlid(tenant.tenant_id, eventIdOf(index), occurredAt, index % 3);
      const { Items = [] } = await live.client.send(
        new QueryCommand({
          TableName: 'ledger',
          KeyConditionExpression: 'pk = :pk AND begins_with(sk, :record)',
          ExpressionAttributeValues: {
            ':pk': { S: recordPartitionOf(tenant, ulid) },
            ':record': { S: `${ulid}#` },
          },
          ConsistentRead: true,
        }),
      );
      return Items.map((item) => fromVersionItem(item, tenant.tenant_id));
    },
    eventsOf: live.eventsOf,
  };
};

/** Adapts a stepper of one job type to the runner, and throws for any other type. */
export const stepperOfAnyJob =
  <Type extends Job['request']['type']>(type: Type, step: Stepper<JobOf<Type>>): Stepper =>
  async (job) => {
    const isOwn = (one: Job): one is JobOf<Type> => one.request.type === type;
    if (!isOwn(job)) throw new Error(`not a ${type}`);
    return step(job);
  };
