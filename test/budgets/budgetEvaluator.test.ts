import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  budgetEvaluationStore,
  budgetWriter,
  type StoredBudget,
} from '../../functions/budgets/budget.store.ts';
import { budgetEvaluator } from '../../functions/budgets/budgetEvaluator.ts';
import { outbox } from '../../functions/events/outbox.store.ts';
import { LENGTH } from '../../functions/rollups/grain.ts';
import { rollupReader } from '../../functions/rollups/rollup.store.ts';
import { commit } from '../../functions/shared/aws/document.store.ts';
import { idOf, ulidInId } from '../../functions/shared/ids.ts';
import { ulidOf } from '../../functions/shared/ulid.ts';
import type { Tenant } from '../../functions/tenancy/tenant.ts';
import { thresholds } from '../../schemas/budgets.ts';
import { type Fault, injectFaults } from '../credentials/faultInjection.ts';
import { type LiveTables, startTables } from '../shared/tables.ts';
import { aGroup, minuteOf, newTenant, putRollup, readRaisedEvents } from './rollupFixtures.ts';

const NOW = Date.parse('2026-05-20T12:00:00Z');

let live: LiveTables;
let faults: ReturnType<typeof injectFaults>;
beforeAll(async () => {
  live = await startTables();
  faults = injectFaults();
});
afterAll(() => live?.stop());

const evaluatorAt = (now: number) =>
  budgetEvaluator({
    budgets: budgetEvaluationStore('budgets'),
    rollups: rollupReader('rollups'),
    outbox: outbox('outbox'),
    clock: () => now,
  });

let made = 0;
const openBudget = async (tenant: Tenant, members: Partial<StoredBudget> = {}): Promise<StoredBudget> => {
  made += 1;
  const budget: StoredBudget = {
    id: idOf('bud', tenant.tag, ulidOf(NOW + made, new Uint8Array(10))),
    name: 'Search',
    ceiling_usd: '100',
    period: 'month',
    scope: {},
    residency: null,
    created_at: '2026-01-01T00:00:00.000Z',
    updated_at: '2026-01-01T00:00:00.000Z',
    created_by: 'key_1',
    arms: {},
    ...members,
  };
  const writer = budgetWriter('budgets');
  const { document } = await writer.find(tenant.tenant_id, ulidInId(budget.id));
  await commit(writer.create(tenant.tenant_id, budget, document, { claim: `make ${made}`, attempt: 1 }));
  return budget;
};

const raisedThresholds = async (tenant: Tenant): Promise<unknown[]> =>
  (await readRaisedEvents(live, tenant)).map(({ data }) => data['threshold']);

