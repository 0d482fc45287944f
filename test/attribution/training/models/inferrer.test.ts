import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Tenant } from '../../../../functions/platform/tenancy/tenant.ts';
import { aTenant } from '../../engine/events.ts';
import { type InferrerHarness, startInferrer } from './inferrerHarness.ts';
import { versionAt } from './modelFixtures.ts';
import { callOf, encodedOn, examplesOf, inLane, trainedOn } from './trainedFixtures.ts';

const SECOND = 1_000;
const SERVING_TTL = 5 * SECOND;
const PAUSE = 30 * SECOND;
const [FIRST, SECOND_MODEL] = [versionAt(1), versionAt(2)];
const LATE = 21;
const NOT_FOUND = new Error('no such object');

const models = trainedOn(['search', 'billing']);
const tenant = aTenant();
let function_: InferrerHarness;

beforeEach(() => {
  function_ = startInferrer(() => models);
  function_.serve(tenant, { active: FIRST, heuristic: FIRST });
  // Keeps logged outages out of the test output.
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
});
afterEach(() => vi.restoreAllMocks());

/** The prediction of one call in a new batch. */
const ask = async (of: Tenant = tenant, owner = 'search', residency: string | null = null) =>
  (await function_.prepare(of))(callOf(owner), { occurredAt: function_.time.now, residency });
/** The predictions of `count` calls in one batch. */
const askAll = async (count: number) => {
  const infer = await function_.prepare(tenant);
  return Array.from({ length: count }, () =>
    infer(callOf('search'), { occurredAt: function_.time.now, residency: null }),
  );
};

const BY_MODEL = {
  degradation: 'none',
  prediction: { model_version: FIRST, basis: 'model_inferred', advisory: false, owner: 'search' },
};
const BY_HEURISTIC = {
  degradation: 'degraded_serving',
  prediction: {
    model_version: `${FIRST}+heuristic`,
    basis: 'heuristic_baseline',
    advisory: true,
    owner: 'search',
  },
};

describe('a model', () => {
  it('predicts with confidence and does not change the state when it is healthy', async () => {
    const answer = await ask();

    expect(answer).toMatchObject(BY_MODEL);
    expect(answer.prediction).toMatchObject({ service: null, novel: false });
    expect(answer.prediction?.confidence).toBeGreaterThan(0.8);
    expect(function_.stateChanges).toEqual([]);
  });

  it('limits the confidence for a novel caller to 0.5', async () => {
    const { prediction } = await ask(tenant, 'unknown-caller');

    expect(prediction?.novel).toBe(true);
    expect(prediction?.confidence).toBeLessThanOrEqual(0.5);
  });

  it('is loaded once for many events in concurrent batches', async () => {
    const batches = await Promise.all(Array.from({ length: 8 }, () => askAll(20)));

    expect(batches.flat()).toHaveLength(160);
    expect(function_.reads.artefacts).toEqual([`acme/${FIRST}`]);
    expect(function_.reads.heuristics).toEqual([`acme/${FIRST}`]);
  });

  it('is replaced by the next version within seconds, and is not loaded again afterwards', async () => {
    await ask();
    function_.serve(tenant, { active: SECOND_MODEL, heuristic: SECOND_MODEL });
    const before = await ask();
    function_.time.now += SERVING_TTL;
    const after = await ask();
    function_.serve(tenant, { active: FIRST, heuristic: FIRST });
    function_.time.now += SERVING_TTL;
    await ask();

    expect(before.prediction?.model_version).toBe(FIRST);
    expect(after.prediction?.model_version).toBe(SECOND_MODEL);
    expect(function_.reads.artefacts).toEqual([`acme/${FIRST}`, `acme/${SECOND_MODEL}`]);
  });

  it('predicts without access to any store', async () => {
    const infer = await function_.prepare(tenant);
    const before = structuredClone(function_.reads);

    infer(callOf('search'), { occurredAt: function_.time.now, residency: null });

    expect({ ...function_.reads, stopwatch: 0 }).toEqual({ ...before, stopwatch: 0 });
  });
});

