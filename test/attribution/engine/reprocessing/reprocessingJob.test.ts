import fc from 'fast-check';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { applyOverride } from '../../../../functions/attribution/corrections/applyOverride.ts';
import type { Infer } from '../../../../functions/attribution/engine/inference.ts';
import { noInference } from '../../../../functions/attribution/engine/inference.ts';
import { reprocessingStepper } from '../../../../functions/attribution/engine/reprocessing/reprocessingJob.ts';
import type { Revise } from '../../../../functions/attribution/engine/revise.ts';
import { noMappings } from '../../../../functions/attribution/mappings/mappingRules.ts';
import { recordUlid } from '../../../../functions/platform/shared/ids.ts';
import type { Tenant } from '../../../../functions/platform/tenancy/tenant.ts';
import type { JobOf } from '../../../../schemas/jobs.ts';
import type { Fault } from '../../../identity/credentials/faultInjection.ts';
import { eventIdOf } from '../../../ledger/records/ledgerFixture.ts';
import { startJobHarness, stepperOfAnyJob } from '../../../platform/jobs/harness.ts';
import { type CallSpec, writeAll } from '../../../platform/jobs/ledgerFixtures.ts';
import { anOverride } from '../../corrections/recordFixtures.ts';
import { noFactors } from '../events.ts';

const HOUR = 60 * 60 * 1_000;
const NOW = Date.parse('2026-05-20T12:00:00Z');
const STEP = 200;

let tenant: Tenant;
const world = await startJobHarness();
afterAll(() => world.live.stop());
beforeEach(() => {
  tenant = world.newTenant();
  // Hides the log output of simulated crashes.
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
});
afterEach(() => vi.restoreAllMocks());

/** Stage B with a constant prediction. */
const inferAlways = (
  model_version: string,
  owner: string,
  { confidence = 0.95, advisory = false, degradation = 'none' as ReturnType<Infer>['degradation'] } = {},
): Infer => {
  const basis = advisory ? 'heuristic_baseline' : 'model_inferred';
  const prediction = {
    model_version,
    basis,
    owner,
    service: null,
    confidence,
    novel: false,
    advisory,
  } as const;
  return () => ({ degradation, prediction: { ...prediction, alternatives: [] } });
};
const OLD = inferAlways('mdl_old', 'team-old');
const NEW = inferAlways('mdl_new', 'team-new');

/** A call this many hours before NOW. */
const ago = (hours: number, infer: Infer = noInference, members: Record<string, unknown> = {}): CallSpec => ({
  index: hours,
  occurredAt: NOW - hours * HOUR,
  members,
  context: { infer },
});
const stepper = (infer: Infer, revise: Revise = world.revise) =>
  stepperOfAnyJob(
    'reprocessing',
    reprocessingStepper({
      ledger: world.ledger,
      revise,
      mark: world.mark,
      tenant,
      context: { factors: noFactors, mappings: noMappings, infer },
    }),
  );
type Selection = JobOf<'reprocessing'>['request']['selection'];
const open = (selection: Selection = { kind: 'all' }, hours: { from?: number; to?: number } = {}) =>
  world.open(tenant, {
    type: 'reprocessing',
    period: {
      from: new Date(NOW - (hours.from ?? 10_000) * HOUR).toISOString(),
      to: new Date(NOW - (hours.to ?? 0) * HOUR).toISOString(),
    },
    selection,
  });

/** Owners of the versions of each record, in ascending order of version. */
const ownersOf = (calls: readonly CallSpec[]) =>
  Promise.all(
    calls.map(async (one) =>
      (await world.versions(tenant, one)).map(({ attribution: { record } }) => record.owner),
    ),
  );
const newest = async (one: CallSpec) => (await world.versions(tenant, one)).at(-1)?.attribution;
const ulidOf = ({ index, occurredAt }: CallSpec) =>
  recordUlid(tenant.tenant_id, eventIdOf(index), occurredAt, index % 3);

