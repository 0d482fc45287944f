import fc from 'fast-check';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createJob } from '../../../functions/platform/jobs/createJob.ts';
import { withProgress } from '../../../functions/platform/jobs/job.ts';
import type { Stepper } from '../../../functions/platform/jobs/jobRunner.ts';
import { staleJobResender } from '../../../functions/platform/jobs/resendStaleJobs.ts';
import type { Tenant } from '../../../functions/platform/tenancy/tenant.ts';
import type { Job } from '../../../schemas/jobs.ts';
import type { Fault } from '../../identity/credentials/faultInjection.ts';
import { startJobHarness } from './harness.ts';

const TIME_SLICE_MS = 60_000;
const STEPS = 4;

let tenant: Tenant;
let job: Job;
const world = await startJobHarness();
afterAll(() => world.live.stop());
beforeEach(async () => {
  tenant = world.newTenant();
  job = await world.open(tenant, { type: 'training' });
  world.sent.length = 0;
  // Silences the log.
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
});
afterEach(() => vi.restoreAllMocks());

/** A stepper of four steps that records the steps it runs. */
const countingStepper = (during: (step: number) => Promise<void> | void = () => undefined) => {
  const steps: number[] = [];
  const stepper: Stepper = async (current) => {
    const step = Number(current.cursor ?? 0);
    await during(step);
    steps.push(step);
    const next = withProgress(current, { examined: 10, changed: 1, cursor: String(step + 1) });
    return { job: next, isDone: step + 1 === STEPS };
  };
  return { stepper, steps };
};

const SUCCEEDED = { status: 'succeeded', cursor: '4', progress: { examined: 40, changed: 4 } };

describe('jobRunner', () => {
  it('saves each step before it runs the next', async () => {
    const saved: (string | null)[] = [];
    const { stepper, steps } = countingStepper(async () => {
      const { status, cursor } = await world.read(job);
      saved.push(status, cursor);
    });

    await world.run(stepper)(job);

    expect(steps).toEqual([0, 1, 2, 3]);
    expect(saved).toEqual(['running', null, 'running', '1', 'running', '2', 'running', '3']);
    expect(await world.read(job)).toEqual({
      ...job,
      ...SUCCEEDED,
      finished_at: new Date(world.time.now).toISOString(),
    });
    expect(world.sent).toEqual([]);
  });

  it('queues the next message after its time slice, which continues at the saved cursor', async () => {
    const { stepper, steps } = countingStepper(() => {
      world.time.now += TIME_SLICE_MS / 2;
    });

    await world.run(stepper)(job);
    const between = await world.read(job);
    await world.run(stepper)(job);

    expect(between).toMatchObject({ status: 'running', cursor: '2' });
    expect(steps).toEqual([0, 1, 2, 3]);
    expect(world.sent).toEqual([job.job_id]);
    expect(await world.read(job)).toMatchObject(SUCCEEDED);
  });

  it('ignores messages for finished and unknown jobs', async () => {
    const { stepper, steps } = countingStepper();
    await world.run(stepper)(job);
    const before = await world.read(job);

    await world.run(stepper)(job);
    await world.run(stepper)({ tenant_id: tenant.tenant_id, job_id: `job_${tenant.tag}${'0'.repeat(26)}` });
    await world.run(stepper)({ tenant_id: 'globex', job_id: job.job_id });

    expect(steps).toHaveLength(STEPS);
    expect(await world.read(job)).toEqual(before);
  });

  it('fences the previous worker when a second one takes the job over', async () => {
    const { stepper, steps } = countingStepper(async (step) => {
      if (step !== 1 || steps.length > 1) return;
      steps.push(-1);
      await world.run(stepper)(job);
      world.time.now += 1_000;
    });

    await world.run(stepper)(job);

    // The first worker was in step 1 when the second one started there. It finishes step 1 and stops.
    expect(steps).toEqual([0, -1, 1, 2, 3, 1]);
    expect(await world.read(job)).toEqual({
      ...job,
      ...SUCCEEDED,
      finished_at: new Date(world.time.now - 1_000).toISOString(),
    });
  });

  it.each([2, 5])('counts each step once for %d concurrent messages', async (messages) => {
    const { stepper } = countingStepper();

    await Promise.all(Array.from({ length: messages }, () => world.run(stepper)(job)));
    const done = await world.finish(job, stepper);

    expect(done).toMatchObject(SUCCEEDED);
  });

  it('continues at the saved cursor when the queue retries a failed message', async () => {
    let isDown = true;
    const { stepper, steps } = countingStepper((step) => {
      if (step === 2 && isDown) throw new Error('no ledger');
    });

    await expect(world.run(stepper)(job)).rejects.toThrow('no ledger');
    isDown = false;
    await world.run(stepper)(job);

    expect(steps).toEqual([0, 1, 2, 3]);
    expect(await world.read(job)).toMatchObject(SUCCEEDED);
  });
});