describe('a prediction', () => {
  it.each([
    [20, BY_MODEL],
    [LATE, BY_HEURISTIC],
  ])('of %d ms is used within the limit, and replaced by the heuristic above it', async (took, expected) => {
    function_.pace.milliseconds = took;

    expect(await ask()).toMatchObject(expected);
  });

  it('has no time limit in background jobs', async () => {
    function_ = startInferrer(() => models, { budget: Number.POSITIVE_INFINITY });
    function_.serve(tenant, { active: FIRST, heuristic: FIRST });
    function_.pace.milliseconds = 60 * SECOND;

    expect(await askAll(5)).toMatchObject(Array(5).fill(BY_MODEL));
    expect(function_.stateChanges).toEqual([]);
  });

  it('after the limit three times opens the breaker and changes the state once', async () => {
    function_.pace.milliseconds = LATE;
    const late = await askAll(3);
    const readings = function_.reads.stopwatch;
    function_.pace.milliseconds = 1;

    const after = await askAll(5);
    await ask();

    expect([...late, ...after]).toEqual(
      Array.from({ length: 8 }, () => expect.objectContaining({ degradation: 'degraded_serving' })),
    );
    expect(function_.reads.stopwatch).toBe(readings);
    expect(function_.stateChanges).toEqual(['none -> degraded_serving']);
  });

  it('after the limit occasionally does not change the state', async () => {
    for (let turn = 0; turn < 6; turn += 1) {
      function_.pace.milliseconds = LATE;
      expect(await ask()).toMatchObject(BY_HEURISTIC);
      function_.pace.milliseconds = 1;
      expect(await ask()).toMatchObject(BY_MODEL);
      function_.time.now += PAUSE / 2;
    }

    expect(function_.stateChanges).toEqual([]);
  });

  it('within the limit for a probe closes the breaker', async () => {
    function_.pace.milliseconds = LATE;
    await askAll(3);
    await ask();
    function_.time.now += PAUSE;
    const stillLate = await askAll(2);
    const readings = function_.reads.stopwatch;
    function_.time.now += PAUSE;
    function_.pace.milliseconds = 1;
    const [probe] = await askAll(1);
    await ask();

    expect(stillLate).toMatchObject([BY_HEURISTIC, BY_HEURISTIC]);
    // Three predictions and one probe, with two stopwatch readings each.
    expect(readings).toBe(8);
    expect(probe).toMatchObject(BY_MODEL);
    expect(function_.stateChanges).toEqual(['none -> degraded_serving', 'degraded_serving -> none']);
  });
});

describe('a model that cannot be loaded', () => {
  it('is replaced by the heuristic at once, changes the state once, and is not requested before the reset timeout', async () => {
    function_.outage.artefacts = NOT_FOUND;

    const answers = [await ask(), await ask(), await ask()];

    expect(answers).toMatchObject([BY_HEURISTIC, BY_HEURISTIC, BY_HEURISTIC]);
    expect(function_.reads.artefacts).toHaveLength(1);
    expect(function_.stateChanges).toEqual(['none -> degraded_serving']);
  });

  it('serves again when it can be loaded, and the state is restored', async () => {
    function_.outage.artefacts = NOT_FOUND;
    await ask();
    delete function_.outage.artefacts;
    function_.time.now += PAUSE;

    const answers = [await ask(), await ask()];

    expect(answers).toMatchObject([BY_MODEL, BY_MODEL]);
    expect(function_.stateChanges).toEqual(['none -> degraded_serving', 'degraded_serving -> none']);
  });

  it('is loaded with a timeout of two seconds', async () => {
    vi.spyOn(AbortSignal, 'timeout').mockReturnValue(AbortSignal.abort());

    expect(await ask()).toMatchObject(BY_HEURISTIC);
    expect(AbortSignal.timeout).toHaveBeenCalledWith(2_000);
  });

  it('is replaced by the heuristic when its bytes are invalid', async () => {
    function_ = startInferrer(() => ({ ...models, artefact: Buffer.from('none') }));
    function_.serve(tenant, { active: FIRST, heuristic: FIRST });

    expect(await ask()).toMatchObject(BY_HEURISTIC);
  });

  it('does not block the record when the state cannot be stored', async () => {
    function_.outage.artefacts = NOT_FOUND;
    function_.outage.move = new Error('no table');

    expect(await ask()).toMatchObject(BY_HEURISTIC);
  });

  it('gives no prediction when there is no heuristic either', async () => {
    Object.assign(function_.outage, { artefacts: NOT_FOUND, heuristics: NOT_FOUND });

    expect(await ask()).toEqual({ degradation: 'degraded_serving', prediction: null });
  });
});

describe('a heuristic', () => {
  it.each([
    ['cannot be loaded', (one: InferrerHarness) => Object.assign(one.outage, { heuristics: NOT_FOUND })],
    ['is invalid', () => undefined],
  ])('that %s does not affect the model', async (_, breakHeuristic) => {
    function_ = startInferrer(() => ({ ...models, heuristic: Buffer.from('none') }));
    function_.serve(tenant, { active: FIRST, heuristic: FIRST });
    breakHeuristic(function_);

    expect(await ask()).toMatchObject(BY_MODEL);
    function_.pace.milliseconds = LATE;
    expect(await ask()).toEqual({ degradation: 'degraded_serving', prediction: null });
  });

  it('is loaded again after a failure', async () => {
    function_.pace.milliseconds = LATE;
    function_.outage.heuristics = NOT_FOUND;
    const without = await ask();
    delete function_.outage.heuristics;

    expect(without.prediction).toBeNull();
    expect(await ask()).toMatchObject(BY_HEURISTIC);
  });
});

