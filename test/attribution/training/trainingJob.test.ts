import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { parseLabel } from '../../../functions/attribution/training/models/label.ts';
import { servingReader } from '../../../functions/attribution/training/models/registry.store.ts';
import { applyRecall, UNTRAINED } from '../../../functions/attribution/training/models/servingState.ts';
import { decodeArtefact } from '../../../functions/attribution/training/prediction/artefact.ts';
import { decodeHeuristic } from '../../../functions/attribution/training/prediction/heuristicTable.ts';
import { observationOf } from '../../../functions/attribution/training/prediction/observation.ts';
import { predictor } from '../../../functions/attribution/training/prediction/predictor.ts';
import { trainingStepper } from '../../../functions/attribution/training/trainingJob.ts';
import type { JobMessage } from '../../../functions/platform/jobs/job.store.ts';
import { commit } from '../../../functions/platform/shared/aws/document.store.ts';
import type { Tenant } from '../../../functions/platform/tenancy/tenant.ts';
import type { Job } from '../../../schemas/jobs.ts';
import type { Fault } from '../../identity/credentials/faultInjection.ts';
import { startJobHarness, stepperOfAnyJob } from '../../platform/jobs/harness.ts';
import { type CallSpec, simulatedLedger } from '../../platform/jobs/ledgerFixtures.ts';
import { callOf } from './models/trainedFixtures.ts';

const MINUTE = 60_000;
const OWNERS = ['search', 'billing', 'ranking'];
const LABELLED = 600;
const UNLABELLED = 60;

let tenant: Tenant;
let artefacts: Map<string, Uint8Array>;
let trainingState: Uint8Array | null;
const world = await startJobHarness();
afterAll(() => world.live.stop());
beforeEach(() => {
  tenant = world.newTenant();
  artefacts = new Map();
  trainingState = null;
  world.sent.length = 0;
  // Keeps logged outages out of the test output.
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
});
afterEach(() => vi.restoreAllMocks());

/** Calls whose tag identifies the owner. The labelled ones also state it. */
const traffic = (labelled = LABELLED): CallSpec[] =>
  Array.from({ length: labelled + UNLABELLED }, (_, index) => {
    const owner = OWNERS[index % OWNERS.length] ?? '';
    return {
      index,
      occurredAt: world.time.now - (labelled + UNLABELLED - index) * MINUTE,
      members: { tags: [`tag-${owner}`], ...(index < labelled && { attributed_identity: owner }) },
    };
  });

const stepper = (made = traffic(), write: () => Promise<void> | void = () => undefined) =>
  stepperOfAnyJob(
    'training',
    trainingStepper(
      {
        ledger: simulatedLedger(tenant, made),
        registry: world.registry,
        artefacts: {
          write: async (tenantId, version, artefact) => {
            await write();
            artefacts.set(`${tenantId}/${version}`, artefact);
          },
          readTraining: async () => {
            if (trainingState === null) throw new Error('no training state');
            return trainingState;
          },
          writeTraining: async (_, state) => {
            trainingState = state;
          },
        },
        outbox: world.outbox,
        jobs: world.jobs,
        queue: world.queue,
      },
      { tenant, clock: world.clock },
    ),
  );
const open = () => world.open(tenant, { type: 'training' });
const runTraining = async (made?: readonly CallSpec[]) =>
  world.finish(await open(), stepper(made && [...made]));
const models = () => world.registry.models(tenant.tenant_id, { descending: true, limit: 10 });
const serving = async () => (await world.registry.current(tenant.tenant_id)).serving;
const degradationEvents = async () =>
  (await world.eventsOf(tenant)).map(({ data: { previous, state, reason } }) => [previous, state, reason]);
/** The follow-up jobs of a training, which reprocess unattributed records. */
const followUpJobs = async (job: JobMessage) =>
  (await world.jobs.list(tenant.tenant_id, { descending: true, limit: 10 })).filter(
    ({ job_id }) => job_id !== job.job_id,
  );

const expectOneModel = async (job: Job) => {
  const [model, ...others] = await models();
  const [next, ...more] = await followUpJobs(job);
  expect([others, more]).toEqual([[], []]);
  expect(job).toMatchObject({ status: 'succeeded', model_version: model?.version });
  expect(model).toMatchObject({ state: 'active', examples: 660, labelled: LABELLED, labels: 3 });
  expect([...artefacts.keys()]).toEqual([`${tenant.tenant_id}/${model?.version}`]);
  expect(await serving()).toMatchObject({
    active: model?.version,
    heuristic: model?.version,
    degradation: 'none',
  });
  expect(next?.request).toMatchObject({ type: 'reprocessing', selection: { kind: 'unplaced' } });
  expect(world.sent).toContain(next?.job_id);
};