describe('reprocessingStepper', () => {
  it('re-attributes the records of its period, end excluded, and no others', async () => {
    const made = [ago(1), ago(2), ago(3), ago(4)];
    await writeAll(tenant, made);

    const job = await world.finish(await open({ kind: 'all' }, { from: 3, to: 1 }), stepper(NEW));

    expect(await ownersOf(made)).toEqual([[null], [null, 'team-new'], [null, 'team-new'], [null]]);
    expect(job.progress).toEqual({ examined: 2, changed: 2 });
  });

  it('writes no version when the result is the same', async () => {
    const named = { attributed_identity: 'team-search', attributed_service: 'search' };
    const made = [ago(1, OLD), ago(2, noInference, named)];
    await writeAll(tenant, made);

    const job = await world.finish(await open(), stepper(OLD));

    expect(job.progress).toEqual({ examined: 2, changed: 0 });
    expect(await ownersOf(made)).toEqual([['team-old'], ['team-search']]);
  });

  it('marks the rollups of all selected records for recomputation', async () => {
    const made = [ago(1), ago(2), ago(3, OLD)];
    await writeAll(tenant, made);
    world.marked.clear();

    await world.finish(await open({ kind: 'unplaced' }), stepper(NEW));

    expect([...world.marked].sort()).toEqual([ago(2).occurredAt, ago(1).occurredAt]);
  });

  it('changes nothing in a second run', async () => {
    const made = [ago(1), ago(2)];
    await writeAll(tenant, made);
    await world.finish(await open(), stepper(NEW));

    const again = await world.finish(await open(), stepper(NEW));

    expect(again.progress).toEqual({ examined: 2, changed: 0 });
    expect(await ownersOf(made)).toEqual(Array(2).fill([null, 'team-new']));
  });

  it('processes each record once over several steps', async () => {
    const made = Array.from({ length: STEP + 50 }, (_, index) => ago(index + 1));
    await writeAll(tenant, made);

    const job = await world.finish(await open(), stepper(NEW));

    expect(job.progress).toEqual({ examined: made.length, changed: made.length });
    expect(await ownersOf(made)).toEqual(made.map(() => [null, 'team-new']));
  });

  it('re-attributes only records of a recalled model', async () => {
    const other = inferAlways('mdl_other', 'team-other');
    const heuristic = inferAlways('mdl_old+heuristic', 'team-h', { advisory: true, confidence: 0.7 });
    const made = [ago(1, OLD), ago(2, other), ago(3), ago(4, heuristic)];
    await writeAll(tenant, made);
    const recalled = inferAlways('mdl_old+heuristic', 'team-h', {
      advisory: true,
      degradation: 'model_recalled',
    });

    const job = await world.finish(await open({ kind: 'model', version: 'mdl_old' }), stepper(recalled));

    expect(await ownersOf(made)).toEqual([['team-old', null], ['team-other'], [null], [null]]);
    expect(job.progress.changed).toBe(1);
    expect((await newest(ago(1)))?.record).toMatchObject({
      version: 2,
      output_state: 'unresolved',
      interpretation: {
        evidence_basis: 'none',
        degradation_state: 'model_recalled',
        answers: { owner: { candidates: [{ name: 'team-h', evidence_basis: 'heuristic_baseline' }] } },
      },
    });
  });

  it('names what a model can of records with an open answer, and writes no version for a suggestion', async () => {
    const unsure = inferAlways('mdl_first', 'team-x', { confidence: 0.6 });
    const heuristic = inferAlways('mdl_first+heuristic', 'team-h', { advisory: true, confidence: 0.7 });
    const weakly = { attributed_identity: 'team-search', attribution_confidence: 0.5 };
    const surely = { attributed_identity: 'team-search' };
    const made = [ago(1), ago(2, heuristic), ago(3, unsure), ago(4, OLD), ago(5, OLD, surely)];
    await writeAll(tenant, [...made, ago(6, noInference, weakly)]);

    const job = await world.finish(await open({ kind: 'unplaced' }), stepper(NEW));

    // The service of the last two is open. The model contradicts their owner, so it names nothing.
    expect(await ownersOf([...made, ago(6)])).toEqual([
      [null, 'team-new'],
      [null, 'team-new'],
      [null, 'team-new'],
      ['team-old'],
      ['team-search'],
      ['team-search'],
    ]);
    expect(job.progress).toEqual({ examined: 6, changed: 3 });
  });

  it.each([
    [undefined, [null, 'team-new']],
    [true, [null]],
  ])('tells the model whether an earlier model left the records open: %s', async (again, expected) => {
    const unsure = inferAlways('mdl_first', 'team-x', { confidence: 0.6 });
    const strict: Infer = (event, occurredAt, isAgain) =>
      (isAgain === true ? unsure : NEW)(event, occurredAt);
    await writeAll(tenant, [ago(1)]);

    await world.finish(await open({ kind: 'unplaced', again }), stepper(strict));

    expect(await ownersOf([ago(1)])).toEqual([expected]);
  });

  it('keeps a manual override and its reason', async () => {
    const made = ago(1, OLD);
    await writeAll(tenant, [made]);
    const by = { claim: 'a person', attempt: 1 };
    await world.revise(tenant, ulidOf(made), by, (current, startsAt) =>
      applyOverride(current, anOverride(), startsAt()),
    );
    world.time.now += HOUR;

    await world.finish(await open(), stepper(NEW));

    const current = await newest(made);
    expect(current?.record).toMatchObject({
      owner: 'team-b',
      output_state: 'manually_overridden',
      coper: 0.95,
    });
    expect(current?.explanation.overrides).toMatchObject([{ id: 'ovr_1', reason: 'It was ours' }]);
  });

  it('keeps an override that is written between its read and its write', async () => {
    const made = ago(1, OLD);
    await writeAll(tenant, [made]);
    const revise: Revise = async (...args) => {
      const [recordTenant, ulid] = args;
      const by = { claim: 'a person', attempt: 1 };
      await world.revise(recordTenant, ulid, by, (current, startsAt) =>
        applyOverride(current, anOverride(), startsAt()),
      );
      return world.revise(...args);
    };

    await world.finish(await open(), stepper(NEW, revise));

    expect((await newest(made))?.record).toMatchObject({
      owner: 'team-b',
      output_state: 'manually_overridden',
    });
  });

  it('succeeds with 0 records for an empty period', async () => {
    expect(await world.finish(await open(), stepper(NEW))).toMatchObject({
      status: 'succeeded',
      progress: { examined: 0, changed: 0 },
    });
  });
});

it('writes one new version of each record despite repeated crashes', async () => {
  const RECORDS = 10;
  const faults = fc.array(
    fc.record<Fault>({
      write: fc.nat({ max: RECORDS + 2 }),
      moment: fc.constantFrom('before', 'after'),
      kind: fc.constantFrom('fails', 'dies', 'repeats'),
    }),
    { minLength: 1, maxLength: 4 },
  );

  await fc.assert(
    fc.asyncProperty(faults, async (injected) => {
      tenant = world.newTenant();
      const made = Array.from({ length: RECORDS }, (_, index) => ago(index + 1, index % 2 === 0 ? OLD : NEW));
      await writeAll(tenant, made);

      const job = await world.finish(await open(), stepper(NEW), injected);

      expect(await ownersOf(made)).toEqual(
        made.map((_, index) => (index % 2 === 0 ? ['team-old', 'team-new'] : ['team-new'])),
      );
      const [first, second] = await world.versions(tenant, ago(1));
      expect(first?.validity.to).not.toBeNull();
      expect(first?.validity.to).toBe(second?.validity.from);
      expect(job.progress.examined).toBe(RECORDS);
    }),
    { numRuns: 20 },
  );
});
