import fc from 'fast-check';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { allocationStepper } from '../../../functions/attribution/allocation/allocationJob.ts';
import type { Tenant } from '../../../functions/platform/tenancy/tenant.ts';
import { parseFixedPoint } from '../../../schemas/fixedPoint.ts';
import type { Fault } from '../../identity/credentials/faultInjection.ts';
import { startJobHarness, stepperOfAnyJob } from '../../platform/jobs/harness.ts';
import { type CallSpec, writeAll } from '../../platform/jobs/ledgerFixtures.ts';

const HOUR = 60 * 60 * 1_000;
const DAY = 24 * HOUR;
const MONDAY = Date.parse('2026-05-11T00:00:00Z');
const STEP = 500;

let tenant: Tenant;
let index = 0;
/** The sums of unfinished days. */
const objects = new Map<string, string>();
const work = {
  put: async (key: string, text: string) => void objects.set(key, text),
  get: async (key: string) => objects.get(key) ?? '[]',
};
const world = await startJobHarness();
afterAll(() => world.live.stop());
beforeEach(() => {
  tenant = world.newTenant();
  // Hides the log output of simulated crashes.
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
});
afterEach(() => vi.restoreAllMocks());

/** A call of an owner, or without evidence when `owner` is null. */
const call = (owner: string | null, cost: string, at = MONDAY + 12 * HOUR): CallSpec => {
  index += 1;
  const members = {
    estimated_cost_usd: cost,
    energy_wh: cost,
    ...(owner !== null && { attributed_identity: owner }),
  };
  return { index, occurredAt: at, members };
};
const stepper = () =>
  stepperOfAnyJob(
    'allocation',
    allocationStepper({ ledger: world.ledger, revise: world.revise, mark: world.mark, tenant, work }),
  );
const never = (): never => {
  throw new Error('the job is not stored');
};
const open = (from = MONDAY, to = from + DAY) =>
  world.open(tenant, {
    type: 'allocation',
    period: { from: new Date(from).toISOString(), to: new Date(to).toISOString() },
  });
const allocate = async (from?: number, to?: number) => world.finish(await open(from, to), stepper());

const versionsOf = async (made: CallSpec) =>
  (await world.versions(tenant, made)).map(({ attribution }) => attribution);
/** Owners and their parts of a record in USD; undefined when it is not allocated. */
const partsOf = async (made: CallSpec) =>
  (await versionsOf(made))
    .at(-1)
    ?.explanation.allocation?.parts.map(({ owner, cost_usd }) => [owner, cost_usd]);
const statesOf = async (made: CallSpec) => (await versionsOf(made)).map(({ record }) => record.output_state);

describe('the progress of an allocation', () => {
  it('has the same size for any number of owners', async () => {
    const unresolved = call(null, '1');
    const spending = Array.from({ length: STEP + 20 }, (_, owner) => call(`owner-${owner}`, '1'));
    await writeAll(tenant, [...spending, unresolved]);

    const { job } = await stepper()((await world.jobs.read(await open()))?.document ?? never());
    const sums: unknown = JSON.parse([...objects.values()].at(-1) ?? '[]');
    await allocate();

    // The unresolved call is the earliest: the first step reads it too, and it has no owner.
    expect(sums).toHaveLength(STEP - 1);
    expect(Buffer.byteLength(job.cursor ?? '')).toBeLessThan(500);
    // Fifty owners by name, and all others together.
    expect(await partsOf(unresolved)).toHaveLength(50 + 1);
  });
});