describe('a tenant', () => {
  it('with stage B disabled gets no prediction and costs no reads', async () => {
    const answer = await ask(aTenant({ stage_b: 'disabled' }));

    expect(answer).toEqual({ degradation: 'disabled', prediction: null });
    expect(function_.reads).toEqual({ serving: [], artefacts: [], heuristics: [], stopwatch: 0 });
  });

  it('without a training gets no prediction, and its state is cached', async () => {
    const untrained = aTenant({ tenant_id: 'new' });

    const answers = [await ask(untrained), await ask(untrained)];

    expect(answers).toEqual(Array(2).fill({ degradation: 'none', prediction: null }));
    expect(function_.reads).toEqual({ serving: ['new'], artefacts: [], heuristics: [], stopwatch: 0 });
  });

  it('with a rejected model gets the heuristic in state none', async () => {
    function_.serve(tenant, { heuristic: FIRST });

    expect(await ask()).toMatchObject({ ...BY_HEURISTIC, degradation: 'none' });
    expect(function_.reads.artefacts).toEqual([]);
  });

  it('whose only model was recalled gets the heuristic in state model_recalled', async () => {
    function_.serve(tenant, { heuristic: FIRST, degradation: 'model_recalled' });

    expect(await ask()).toMatchObject({ ...BY_HEURISTIC, degradation: 'model_recalled' });
    expect(function_.stateChanges).toEqual([]);
  });

  it('whose model was recalled gets the previous one in state model_recalled', async () => {
    function_.serve(tenant, { active: FIRST, heuristic: FIRST, degradation: 'model_recalled' });

    expect(await ask()).toMatchObject({ ...BY_MODEL, degradation: 'model_recalled' });
  });

  it('gets an error, not an empty prediction, when the serving state cannot be read', async () => {
    function_.outage.serving = NOT_FOUND;

    await expect(function_.prepare(tenant)).rejects.toThrow(NOT_FOUND);
  });

  it('never names in one lane what only calls of another lane name', async () => {
    const owners = { eu: ['ann', 'bob'], us: ['cleo', 'dan'] };
    const trained = encodedOn(
      [...examplesOf(owners.eu), ...inLane('us', examplesOf(owners.us))].sort(
        (one, other) => one.observation.occurredAt - other.observation.occurredAt,
      ),
    );
    const laned = aTenant({ residency: ['eu', 'us', 'ap'] });
    const namesIn = async (lane: string, owner: string, pace: number): Promise<string[]> => {
      function_ = startInferrer(() => trained);
      function_.pace.milliseconds = pace;
      function_.serve(laned, { active: FIRST, heuristic: FIRST });
      const { prediction } = await ask(laned, owner, lane);
      return prediction === null
        ? []
        : [prediction, ...prediction.alternatives].flatMap((one) => one.owner ?? []);
    };

    for (const pace of [1, LATE]) {
      for (const owner of [...owners.eu, ...owners.us]) {
        const [eu, us] = [await namesIn('eu', owner, pace), await namesIn('us', owner, pace)];
        expect(owners.eu).toEqual(expect.arrayContaining(eu));
        expect(owners.us).toEqual(expect.arrayContaining(us));
        expect(owners.eu.includes(owner) ? eu[0] : us[0]).toBe(owner);
        expect(await namesIn('ap', owner, pace)).toEqual([]);
      }
    }
  });

  it('never gets a prediction of another tenant’s model', async () => {
    const named = fc.uniqueArray(fc.stringMatching(/^[a-z][a-z0-9-]{0,12}$/), { minLength: 2, maxLength: 4 });
    const trained = new Map(['one', 'two', 'three', 'four'].map((name) => [name, trainedOn([name, 'else'])]));
    const owners = [...trained.keys()];

    await fc.assert(
      fc.asyncProperty(named, fc.boolean(), async (ids, isLate) => {
        const ownerOf = (tenantId: string) => owners[ids.indexOf(tenantId)] ?? '';
        // All versions have the same name, so that they differ only in the tenant.
        function_ = startInferrer((tenantId) => trained.get(ownerOf(tenantId)) ?? models);
        function_.pace.milliseconds = isLate ? LATE : 1;
        const tenants = ids.map((tenant_id) => aTenant({ tenant_id }));
        for (const one of tenants) function_.serve(one, { active: FIRST, heuristic: FIRST });

        const order = [...tenants, ...tenants.toReversed()];
        const answers = await Promise.all(order.map((one) => ask(one, ownerOf(one.tenant_id))));

        expect(answers.map(({ prediction }) => prediction?.owner)).toEqual(
          order.map(({ tenant_id }) => ownerOf(tenant_id)),
        );
        const keys = ids.map((tenantId) => `${tenantId}/${FIRST}`).sort();
        expect(function_.reads.artefacts.toSorted()).toEqual(keys);
        expect(function_.reads.heuristics.toSorted()).toEqual(keys);
      }),
      { numRuns: 25 },
    );
  });
});