describe('a budget', () => {
  it('tells of each threshold that its spend reaches, with what it is about', async () => {
    const tenant = newTenant();
    const budget = await openBudget(tenant);
    for (let ago = 1; ago <= 4; ago += 1)
      await putRollup(tenant, 'day', NOW - ago * LENGTH.day, [aGroup('25')]);
    await putRollup(tenant, 'day', NOW, [aGroup('0.000000000001')], NOW - 1_000);

    await evaluatorAt(NOW)(tenant, [minuteOf(NOW)]);

    const events = await readRaisedEvents(live, tenant);
    const told = events.map(({ type, data }) => ({ type, threshold: Number(data['threshold']) }));
    expect(told.toSorted((one, other) => one.threshold - other.threshold)).toEqual([
      { type: 'budget.threshold.crossed', threshold: 75 },
      { type: 'budget.threshold.crossed', threshold: 100 },
    ]);
    expect(events.find(({ data }) => data['threshold'] === 100)).toMatchObject({
      created_at: new Date(NOW).toISOString(),
      data: {
        budget_id: budget.id,
        name: 'Search',
        period_to_date_usd: 100.000000000001,
        ceiling_usd: 100,
        exact: {
          period_to_date_usd: '100.000000000001',
          ceiling_usd: '100',
          forecast_usd: '387.500000000001',
        },
        period: { from: '2026-05-01T00:00:00.000Z', to: '2026-06-01T00:00:00.000Z' },
        as_of: new Date(NOW - 1_000).toISOString(),
      },
    });
  });

  it.each([
    ['74.999999999999', []],
    ['75', [75]],
    ['149.999999999999', [75, 100]],
    ['150', [75, 100, 150]],
  ])('that has spent %s of 100 tells of %j', async (spent, expected) => {
    const tenant = newTenant();
    await openBudget(tenant);
    await putRollup(tenant, 'day', NOW, [aGroup(spent)]);

    await evaluatorAt(NOW)(tenant, [minuteOf(NOW)]);

    expect((await raisedThresholds(tenant)).toSorted((one, other) => Number(one) - Number(other))).toEqual(
      expected,
    );
  });

  it.each([
    ['owner', { owner: 'team-search' }, 1],
    ['another owner', { owner: 'team-ads' }, 0],
    ['owner and service', { owner: 'team-search', service: 'ranking' }, 1],
    ['owner and another service', { owner: 'team-search', service: 'ads' }, 0],
    ['provider', { provider: 'openai' }, 1],
    ['some of the tags', { tags: ['prod', 'eu'] }, 1],
    ['a tag that is missing', { tags: ['prod', 'us'] }, 0],
  ])('counts calls by %s', async (_, scope, expected) => {
    const tenant = newTenant();
    await openBudget(tenant, { scope });
    await putRollup(tenant, 'day', NOW, [aGroup('80', { tags: ['batch', 'eu', 'prod'] })]);

    await evaluatorAt(NOW)(tenant, [minuteOf(NOW)]);

    expect(await raisedThresholds(tenant)).toHaveLength(expected);
  });

  it('of a lane counts that lane alone', async () => {
    const tenant = newTenant({ residency: ['eu', 'us'] });
    await openBudget(tenant, { residency: 'eu' });
    await putRollup(tenant, 'day', NOW, [
      aGroup('70', { residency: 'eu' }),
      aGroup('70', { residency: 'us' }),
    ]);

    await evaluatorAt(NOW)(tenant, [minuteOf(NOW)]);

    expect(await raisedThresholds(tenant)).toEqual([]);
  });

  it('begins anew with each period, and leaves the one before alone', async () => {
    const tenant = newTenant();
    await openBudget(tenant);
    const june = Date.parse('2026-06-01T00:05:00Z');
    await putRollup(tenant, 'day', NOW, [aGroup('80')]);
    await evaluatorAt(NOW)(tenant, [minuteOf(NOW)]);

    await putRollup(tenant, 'day', june, [aGroup('80')]);
    await evaluatorAt(june)(tenant, [minuteOf(june), minuteOf(NOW)]);

    const periods = (await readRaisedEvents(live, tenant)).map(({ data }) =>
      Object(data['period']).from.slice(0, 7),
    );
    expect(periods).toEqual(['2026-05', '2026-06']);
  });

  it('over 30 rolling days is told again 30 days later, if it is still above', async () => {
    const tenant = newTenant();
    await openBudget(tenant, { period: 'rolling_30d' });
    const later = NOW + 30 * LENGTH.day;
    const spendAndWatch = async (at: number) => {
      await putRollup(tenant, 'day', at, [aGroup('80')]);
      await evaluatorAt(at)(tenant, [minuteOf(at)]);
    };
    await spendAndWatch(NOW);

    await spendAndWatch(later - 1);
    const before = await raisedThresholds(tenant);
    await spendAndWatch(later);
    await spendAndWatch(later + 1);

    expect([
      before.filter((one) => one === 75),
      (await raisedThresholds(tenant)).filter((one) => one === 75),
    ]).toEqual([[75], [75, 75]]);
  });

  it('costs one read where there is none', async () => {
    const reads: string[] = [];
    const noting =
      <Result>(name: string, read: () => Promise<Result>) =>
      (): Promise<Result> => {
        reads.push(name);
        return read();
      };
    const watch = budgetEvaluator({
      budgets: {
        ...budgetEvaluationStore('budgets'),
        all: noting('budgets', async () => []),
        crossings: noting('crossings', async () => []),
      },
      rollups: { read: noting('rollups', async () => []) },
      outbox: outbox('outbox'),
      clock: () => NOW,
    });

    await watch(newTenant(), [minuteOf(NOW)]);

    expect(reads).toEqual(['budgets']);
  });
});

describe('whatever happens', () => {
  const fault = fc.record<Fault>({
    write: fc.nat({ max: 3 }),
    moment: fc.constantFrom('before', 'after'),
    kind: fc.constantFrom('fails', 'dies', 'repeats'),
  });
  const step = fc.record({
    spent: fc.constantFrom('0', '74', '75', '99.5', '100', '149.9', '150', '400'),
    evaluators: fc.integer({ min: 0, max: 3 }),
    fault: fc.option(fault, { freq: 2 }),
    evaluatedAgain: fc.boolean(),
    waits: fc.constantFrom(0, 1, LENGTH.minute, LENGTH.day),
  });

  it.each(['month', 'quarter', 'rolling_30d'] as const)(
    'a threshold of a %s is told exactly once when it was reached and looked at',
    async (period) => {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 6 }), async (steps) => {
          const tenant = newTenant();
          await openBudget(tenant, { period });
          const mustBeTold = new Set<number>();
          const mayBeTold = new Set<number>();
          let now = NOW;
          for (const { spent, evaluators, fault: happening, evaluatedAgain, waits } of steps) {
            await putRollup(tenant, 'day', NOW, [aGroup(spent)]);
            const reached = thresholds.filter((percent) => Number(spent) >= percent);
            if (happening !== null) void faults.arm(happening);
            const evaluations = Array.from({ length: evaluators }, (_, index) =>
              evaluatorAt(now + index)(tenant, [minuteOf(NOW)]),
            );
            await Promise.allSettled(evaluations);
            faults.restart();
            if (evaluatedAgain) await evaluatorAt(now)(tenant, [minuteOf(NOW), minuteOf(NOW)]);
            for (const percent of reached) {
              mayBeTold.add(percent);
              if (evaluatedAgain) mustBeTold.add(percent);
            }
            now += waits;
          }

          const told = await raisedThresholds(tenant);

          expect(new Set(told).size).toBe(told.length);
          expect([...mustBeTold].filter((percent) => !told.includes(percent))).toEqual([]);
          expect(told.filter((percent) => !mayBeTold.has(Number(percent)))).toEqual([]);
        }),
        { numRuns: 25 },
      );
    },
  );
});