describe('the allocation of a day', () => {
  it('divides unresolved records exactly in proportion to the attributed spend', async () => {
    const unresolved = call(null, '1.000000000001');
    await writeAll(tenant, [call('a', '3'), call('b', '1'), unresolved]);

    const job = await allocate();

    expect(await partsOf(unresolved)).toEqual([
      ['a', '0.750000000001'],
      ['b', '0.25'],
    ]);
    expect(job.progress.changed).toBe(1);
    const shared = (await versionsOf(unresolved)).at(-1);
    expect(shared?.record).toMatchObject({
      version: 2,
      output_state: 'allocated',
      owner: null,
      cost_usd: '1.000000000001',
      interpretation: {
        stage_origin: 'stage_c',
        evidence_basis: 'allocation_rule',
        export_eligibility: 'below_floor',
      },
    });
    expect(shared?.record.interpretation.model_version).toBe(shared?.explanation.allocation?.version);
    expect(shared?.explanation.allocation?.window).toEqual({
      from: '2026-05-11T00:00:00.000Z',
      to: '2026-05-12T00:00:00.000Z',
    });
  });

  it('divides the calls of each lane over the owners of that lane', async () => {
    const inLane = (residency: string, made: CallSpec): CallSpec => ({ ...made, residency });
    const open = { eu: inLane('eu', call(null, '8')), us: inLane('us', call(null, '8')) };
    const nobody = inLane('ap', call(null, '8'));
    const spending = [
      inLane('eu', call('a', '3')),
      inLane('us', call('b', '1')),
      inLane('us', call('c', '1')),
    ];
    await writeAll(tenant, [...spending, open.eu, open.us, nobody]);

    await allocate();

    expect(await partsOf(open.eu)).toEqual([['a', '8']]);
    expect(await partsOf(open.us)).toEqual([
      ['b', '4'],
      ['c', '4'],
    ]);
    expect(await partsOf(nobody)).toBeUndefined();
  });

  it('follows the spend of confirmed owners only: a name without enough confidence is a suggestion', async () => {
    const unresolved = call(null, '1');
    const unsure = call('b', '3');
    await writeAll(tenant, [
      call('a', '3'),
      { ...unsure, members: { ...unsure.members, attribution_confidence: 0.6 } },
      unresolved,
    ]);

    await allocate();

    expect(await partsOf(unresolved)).toEqual([['a', '1']]);
  });

  it('marks the rollups of allocated records for recomputation', async () => {
    await writeAll(tenant, [call('a', '3', MONDAY), call(null, '1', MONDAY + HOUR)]);
    world.marked.clear();

    await allocate();

    expect([...world.marked]).toEqual([MONDAY + HOUR]);
  });

  it('does not change resolved records', async () => {
    const named = call('a', '3');
    await writeAll(tenant, [named, call(null, '1')]);

    await allocate();

    expect(await statesOf(named)).toEqual(['deterministically_resolved']);
  });

  it('starts and ends at midnight UTC', async () => {
    const made = [
      call(null, '1', MONDAY - 1),
      call(null, '1', MONDAY),
      call(null, '1', MONDAY + DAY - 1),
      call(null, '1', MONDAY + DAY),
    ];
    const others = [call('yesterday', '9', MONDAY - 1), call('tomorrow', '9', MONDAY + DAY)];
    await writeAll(tenant, [...made, ...others, call('a', '1', MONDAY + DAY - 1)]);

    await allocate();

    expect(await Promise.all(made.map(partsOf))).toEqual([undefined, [['a', '1']], [['a', '1']], undefined]);
  });

  it('changes nothing when no record is resolved', async () => {
    const unresolved = call(null, '1');
    await writeAll(tenant, [unresolved]);

    const job = await allocate();

    expect(job).toMatchObject({ status: 'succeeded', progress: { changed: 0 } });
    expect(await statesOf(unresolved)).toEqual(['unresolved']);
  });

  it('changes nothing in a second run', async () => {
    const unresolved = call(null, '1');
    await writeAll(tenant, [call('a', '3'), unresolved]);
    await allocate();

    const again = await allocate();

    expect(again.progress.changed).toBe(0);
    expect(await statesOf(unresolved)).toEqual(['unresolved', 'allocated']);
  });

  it('allocates late records, and includes late attributed spend', async () => {
    const [early, late] = [call(null, '1'), call(null, '2')];
    await writeAll(tenant, [call('a', '1'), early]);
    await allocate();
    await writeAll(tenant, [late]);
    const second = await allocate();
    await writeAll(tenant, [call('b', '1')]);
    const third = await allocate();

    expect([second.progress.changed, third.progress.changed]).toEqual([1, 2]);
    expect(await statesOf(early)).toEqual(['unresolved', 'allocated', 'allocated']);
    expect(await partsOf(early)).toEqual([
      ['a', '0.5'],
      ['b', '0.5'],
    ]);
    expect(await partsOf(late)).toEqual([
      ['a', '1'],
      ['b', '1'],
    ]);
  });

  it('gives the same result over several steps', async () => {
    const unresolved = Array.from({ length: STEP + 20 }, () => call(null, '1'));
    await writeAll(tenant, [...unresolved, call('a', '1', MONDAY), call('b', '1', MONDAY + DAY - 1)]);

    const job = await allocate();

    // Each record is examined twice: once for the totals, once for the allocation.
    expect(job.progress).toEqual({ examined: 2 * (unresolved.length + 2), changed: unresolved.length });
    expect(
      new Set((await Promise.all(unresolved.map(partsOf))).map((parts) => JSON.stringify(parts))),
    ).toEqual(
      new Set([
        JSON.stringify([
          ['a', '0.5'],
          ['b', '0.5'],
        ]),
      ]),
    );
  });
});

