import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { allocationStepper } from '../../functions/allocation/allocationJob.ts';
import type { Tenant } from '../../functions/tenancy/tenant.ts';
import { parseFixedPoint } from '../../schemas/attribution/allocation.ts';
import type { Fault } from '../credentials/faultInjection.ts';
import { type JobHarness, startJobHarness, stepperOfAnyJob } from '../jobs/harness.ts';
import { type CallSpec, writeAll } from '../jobs/ledgerFixtures.ts';

const HOUR = 60 * 60 * 1_000;
const DAY = 24 * HOUR;
const MONDAY = Date.parse('2026-05-11T00:00:00Z');
const STEP = 500;

let world: JobHarness;
let tenant: Tenant;
let index = 0;
beforeAll(async () => {
  world = await startJobHarness();
});
afterAll(() => world.live.stop());
beforeEach(() => {
  tenant = world.newTenant({ shards: [{ from: 0, count: 2 }] });
  // Crashes are logged; nobody needs to read them here.
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
});
afterEach(() => vi.restoreAllMocks());

/** A call at an instant, by somebody or, where that is null, by nobody who is known. */
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
    allocationStepper({ ledger: world.ledger, revise: world.revise, mark: world.mark, tenant }),
  );
const open = (from = MONDAY, to = from + DAY) =>
  world.open(tenant, {
    type: 'allocation',
    period: { from: new Date(from).toISOString(), to: new Date(to).toISOString() },
  });
const allocate = async (from?: number, to?: number) => world.finish(await open(from, to), stepper());

const versionsOf = async (made: CallSpec) =>
  (await world.versions(tenant, made)).map(({ attribution }) => attribution);
/** Who bears how much of a record, USD; undefined where it was not shared out. */
const partsOf = async (made: CallSpec) =>
  (await versionsOf(made))
    .at(-1)
    ?.explanation.allocation?.parts.map(({ owner, cost_usd }) => [owner, cost_usd]);
const statesOf = async (made: CallSpec) => (await versionsOf(made)).map(({ record }) => record.output_state);

