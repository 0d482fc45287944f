import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { nodeHourStepper } from '../../../../functions/attribution/allocation/nodeHours/nodeHourJob.ts';
import {
  nodeHourLineReader,
  nodeHourLineWriter,
} from '../../../../functions/attribution/allocation/nodeHours/nodeHourLine.store.ts';
import { noInference } from '../../../../functions/attribution/engine/inference.ts';
import { reattribute } from '../../../../functions/attribution/engine/reprocessing/reattribute.ts';
import { reprocessingStepper } from '../../../../functions/attribution/engine/reprocessing/reprocessingJob.ts';
import { noMappings } from '../../../../functions/attribution/mappings/mappingRules.ts';
import { poolFinder } from '../../../../functions/impact/price/nodePools.ts';
import { toInvocationEvent } from '../../../../functions/ledger/records/storedEvent.ts';
import { ulidInId } from '../../../../functions/platform/shared/ids.ts';
import type { Tenant } from '../../../../functions/platform/tenancy/tenant.ts';
import { NodePools } from '../../../../schemas/attribution/nodePools.ts';
import { formatFixedPoint, parseFixedPoint } from '../../../../schemas/fixedPoint.ts';
import type { Fault } from '../../../identity/credentials/faultInjection.ts';
import { startJobHarness, stepperOfAnyJob } from '../../../platform/jobs/harness.ts';
import { type CallSpec, writeAll } from '../../../platform/jobs/ledgerFixtures.ts';
import { runs } from '../../../support/properties.ts';
import { noFactors } from '../../engine/events.ts';

const HOUR = 3_600_000;
const TEN = Date.parse('2026-05-11T10:00:00Z');
const NODE_HOUR = '12.290000000001';

const pools = NodePools.parse([
  {
    name: 'h100',
    serves: [{ provider: 'vllm', model: 'mid*' }],
    rates: [
      { from: '2026-05-01T00:00:00Z', node_hour_usd: NODE_HOUR, nodes: 1 },
      { from: '2026-05-11T12:00:00Z', node_hour_usd: NODE_HOUR, nodes: 0 },
    ],
  },
]);
const factors = { ...noFactors, findPool: poolFinder(pools) };
const context = { factors, mappings: noMappings, infer: noInference };

let tenant: Tenant;
let index = 0;
let objects: Map<string, string>;
const world = await startJobHarness();
afterAll(() => world.live.stop());
beforeEach(() => {
  objects = new Map();
  tenant = world.newTenant();
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
});
afterEach(() => vi.restoreAllMocks());

const call = (at: number, members: Record<string, unknown> = {}): CallSpec => {
  index += 1;
  const known = { provider: 'vllm', requested_model: 'mid-1', input_tokens: 100, output_tokens: 10 };
  return { index, occurredAt: at, members: { ...known, ...members }, factors };
};

/** `before`: runs before each step of the job. */
const divide = async (
  hour = TEN,
  {
    own = pools,
    faults = [],
    before,
  }: { own?: typeof pools; faults?: readonly Fault[]; before?: (step: number) => Promise<void> } = {},
) => {
  const divided = nodeHourStepper({
    ...{ ledger: world.ledger, revise: world.revise, mark: world.mark, tenant, pools: own },
    lines: nodeHourLineWriter('rollups', world.clock),
    work: {
      put: async (key, text) => void objects.set(key, text),
      get: async (key) => objects.get(key) ?? '{}',
    },
  });
  world.time.now += 1_000;
  const job = await world.open(tenant, { type: 'node_hours', hour: new Date(hour).toISOString() });
  let steps = 0;
  const step: typeof divided = async (current) => {
    await before?.(steps);
    steps += 1;
    return divided(current);
  };
  return world.finish(job, stepperOfAnyJob('node_hours', step), faults);
};
const reprocess = async () => {
  const step = reprocessingStepper({
    ...{ ledger: world.ledger, revise: world.revise, mark: world.mark, tenant, context },
  });
  world.time.now += 1_000;
  const period = { from: new Date(TEN).toISOString(), to: new Date(TEN + 2 * HOUR).toISOString() };
  const job = await world.open(tenant, { type: 'reprocessing', period, selection: { kind: 'all' } });
  return world.finish(job, stepperOfAnyJob('reprocessing', step));
};
/** Another report of a call says how many tokens it wrote. */
const correct = async (made: CallSpec, output: number) => {
  const attribution = await newestOf(made);
  await world.revise(
    tenant,
    ulidInId(attribution.record.id),
    { claim: `correction ${index}`, attempt: 1 },
    (current, startsAt) => {
      const event = { ...toInvocationEvent(current.record, current.storedEvent), output_tokens: output };
      return reattribute(
        current,
        tenant,
        factors,
        { ...context, observed: { event, observations: undefined, isContradicted: false } },
        startsAt(),
      );
    },
  );
};

