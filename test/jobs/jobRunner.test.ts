import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createJob } from '../../functions/jobs/createJob.ts';
import { withProgress } from '../../functions/jobs/job.ts';
import type { Stepper } from '../../functions/jobs/jobRunner.ts';
import type { Tenant } from '../../functions/tenancy/tenant.ts';
import type { Job } from '../../schemas/jobs.ts';
import type { Fault } from '../credentials/faultInjection.ts';
import { type JobHarness, startJobHarness } from './harness.ts';

const SLICE = 60_000;
const STEPS = 4;

let world: JobHarness;
let tenant: Tenant;
let job: Job;
beforeAll(async () => {
  world = await startJobHarness();
});
afterAll(() => world.live.stop());
beforeEach(async () => {
  tenant = world.newTenant();
  job = await world.open(tenant, { type: 'training' });
  world.sent.length = 0;
  // Outages are logged; nobody needs to read them here.
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
});
afterEach(() => vi.restoreAllMocks());

/** A job of four steps, each of which says where it stood. */
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

describe('a message', () => {
  it('is worked on step by step, each saved before the next', async () => {
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

  it('hands over to the next after its slice, which goes on where it stood', async () => {
    const { stepper, steps } = countingStepper(() => {
      world.time.now += SLICE / 2;
    });

    await world.run(stepper)(job);
    const between = await world.read(job);
    await world.run(stepper)(job);

    expect(between).toMatchObject({ status: 'running', cursor: '2' });
    expect(steps).toEqual([0, 1, 2, 3]);
    expect(world.sent).toEqual([job.job_id]);
    expect(await world.read(job)).toMatchObject(SUCCEEDED);
  });

  it('about a job that is through, or is none, has nothing done', async () => {
    const { stepper, steps } = countingStepper();
    await world.run(stepper)(job);
    const before = await world.read(job);

    await world.run(stepper)(job);
    await world.run(stepper)({ tenant_id: tenant.tenant_id, job_id: `job_${tenant.tag}${'0'.repeat(26)}` });
    await world.run(stepper)({ tenant_id: 'globex', job_id: job.job_id });

    expect(steps).toHaveLength(STEPS);
    expect(await world.read(job)).toEqual(before);
  });

  it('that takes a job over shuts out whoever held it', async () => {
    const { stepper, steps } = countingStepper(async (step) => {
      if (step !== 1 || steps.length > 1) return;
      steps.push(-1);
      await world.run(stepper)(job);
      world.time.now += 1_000;
    });

    await world.run(stepper)(job);

    // The first stood at step 1 when the second began there; it ends step 1 and does nothing more.
    expect(steps).toEqual([0, -1, 1, 2, 3, 1]);
    expect(await world.read(job)).toEqual({
      ...job,
      ...SUCCEEDED,
      finished_at: new Date(world.time.now - 1_000).toISOString(),
    });
  });

  it.each([2, 5])('of %d at once has each step counted once', async (messages) => {
    const { stepper } = countingStepper();

    await Promise.all(Array.from({ length: messages }, () => world.run(stepper)(job)));
    const done = await world.finish(job, stepper);

    expect(done).toMatchObject(SUCCEEDED);
  });

  it('that fails is tried again by the queue, from where the job stood', async () => {
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

it('ends the same whatever crashes how often', async () => {
  const faults = fc.array(
    fc.record<Fault>({
      write: fc.nat({ max: STEPS }),
      moment: fc.constantFrom('before', 'after'),
      kind: fc.constantFrom('fails', 'dies', 'repeats'),
    }),
    { maxLength: 5 },
  );

  await fc.assert(
    fc.asyncProperty(faults, async (happening) => {
      job = await world.open(tenant, { type: 'training' });
      const { stepper, steps } = countingStepper();

      const done = await world.finish(job, stepper, happening);

      expect(done).toMatchObject(SUCCEEDED);
      expect([...new Set(steps)]).toEqual([0, 1, 2, 3]);
    }),
    { numRuns: 40 },
  );
});

describe('the last try', () => {
  const failing = (at: number) =>
    countingStepper((step) => {
      if (step === at) throw new Error('secret of somebody else');
    });

  it('that fails ends the job, says so, and keeps how far it came', async () => {
    const { stepper } = failing(2);

    await expect(world.run(stepper)(job, true)).rejects.toThrow();

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

  it('is one of several: those before leave the job to the next', async () => {
    await expect(world.run(failing(2).stepper)(job)).rejects.toThrow();

    expect(await world.read(job)).toMatchObject({ status: 'running' });
  });

  it('does not end a job that another message has taken over', async () => {
    const { stepper } = countingStepper(async (step) => {
      if (step !== 1) return;
      await world.run(countingStepper().stepper)(job);
      throw new Error('too late');
    });

    await expect(world.run(stepper)(job, true)).rejects.toThrow();

    expect(await world.read(job)).toMatchObject({ status: 'succeeded' });
  });
});

it('opens a job once, and has it begun once', async () => {
  const [other, stores] = [{ ...job, job_id: `job_${tenant.tag}01KBXXXXXXXXXXXXXXXXXXXXXX` }, world];

  const opened = await Promise.all(Array.from({ length: 4 }, () => createJob(stores, other)));

  expect(opened.filter(Boolean)).toHaveLength(1);
  expect(world.sent).toEqual([other.job_id]);
  expect(await world.read(other)).toEqual(other);
});

it('finds the newest jobs of a tenant, the newest first', async () => {
  const opened = [job];
  for (let more = 0; more < 3; more += 1) {
    world.time.now += 1_000;
    opened.push(await world.open(tenant, { type: 'training' }));
  }

  expect(await world.jobs.newest(tenant.tenant_id, 3)).toEqual(opened.toReversed().slice(0, 3));
  expect(await world.jobs.newest(world.newTenant().tenant_id, 3)).toEqual([]);
});