it('allocates each day of a period by its own spend', async () => {
  const days = [0, 1, 2].map((day) => MONDAY + day * DAY);
  const unresolved = days.map((day) => call(null, '1', day + HOUR));
  await writeAll(tenant, [...unresolved, call('a', '1', days[0]), call('b', '1', days[1])]);

  const job = await allocate(MONDAY, MONDAY + 3 * DAY);

  expect(job).toMatchObject({ status: 'succeeded', progress: { changed: 2 } });
  expect(await Promise.all(unresolved.map(partsOf))).toEqual([[['a', '1']], [['b', '1']], undefined]);
});

describe('the allocation policy', () => {
  const partsWith = async (allocation: Tenant['allocation']) => {
    tenant = world.newTenant({ allocation });
    const unresolved = call(null, '1');
    await writeAll(tenant, [call('a', '3'), call('b', '1'), unresolved]);
    await allocate();
    return partsOf(unresolved);
  };

  it('even gives all owners the same part', async () => {
    expect(await partsWith({ method: 'even' })).toEqual([
      ['a', '0.5'],
      ['b', '0.5'],
    ]);
  });

  it('fixed leaves the rest unallocated', async () => {
    expect(await partsWith({ method: 'fixed', fixed: [{ owner: 'platform', share: '0.4' }] })).toEqual([
      ['platform', '0.4'],
      [null, '0.6'],
    ]);
  });

  it('none allocates nothing', async () => {
    expect(await partsWith({ method: 'none' })).toBeUndefined();
  });

  it('allocates again after it changes', async () => {
    const unresolved = call(null, '1');
    await writeAll(tenant, [call('a', '3'), call('b', '1'), unresolved]);
    await allocate();
    tenant = { ...tenant, allocation: { method: 'even' } };

    await allocate();

    expect(await statesOf(unresolved)).toEqual(['unresolved', 'allocated', 'allocated']);
    expect(await partsOf(unresolved)).toEqual([
      ['a', '0.5'],
      ['b', '0.5'],
    ]);
  });
});

it('allocates exactly and once, for any costs and repeated crashes', async () => {
  const money = fc
    .bigInt({ min: 1n, max: 5_000_000_000_000n })
    .map((units) => `${units / 10n ** 12n}.${String(units % 10n ** 12n).padStart(12, '0')}`);
  const scenes = fc.record({
    named: fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c'), money), { minLength: 1, maxLength: 4 }),
    unresolved: fc.array(money, { minLength: 1, maxLength: 5 }),
    faults: fc.array(
      fc.record<Fault>({
        write: fc.nat({ max: 8 }),
        moment: fc.constantFrom('before', 'after'),
        kind: fc.constantFrom('fails', 'dies', 'repeats'),
      }),
      { maxLength: 4 },
    ),
  });

  await fc.assert(
    fc.asyncProperty(scenes, async ({ named, unresolved, faults }) => {
      tenant = world.newTenant();
      const shared = unresolved.map((cost) => call(null, cost));
      await writeAll(tenant, [...named.map(([owner, cost]) => call(owner, cost)), ...shared]);

      await world.finish(await open(), stepper(), faults);

      for (const [at, made] of shared.entries()) {
        expect(await statesOf(made)).toEqual(['unresolved', 'allocated']);
        const parts = (await versionsOf(made)).at(-1)?.explanation.allocation?.parts ?? [];
        for (const quantity of ['cost_usd', 'energy_wh'] as const) {
          const sum = parts.reduce((total, part) => total + parseFixedPoint(part[quantity] ?? '0'), 0n);
          expect(sum).toBe(parseFixedPoint(unresolved[at] ?? ''));
        }
      }
    }),
    { numRuns: 20 },
  );
});