const newestOf = async (made: CallSpec) => {
  const attribution = (await world.versions(tenant, made)).at(-1)?.attribution;
  if (attribution === undefined) throw new Error('the call has no record');
  return attribution;
};
const costsOf = (calls: readonly CallSpec[]) =>
  Promise.all(calls.map(async (one) => (await newestOf(one)).record.cost_usd));
const sumOf = (costs: readonly (string | null)[]) =>
  costs.reduce((sum, cost) => sum + parseFixedPoint(cost ?? '0'), 0n);
const linesOf = (from = TEN, to = from + HOUR) =>
  nodeHourLineReader('rollups').list(tenant.tenant_id, { from, to });
/** What the records and the idle line of an hour sum to. */
const wholeOf = async (calls: readonly CallSpec[], hour = TEN) => {
  const [line] = await linesOf(hour);
  return formatFixedPoint(sumOf(await costsOf(calls)) + parseFixedPoint(line?.idle_usd ?? '0'));
};

/** The calls of the trace, with the time that a node would take for their tokens. */
const traceOf = (hour: number): CallSpec[] =>
  readFileSync(new URL('servegenTwoClients.csv', import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .flatMap((line) => {
      const [at = 0, , input = 0, output = 0] = line.split(',').map(Number);
      const service = line.split(',')[1];
      const members = {
        input_tokens: input,
        output_tokens: output,
        latency_ms: 15 * output + Math.ceil(input / 10),
      };
      return Math.floor(at / HOUR) === hour
        ? [call(TEN + at, { ...members, attributed_service: service })]
        : [];
    });

describe('a trace of a model on an own node, with two services', () => {
  it('costs in each hour what the node costs: the records and the idle line, to the last digit', async () => {
    for (const hour of [0, 1]) {
      const calls = traceOf(hour);
      await writeAll(tenant, calls);
      expect(new Set(await costsOf(calls))).toEqual(new Set([null]));

      await divide(TEN + hour * HOUR);

      expect(await wholeOf(calls, TEN + hour * HOUR)).toBe(NODE_HOUR);
      const [line] = await linesOf(TEN + hour * HOUR);
      expect(line).toMatchObject({ pool: 'h100', busy: 'busy_time', measure: 'tokens', calls: calls.length });
      expect(Number(line?.idle_usd)).toBeGreaterThan(1);
      const services = Map.groupBy(calls, ({ members }) => members?.['attributed_service']);
      expect(services.size).toBe(2);
      for (const own of services.values()) expect(sumOf(await costsOf(own))).toBeGreaterThan(0n);
    }
  });
});

describe('the record of a call on an own node', () => {
  it('has no cost until its hour is divided, and then its share with the method', async () => {
    const [one, other] = [call(TEN), call(TEN + 1, { output_tokens: 30, estimated_cost_usd: '7' })];
    await writeAll(tenant, [one, other]);
    expect((await newestOf(one)).record.interpretation).toMatchObject({
      unknown: { cost: 'node_hour_open' },
    });

    await divide();

    const { record, explanation } = await newestOf(other);
    expect(record.interpretation.unknown).not.toHaveProperty('cost');
    expect(explanation.cost).toMatchObject({
      source: 'node_hours',
      catalogue: 'node-pool:h100',
      node_hours: { pool: 'h100', hour_usd: NODE_HOUR, busy: 'whole_hour', measure: 'tokens', use: '220' },
      reported_usd: '7',
      central: record.cost_usd,
    });
    expect(await wholeOf([one, other])).toBe(NODE_HOUR);
  });

  it('keeps its share when it is attributed again, and loses it when its use changes', async () => {
    const [one, other] = [call(TEN), call(TEN + 1)];
    await writeAll(tenant, [one, other]);
    await divide();

    expect((await reprocess()).progress.changed).toBe(0);
    await correct(one, 11);

    expect((await costsOf([one, other]))[0]).toBeNull();
    await divide();
    expect(await wholeOf([one, other])).toBe(NODE_HOUR);
  });

  it('stays as it is in a second division', async () => {
    await writeAll(tenant, [call(TEN), call(TEN + 1)]);
    await divide();

    expect((await divide()).progress.changed).toBe(0);
  });

  it('has its part of the energy of the nodes, to the last digit, while their power is stated', async () => {
    const calls = [call(TEN, { latency_ms: 700_000 }), call(TEN + 1, { latency_ms: 3, output_tokens: 30 })];
    await writeAll(tenant, calls);
    const modelled = (await newestOf(calls[0] ?? call(TEN))).explanation.energy;
    const powered = NodePools.parse(
      pools.map((pool) => ({
        ...pool,
        rates: pool.rates.map((rate) => ({ ...rate, node_watts: '6200.7' })),
      })),
    );

    await divide(TEN, { own: powered });

    const records = await Promise.all(calls.map(newestOf));
    const [line] = await linesOf();
    const used = sumOf(records.map(({ record }) => record.energy_wh));
    expect(line?.energy_wh).toBe('6200.7');
    expect(formatFixedPoint(used + parseFixedPoint(line?.idle_wh ?? '0'))).toBe('6200.7');
    expect(Number(line?.idle_wh)).toBeGreaterThan(4_000);
    for (const { record, explanation } of records) {
      expect(explanation.energy).toMatchObject({
        method: 'node-hours',
        class: 'A',
        central: record.energy_wh,
      });
      expect(explanation.carbon?.central).toBe(record.carbon_gco2e);
    }
    expect((await divide(TEN, { own: powered })).progress.changed).toBe(0);

    await divide();
    expect((await newestOf(calls[0] ?? call(TEN))).explanation.energy).toEqual(modelled);
  });

  it('is unknown where its use is, and other calls and models are not concerned', async () => {
    const unmeasured = call(TEN, { input_tokens: undefined, output_tokens: undefined });
    const foreign = call(TEN + 1, { requested_model: 'small-1' });
    const measured = call(TEN + 2);
    await writeAll(tenant, [unmeasured, foreign, measured]);

    await divide();

    expect(await costsOf([unmeasured, foreign, measured])).toEqual([null, null, NODE_HOUR]);
    expect((await newestOf(unmeasured)).record.interpretation.unknown?.cost).toBe('usage_missing');
    expect((await newestOf(foreign)).record.interpretation.unknown?.cost).toBe('price_not_found');
    expect(await linesOf()).toMatchObject([
      {
        ...{ calls: 2, unmeasured_calls: 1, idle_usd: '0' },
        credentials: [{ id: 'unnamed', calls: 2, charged_usd: NODE_HOUR }],
      },
    ]);
  });
});

describe('the line of an hour', () => {
  it('is all idle without calls, and there is none after the pool has ended', async () => {
    await divide(TEN);
    await divide(TEN + 2 * HOUR);

    expect(await linesOf(TEN, TEN + 3 * HOUR)).toMatchObject([
      {
        hour: '2026-05-11T10:00:00.000Z',
        cost_usd: NODE_HOUR,
        charged_usd: '0',
        idle_usd: NODE_HOUR,
        calls: 0,
      },
    ]);
  });

  it('sums with the records to the cost, whatever comes late, is corrected, reprocessed or interrupted', async () => {
    const step = fc.oneof(
      fc.record({
        kind: fc.constant('arrive' as const),
        output: fc.option(fc.nat(5_000), { nil: undefined }),
        latency: fc.option(fc.nat(200_000), { nil: undefined }),
        offset: fc.nat(HOUR - 1),
      }),
      fc.record({ kind: fc.constant('correct' as const), which: fc.nat(20), output: fc.nat(5_000) }),
      fc.constant({ kind: 'reprocess' as const }),
      fc.constant({ kind: 'divide' as const }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 10 }), async (steps) => {
        tenant = world.newTenant();
        const calls: CallSpec[] = [];
        for (const one of steps) {
          world.time.now += 1_000;
          if (one.kind === 'arrive') {
            const members = { output_tokens: one.output, latency_ms: one.latency };
            const late = { ...call(TEN + one.offset, members), receivedAt: world.time.now };
            await writeAll(tenant, [late]);
            calls.push(late);
          } else if (one.kind === 'correct') {
            const made = calls[one.which % Math.max(calls.length, 1)];
            if (made !== undefined) await correct(made, one.output);
          } else if (one.kind === 'reprocess') await reprocess();
          else await divide();
        }
        await divide();

        expect(await wholeOf(calls)).toBe(NODE_HOUR);
        expect((await reprocess()).progress.changed).toBe(0);
      }),
      { numRuns: runs(8) },
    );
  });
});