describe('a day', () => {
  it('is shared out by what was attributed in it, exactly', async () => {
    const nobodys = call(null, '1.000000000001');
    await writeAll(tenant, [call('a', '3'), call('b', '1'), nobodys]);

    const job = await allocate();

    expect(await partsOf(nobodys)).toEqual([
      ['a', '0.750000000001'],
      ['b', '0.25'],
    ]);
    expect(job.progress.changed).toBe(1);
    const shared = (await versionsOf(nobodys)).at(-1);
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

  it('has what was shared out summed anew', async () => {
    await writeAll(tenant, [call('a', '3', MONDAY), call(null, '1', MONDAY + HOUR)]);
    world.marked.clear();

    await allocate();

    expect([...world.marked]).toEqual([MONDAY + HOUR]);
  });

  it('leaves alone whoever was named', async () => {
    const named = call('a', '3');
    await writeAll(tenant, [named, call(null, '1')]);

    await allocate();

    expect(await statesOf(named)).toEqual(['deterministically_resolved']);
  });

  it('begins and ends at midnight of UTC', async () => {
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

  it('in which nobody was named stays as it is', async () => {
    const nobodys = call(null, '1');
    await writeAll(tenant, [nobodys]);

    const job = await allocate();

    expect(job).toMatchObject({ status: 'succeeded', progress: { changed: 0 } });
    expect(await statesOf(nobodys)).toEqual(['unresolved']);
  });

  it('shared out again changes nothing', async () => {
    const nobodys = call(null, '1');
    await writeAll(tenant, [call('a', '3'), nobodys]);
    await allocate();

    const again = await allocate();

    expect(again.progress.changed).toBe(0);
    expect(await statesOf(nobodys)).toEqual(['unresolved', 'allocated']);
  });

  it('gives late records their part, and follows what late records say', async () => {
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

  it('of more records than a step examines is shared out as one', async () => {
    const nobodys = Array.from({ length: STEP + 20 }, () => call(null, '1'));
    await writeAll(tenant, [...nobodys, call('a', '1', MONDAY), call('b', '1', MONDAY + DAY - 1)]);

    const job = await allocate();

    // Once to sum it up, once to share it out.
    expect(job.progress).toEqual({ examined: 2 * (nobodys.length + 2), changed: nobodys.length });
    expect(new Set((await Promise.all(nobodys.map(partsOf))).map((parts) => JSON.stringify(parts)))).toEqual(
      new Set([
        JSON.stringify([
          ['a', '0.5'],
          ['b', '0.5'],
        ]),
      ]),
    );
  });
});

it('shares out each day of a period by its own spend', async () => {
  const days = [0, 1, 2].map((day) => MONDAY + day * DAY);
  const nobodys = days.map((day) => call(null, '1', day + HOUR));
  await writeAll(tenant, [...nobodys, call('a', '1', days[0]), call('b', '1', days[1])]);

  const job = await allocate(MONDAY, MONDAY + 3 * DAY);

  expect(job).toMatchObject({ status: 'succeeded', progress: { changed: 2 } });
  expect(await Promise.all(nobodys.map(partsOf))).toEqual([[['a', '1']], [['b', '1']], undefined]);
});

describe('a tenant', () => {
  const shared = async (allocation: Tenant['allocation']) => {
    tenant = world.newTenant({ allocation });
    const nobodys = call(null, '1');
    await writeAll(tenant, [call('a', '3'), call('b', '1'), nobodys]);
    await allocate();
    return partsOf(nobodys);
  };

  it('that shares evenly has all bear the same', async () => {
    expect(await shared({ method: 'even' })).toEqual([
      ['a', '0.5'],
      ['b', '0.5'],
    ]);
  });

  it('that fixed its shares keeps what they leave unallocated', async () => {
    expect(await shared({ method: 'fixed', fixed: [{ owner: 'platform', share: '0.4' }] })).toEqual([
      ['platform', '0.4'],
      [null, '0.6'],
    ]);
  });

  it('that wants nothing shared out has nothing done', async () => {
    expect(await shared({ method: 'none' })).toBeUndefined();
  });

  it('that changes its mind has its days shared out the other way', async () => {
    const nobodys = call(null, '1');
    await writeAll(tenant, [call('a', '3'), call('b', '1'), nobodys]);
    await allocate();
    tenant = { ...tenant, allocation: { method: 'even' } };

    await allocate();

    expect(await statesOf(nobodys)).toEqual(['unresolved', 'allocated', 'allocated']);
    expect(await partsOf(nobodys)).toEqual([
      ['a', '0.5'],
      ['b', '0.5'],
    ]);
  });
});

it('shares out exactly and once, whatever it costs and whatever crashes how often', async () => {
  const money = fc
    .bigInt({ min: 1n, max: 5_000_000_000_000n })
    .map((pico) => `${pico / 10n ** 12n}.${String(pico % 10n ** 12n).padStart(12, '0')}`);
  const scenes = fc.record({
    named: fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c'), money), { minLength: 1, maxLength: 4 }),
    nobodys: fc.array(money, { minLength: 1, maxLength: 5 }),
    happening: fc.array(
      fc.record<Fault>({
        write: fc.nat({ max: 8 }),
        moment: fc.constantFrom('before', 'after'),
        kind: fc.constantFrom('fails', 'dies', 'repeats'),
      }),
      { maxLength: 4 },
    ),
  });

  await fc.assert(
    fc.asyncProperty(scenes, async ({ named, nobodys, happening }) => {
      tenant = world.newTenant();
      const shared = nobodys.map((cost) => call(null, cost));
      await writeAll(tenant, [...named.map(([owner, cost]) => call(owner, cost)), ...shared]);

      await world.finish(await open(), stepper(), happening);

      for (const [at, made] of shared.entries()) {
        expect(await statesOf(made)).toEqual(['unresolved', 'allocated']);
        const parts = (await versionsOf(made)).at(-1)?.explanation.allocation?.parts ?? [];
        for (const quantity of ['cost_usd', 'energy_wh'] as const) {
          const sum = parts.reduce((total, part) => total + parseFixedPoint(part[quantity] ?? '0'), 0n);
          expect(sum).toBe(parseFixedPoint(nobodys[at] ?? ''));
        }
      }
    }),
    { numRuns: 20 },
  );
});