describe('a training', () => {
  it('activates a model that passes, and starts a job for unattributed records', async () => {
    const job = await runTraining();

    await expectOneModel(job);
    expect(job.progress).toEqual({ examined: 660, changed: 0 });
    const [model] = await models();
    expect(model?.gate).toMatchObject({ passed: true });
    expect(model?.gate.criteria.map(({ passed }) => passed)).toEqual([true, true, true, true]);
    expect(await degradationEvents()).toEqual([]);
  });

  it('stores an artefact and a heuristic that predict the owner', async () => {
    const { model_version: version } = await runTraining();

    const [artefact = new Uint8Array()] = artefacts.values();
    const heuristic = await servingReader('models').heuristic(tenant.tenant_id, version ?? '');

    const seen = observationOf(callOf('billing'), world.time.now);
    const prediction = predictor(decodeArtefact(artefact)).predict(seen);
    expect(parseLabel(prediction?.label ?? '')).toEqual({ owner: 'billing', service: null });
    expect(decodeHeuristic(heuristic ?? new Uint8Array()).labels.map(parseLabel)).toContainEqual({
      owner: 'billing',
      service: null,
    });
  });

  it('writes the artefact before the registry refers to it', async () => {
    let named: unknown[] = [1];
    await world.finish(
      await open(),
      stepper(traffic(), async () => {
        named = [
          ...(await models()),
          ...(await world.jobs.list(tenant.tenant_id, { descending: true, limit: 10 })).slice(1),
        ];
        expect(await serving()).toEqual(UNTRAINED);
      }),
    );

    expect(named).toEqual([]);
    expect(artefacts.size).toBe(1);
  });

  it('lets a rejected model give advice when it is as accurate as the heuristic', async () => {
    const job = await runTraining(traffic(300));

    const [model] = await models();
    expect(model).toMatchObject({ state: 'rejected', gate: { passed: false }, activated_at: null });
    expect(await serving()).toMatchObject({
      active: null,
      candidate: model?.version,
      heuristic: model?.version,
    });
    expect(await servingReader('models').heuristic(tenant.tenant_id, model?.version ?? '')).not.toBeNull();
    expect([artefacts.size, await followUpJobs(job), await degradationEvents()]).toEqual([1, [], []]);
  });

  it('succeeds with a rejected model when there are no calls', async () => {
    const job = await runTraining([]);

    expect(job).toMatchObject({ status: 'succeeded', progress: { examined: 0 } });
    expect(await models()).toMatchObject([{ state: 'rejected', examples: 0, labels: 0 }]);
  });

  it('applies the active model once a day to records that are still open', async () => {
    const first = await runTraining();
    const asOf = first.as_of;
    world.time.now += 23 * 60 * MINUTE;
    await runTraining();
    world.time.now += 2 * 60 * MINUTE;
    const nextDay = await runTraining();

    const periods = (await followUpJobs(first)).flatMap(({ request }) =>
      request.type === 'reprocessing' ? [[request.period.from, request.selection]] : [],
    );
    expect(periods).toHaveLength(2);
    expect(periods).toContainEqual([asOf, { kind: 'unplaced', again: true }]);
    expect(await serving()).toMatchObject({ retried_to: nextDay.as_of });
  });

  it('replaces the previous model without another follow-up job', async () => {
    const first = await runTraining();
    world.time.now += 180 * MINUTE;
    const second = await runTraining();
    world.time.now += 180 * MINUTE;
    const third = await runTraining(traffic(300));

    expect((await models()).map(({ state }) => state)).toEqual(['rejected', 'active', 'validated']);
    expect(await serving()).toMatchObject({ active: second.model_version, candidate: third.model_version });
    const reprocessing = (await followUpJobs(first)).filter(({ request }) => request.type === 'reprocessing');
    expect(reprocessing).toHaveLength(1);
  });

  describe('by schedule', () => {
    const runScheduled = async (made: readonly CallSpec[]) =>
      world.finish(await world.open(tenant, { type: 'training', scheduled: true }), stepper([...made]));

    it('continues the stored training with the calls since then', async () => {
      const before = traffic();
      await runScheduled(before);
      world.time.now += 15 * MINUTE;
      const since = Array.from({ length: 120 }, (_, index) => ({
        index: 1_000 + index,
        occurredAt: world.time.now - 14 * MINUTE + index * 1_000,
        members: { tags: ['tag-billing'], attributed_identity: 'billing' },
      }));

      const job = await runScheduled([...before, ...since]);

      expect(job.progress.examined).toBe(120);
      expect((await models())[0]).toMatchObject({ state: 'active', examples: 780, labelled: LABELLED + 120 });
    });

    it('ends without a model when too few calls are new', async () => {
      await runScheduled(traffic());
      world.time.now += 15 * MINUTE;

      const job = await runScheduled(traffic());

      expect(job).toMatchObject({ status: 'succeeded', model_version: null });
      expect(await models()).toHaveLength(1);
    });

    it('starts again from the ledger after a day, and after a recall', async () => {
      const job = await runScheduled(traffic());
      world.time.now += 25 * 60 * MINUTE;
      const nextDay = await runScheduled(traffic());
      const { serving: current, revision } = await world.registry.current(tenant.tenant_id);
      const recalled = { ...current, degradation: 'model_recalled' as const };
      const by = { claim: 'test', attempt: 1 };
      await commit([
        world.registry.putServing(tenant.tenant_id, recalled, { expectedRevision: revision, by }),
      ]);
      world.time.now += 15 * MINUTE;
      const afterRecall = await runScheduled(traffic());

      const all = LABELLED + UNLABELLED;
      expect([job, nextDay, afterRecall].map(({ progress }) => progress.examined)).toEqual([all, all, all]);
    });
  });

  it.each(['degraded_serving', 'model_recalled'] as const)(
    'ends %s when the model passes, and raises an event',
    async (degradation) => {
      const by = { claim: 'before', attempt: 1 };
      const before = { ...UNTRAINED, degradation };
      await commit([world.registry.putServing(tenant.tenant_id, before, { expectedRevision: null, by })]);

      await runTraining(traffic(300));
      const refused = await degradationEvents();
      await runTraining();

      expect(refused).toEqual([]);
      expect(await degradationEvents()).toEqual([[degradation, 'none', 'model_validated']]);
    },
  );

  it('retries when the serving state changed meanwhile', async () => {
    const by = { claim: 'meanwhile', attempt: 1 };
    const since = new Date(world.time.now).toISOString();
    const degraded = { ...UNTRAINED, degradation: 'degraded_serving' as const, since };
    let isFirst = true;
    const meanwhile = async (tenantId: string) => {
      if (!isFirst) return;
      isFirst = false;
      await commit([world.registry.putServing(tenantId, degraded, { expectedRevision: null, by })]);
    };
    const { current } = world.registry;
    vi.spyOn(world.registry, 'current').mockImplementation(async (tenantId) => {
      const found = await current(tenantId);
      await meanwhile(tenantId);
      return found;
    });

    const job = await runTraining();

    await expectOneModel(job);
    expect(await degradationEvents()).toEqual([['degraded_serving', 'none', 'model_validated']]);
  });
});