describe('a division that is interrupted', () => {
  const MOMENTS = ['before', 'after'] as const;
  const startHour = async () => {
    tenant = world.newTenant();
    const calls = [call(TEN + 1), call(TEN + 2, { output_tokens: 30 })];
    await writeAll(tenant, calls);
    return calls;
  };
  const writesOf = async (): Promise<number> => {
    await startHour();
    void world.faults.arm({ write: Number.POSITIVE_INFINITY, moment: 'before', kind: 'fails' });
    await divide();
    return world.faults.writes();
  };

  // A write by another: a call that comes late, which is earlier than all others, or a corrected use.
  it.each(['no other write', 'a late call', 'a correction'] as const)(
    'ends with the cost of the hour, each share once, when it is killed at any write, after %s between its steps',
    async (foreign) => {
      const writes = await writesOf();
      expect(writes).toBeGreaterThan(4);
      for (let write = 0; write < writes; write += 1) {
        for (const moment of MOMENTS) {
          const calls = await startHour();
          const [first] = calls;
          let isWritten = foreign === 'no other write';
          const before = async (step: number): Promise<void> => {
            if (isWritten || step === 0) return;
            if (foreign === 'a late call') {
              const late = call(TEN, { output_tokens: 5_000 });
              await writeAll(tenant, [late]);
              calls.push(late);
            } else if (first !== undefined) await correct(first, 11);
            isWritten = true;
          };
          await divide(TEN, { faults: [{ write, moment, kind: 'dies' }], before });

          if (foreign !== 'a correction') expect(await wholeOf(calls)).toBe(NODE_HOUR);
          // Nothing is left to change, or the correction has its share.
          const { changed } = (await divide()).progress;
          if (foreign !== 'a correction') expect(changed).toBe(0);
          expect(await wholeOf(calls)).toBe(NODE_HOUR);
          const versions = await Promise.all(
            calls.map(async (one) => (await world.versions(tenant, one)).length),
          );
          expect(Math.max(...versions)).toBeLessThanOrEqual(foreign === 'no other write' ? 2 : 5);
        }
      }
    },
    60_000,
  );

  it('never charges more than the hour costs, although calls come all the time', async () => {
    const calls = await startHour();
    await divide(TEN, {
      before: async () => {
        const late = call(TEN, { output_tokens: 1_000 });
        calls.push(late);
        await writeAll(tenant, [late]);
      },
    });
    const [line] = await linesOf();
    expect(sumOf(await costsOf(calls))).toBeLessThanOrEqual(parseFixedPoint(line?.charged_usd ?? '0'));

    await divide();
    expect(await wholeOf(calls)).toBe(NODE_HOUR);
  });

  it('replaces the line of a clock that was ahead', async () => {
    const calls = await startHour();
    world.time.now += 24 * HOUR;
    await divide();
    world.time.now -= 24 * HOUR;
    const late = call(TEN);
    await writeAll(tenant, [late]);
    await divide();

    expect(await linesOf()).toMatchObject([{ calls: 3 }]);
    expect(await wholeOf([...calls, late])).toBe(NODE_HOUR);
  });
});