it('gives the same result for any sequence of crashes', async () => {
  const faults = fc.array(
    fc.record<Fault>({
      write: fc.nat({ max: STEPS }),
      moment: fc.constantFrom('before', 'after'),
      kind: fc.constantFrom('fails', 'dies', 'repeats'),
    }),
    { maxLength: 5 },
  );

  await fc.assert(
    fc.asyncProperty(faults, async (faultList) => {
      job = await world.open(tenant, { type: 'training' });
      const { stepper, steps } = countingStepper();

      const done = await world.finish(job, stepper, faultList);

      expect(done).toMatchObject(SUCCEEDED);
      expect([...new Set(steps)]).toEqual([0, 1, 2, 3]);
    }),
    { numRuns: 40 },
  );
});

describe('the last attempt of a message', () => {
  const failing = (at: number) =>
    countingStepper((step) => {
      if (step === at) throw new Error('secret of somebody else');
    });

  it('marks the job as failed and keeps its progress', async () => {
    const { stepper } = failing(2);

    await expect(world.run(stepper)(job, () => true)).rejects.toThrow();

    const found = await world.read(job);
    expect(found).toMatchObject({
      status: 'failed',
      finished_at: new Date(world.time.now).toISOString(),
      progress: { examined: 20, changed: 2 },
      error: { reason: 'internal' },
    });
    expect(JSON.stringify(found)).not.toContain('secret');
    await world.run(countingStepper().stepper)(job);
    expect(await world.read(job)).toEqual(found);
  });

  it('is the only one that marks the job: earlier failures keep it running', async () => {
    await expect(world.run(failing(2).stepper)(job)).rejects.toThrow();

    expect(await world.read(job)).toMatchObject({ status: 'running' });
  });

  it('does not fail a job that another message has taken over', async () => {
    const { stepper } = countingStepper(async (step) => {
      if (step !== 1) return;
      await world.run(countingStepper().stepper)(job);
      throw new Error('too late');
    });

    await expect(world.run(stepper)(job, () => true)).rejects.toThrow();

    expect(await world.read(job)).toMatchObject({ status: 'succeeded' });
  });
});

it('creates and queues a job once under concurrent calls', async () => {
  const [other, stores] = [{ ...job, job_id: `job_${tenant.tag}01KBXXXXXXXXXXXXXXXXXXXXXX` }, world];

  const opened = await Promise.all(Array.from({ length: 4 }, () => createJob(stores, other)));

  expect(opened.filter(Boolean)).toHaveLength(1);
  expect(world.sent).toEqual([other.job_id]);
  expect(await world.read(other)).toEqual(other);
});

it('returns the newest jobs of a tenant, newest first', async () => {
  const opened = [job];
  for (let more = 0; more < 3; more += 1) {
    world.time.now += 1_000;
    opened.push(await world.open(tenant, { type: 'training' }));
  }

  expect(await world.jobs.list(tenant.tenant_id, { descending: true, limit: 3 })).toEqual(
    opened.toReversed().slice(0, 3),
  );
  expect(await world.jobs.list(world.newTenant().tenant_id, { descending: true, limit: 3 })).toEqual([]);
});

describe('a job whose message was lost', () => {
  const HOUR_MS = 3_600_000;
  const resend = async (): Promise<string[]> => {
    world.sent.length = 0;
    await staleJobResender(world)(tenant, world.time.now);
    return world.sent;
  };

  it('is sent again after two hours, however many jobs were created since, until it is finished', async () => {
    const { stepper } = countingStepper();
    const others: Job[] = [];
    for (let count = 0; count < 40; count += 1) others.push(await world.open(tenant, { type: 'training' }));
    await Promise.all(others.map((other) => world.finish(other, stepper)));
    expect(await resend()).toEqual([]);

    world.time.now += 3 * HOUR_MS;
    expect(await resend()).toEqual([job.job_id]);
    await world.finish(job, stepper);
    expect(await resend()).toEqual([]);
  });

  it('is sent again at once if a clock that was ahead has created it, and not after it has failed', async () => {
    world.time.now -= HOUR_MS;
    expect(await resend()).toEqual([job.job_id]);
    const failing = world.run(() => Promise.reject(new Error('this step fails')));
    await expect(failing(job, () => true)).rejects.toThrow('fails');
    expect(await resend()).toEqual([]);
    world.time.now += HOUR_MS;
  });
});