describe('a training that crashes', () => {
  // The claim of the job, the registry, the end of the job.
  const WRITES = 3;
  const faults = (['fails', 'dies', 'repeats'] as const).flatMap((kind) =>
    Array.from({ length: WRITES }, (_, write) =>
      (['before', 'after'] as const).map((moment): Fault => ({ write, moment, kind })),
    ).flat(),
  );

  it(`takes ${WRITES} writes to the tables`, async () => {
    void world.faults.arm({ write: 99, moment: 'before', kind: 'fails' });
    await runTraining();

    // The creation of the job is one more write.
    expect(world.faults.writes()).toBe(WRITES + 1);
  });

  it.each(faults)('leaves one model when it is retried after %o', async (fault) => {
    const job = await world.finish(await open(), stepper(), [fault]);

    await expectOneModel(job);
  });

  it.each(['artefact', 'queue'] as const)(
    'leaves one model when the %s could not be written',
    async (store) => {
      const job = await open();
      const down = () => {
        throw new Error(`no ${store}`);
      };
      if (store === 'queue') vi.spyOn(world.queue, 'sendAfterPropagation').mockImplementationOnce(down);
      await expect(
        world.run(stepper(traffic(), store === 'artefact' ? down : undefined))(job),
      ).rejects.toThrow(store);

      await expectOneModel(await world.finish(job, stepper()));
    },
  );

  it('leaves one model when it runs concurrently with its retry', async () => {
    const job = await open();

    // One of the two may fail and is retried. It must not undo the work of the other.
    await Promise.allSettled([world.run(stepper())(job), world.run(stepper())(job)]);

    await expectOneModel(await world.finish(job, stepper()));
  });

  it('registers its model once when two runs reach the registration', async () => {
    const job = await open();
    const step = stepper();

    // Both have passed every check when they write.
    const ended = await Promise.allSettled([step(job), step(job)]);

    expect(ended.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled']);
    expect(await models()).toMatchObject([{ state: 'active' }]);
  });

  it('does not restore a model that was recalled while it was suspended', async () => {
    const { model_version: prior } = await runTraining();
    world.time.now += 180 * MINUTE;
    const job = await open();
    let wake = (): void => undefined;
    const asleep = new Promise<void>((resolve) => {
      wake = resolve;
    });
    const zombie = stepper(traffic(), () => asleep)(job);
    await stepper()(job);
    const by = { claim: 'recall', attempt: 1 };
    const { serving: before, revision } = await world.registry.current(tenant.tenant_id);
    const [model, ...others] = await models();
    if (model === undefined) throw new Error('a model is expected');
    const act = applyRecall(before, model, others, {
      principal: 'key_1',
      reason: 'wrong',
      at: model.trained_at,
    });
    await commit([
      ...act.models.map((one) => world.registry.putModel(tenant.tenant_id, one, by)),
      world.registry.putServing(tenant.tenant_id, act.serving, { expectedRevision: revision, by }),
    ]);

    wake();
    await zombie.catch(() => undefined);

    expect((await models()).map(({ state }) => state)).toEqual(['recalled', 'active']);
    expect(await serving()).toMatchObject({ active: prior, degradation: 'model_recalled' });
  });
});
