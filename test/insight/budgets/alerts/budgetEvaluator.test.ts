import * as fc from 'fast-check';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { budgetEvaluator } from '../../../../functions/insight/budgets/alerts/budgetEvaluator.ts';
import { budgetEvaluationStore } from '../../../../functions/insight/budgets/budget.store.ts';
import { LENGTH } from '../../../../functions/ledger/rollups/grain.ts';
import { rollupReader } from '../../../../functions/ledger/rollups/rollup.store.ts';
import { outbox } from '../../../../functions/platform/outbox/outbox.store.ts';
import { ThrottledError } from '../../../../functions/platform/shared/retry/throttledError.ts';
import { OutOfTime } from '../../../../functions/platform/shared/time/outOfTime.ts';
import type { Tenant } from '../../../../functions/platform/tenancy/tenant.ts';
import { NOT_EVALUATED, DEFAULT_THRESHOLDS as thresholds } from '../../../../schemas/insight/budgets.ts';
import { type Fault, injectFaults } from '../../../identity/credentials/faultInjection.ts';
import { runs } from '../../../support/properties.ts';
import { startTables } from '../../../support/tables.ts';
import { newTenant } from '../../../support/tenants.ts';
import { aGroup, minuteOf, putRollup } from '../rollupFixtures.ts';
import { openBudget } from '../storedBudgets.ts';

const NOW = Date.parse('2026-05-20T12:00:00Z');

const live = await startTables();
const faults = injectFaults();
afterAll(() => live.stop());

const evaluatorAt = (now: number, raisedIn = outbox('outbox')) =>
  budgetEvaluator({
    budgets: budgetEvaluationStore('budgets'),
    rollups: rollupReader('rollups'),
    outbox: raisedIn,
    clock: () => now,
  });

const raisedThresholds = async (tenant: Tenant): Promise<unknown[]> =>
  (await live.eventsOf(tenant)).map(({ data }) => data['threshold']);

describe('budgetEvaluator', () => {
  it('raises one event per threshold that the spend reaches, with spend, ceiling, forecast and period', async () => {
    const tenant = newTenant();
    const budget = await openBudget(tenant);
    for (let ago = 1; ago <= 4; ago += 1)
      await putRollup(tenant, 'day', NOW - ago * LENGTH.day, [aGroup('25')]);
    await putRollup(tenant, 'day', NOW, [aGroup('0.000000000001')], NOW - 1_000);

    await evaluatorAt(NOW)(tenant, [minuteOf(NOW)]);

    const events = await live.eventsOf(tenant);
    const crossings = events.map(({ type, data }) => ({ type, threshold: Number(data['threshold']) }));
    expect(crossings.toSorted((one, other) => one.threshold - other.threshold)).toEqual([
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
  ])('for a spend of %s of 100 USD raises the thresholds %j', async (spent, expected) => {
    const tenant = newTenant();
    await openBudget(tenant);
    await putRollup(tenant, 'day', NOW, [aGroup(spent)]);

    await evaluatorAt(NOW)(tenant, [minuteOf(NOW)]);

    expect((await raisedThresholds(tenant)).toSorted((one, other) => Number(one) - Number(other))).toEqual(
      expected,
    );
  });

  it.each([
    ['counts calls of its owner', { owner: 'team-search' }, 1],
    ['ignores calls of another owner', { owner: 'team-ads' }, 0],
    ['counts calls of its owner and service', { owner: 'team-search', service: 'ranking' }, 1],
    ['ignores calls of its owner and another service', { owner: 'team-search', service: 'ads' }, 0],
    ['counts calls of its provider', { provider: 'openai' }, 1],
    ['counts calls of its model', { served_model: 'gpt-4o' }, 1],
    ['ignores calls of another model', { served_model: 'gpt-4.1' }, 0],
    ['counts calls of its region', { region: 'eu-west-1' }, 1],
    ['ignores calls of another region', { region: 'us-east-1' }, 0],
    ['counts calls with all of its tags', { tags: ['prod', 'eu'] }, 1],
    ['ignores calls without one of its tags', { tags: ['prod', 'us'] }, 0],
  ])('%s', async (_, scope, expected) => {
    const tenant = newTenant();
    await openBudget(tenant, { scope });
    await putRollup(tenant, 'day', NOW, [
      aGroup('80', { region: 'eu-west-1', tags: ['batch', 'eu', 'prod'] }),
    ]);

    await evaluatorAt(NOW)(tenant, [minuteOf(NOW)]);

    expect(await raisedThresholds(tenant)).toHaveLength(expected);
  });

  it('counts only calls of the residency lane of the budget', async () => {
    const tenant = newTenant({ residency: ['eu', 'us'] });
    await openBudget(tenant, { residency: 'eu' });
    await putRollup(tenant, 'day', NOW, [
      aGroup('70', { residency: 'eu' }),
      aGroup('70', { residency: 'us' }),
    ]);

    await evaluatorAt(NOW)(tenant, [minuteOf(NOW)]);

    expect(await raisedThresholds(tenant)).toEqual([]);
  });

  it('raises a threshold again in the next month, and not again for the month before', async () => {
    const tenant = newTenant();
    await openBudget(tenant);
    const june = Date.parse('2026-06-01T00:05:00Z');
    await putRollup(tenant, 'day', NOW, [aGroup('80')]);
    await evaluatorAt(NOW)(tenant, [minuteOf(NOW)]);

    await putRollup(tenant, 'day', june, [aGroup('80')]);
    await evaluatorAt(june)(tenant, [minuteOf(june), minuteOf(NOW)]);

    const periods = (await live.eventsOf(tenant)).map(({ data }) => Object(data['period']).from.slice(0, 7));
    expect(periods).toEqual(['2026-05', '2026-06']);
  });

  it('raises a threshold of a rolling budget again after 30 days when the spend still reaches it', async () => {
    const tenant = newTenant();
    await openBudget(tenant, { period: 'rolling_30d' });
    const later = NOW + 30 * LENGTH.day;
    const spendAndEvaluate = async (at: number) => {
      await putRollup(tenant, 'day', at, [aGroup('80')]);
      await evaluatorAt(at)(tenant, [minuteOf(at)]);
    };
    await spendAndEvaluate(NOW);

    await spendAndEvaluate(later - 1);
    const before = await raisedThresholds(tenant);
    await spendAndEvaluate(later);
    await spendAndEvaluate(later + 1);

    expect([
      before.filter((one) => one === 75),
      (await raisedThresholds(tenant)).filter((one) => one === 75),
    ]).toEqual([[75], [75, 75]]);
  });

  describe('a corrected spend', () => {
    const evaluateWith = async (tenant: Tenant, usd: string, at: number): Promise<number> => {
      await putRollup(tenant, 'day', NOW, [aGroup(usd)]);
      await evaluatorAt(at)(tenant, [minuteOf(NOW)]);
      return (await raisedThresholds(tenant)).filter((threshold) => threshold === 75).length;
    };

    it.each(['month', 'quarter', 'rolling_30d'] as const)(
      'rearms a threshold of a %s budget when it is more than 5 percent of the ceiling below it',
      async (period) => {
        const tenant = newTenant();
        await openBudget(tenant, { period });
        const counts: number[] = [];
        for (const [step, usd] of ['160', '71', '80', '69.99', '74', '75', '80', '10', '400'].entries())
          counts.push(await evaluateWith(tenant, usd, NOW + step * LENGTH.minute));

        expect(counts).toEqual([1, 1, 1, 1, 1, 2, 2, 2, 3]);
      },
    );

    it('is not the spend of a rolling period that falls because days leave it', async () => {
      const tenant = newTenant();
      await openBudget(tenant, { period: 'rolling_30d' });
      await putRollup(tenant, 'day', NOW - 29 * LENGTH.day, [aGroup('80')]);
      const later = NOW + 2 * LENGTH.day;
      await evaluatorAt(NOW)(tenant, [minuteOf(NOW)]);
      await evaluatorAt(later)(tenant, [minuteOf(later)]);
      await putRollup(tenant, 'day', later, [aGroup('80')]);
      await evaluatorAt(later + 1)(tenant, [minuteOf(later)]);

      expect(await raisedThresholds(tenant)).toEqual([75]);
    });
  });

  it('goes on after what it wrote when the time is over', async () => {
    const tenant = newTenant();
    for (let count = 0; count < 3; count += 1) await openBudget(tenant);
    await putRollup(tenant, 'day', NOW, [aGroup('100')]);
    const evaluate = () => evaluatorAt(NOW)(tenant, [minuteOf(NOW)], () => false);
    const raised: number[] = [];
    for (let run = 0; run < 6; run += 1) {
      await expect(evaluate()).rejects.toThrow(OutOfTime);
      raised.push((await raisedThresholds(tenant)).length);
    }
    await evaluate();

    expect(raised).toEqual([1, 2, 3, 4, 5, 6]);
    expect(await raisedThresholds(tenant)).toHaveLength(6);
  });

  it('logs and leaves out a budget that cannot be evaluated, but not in an outage', async () => {
    const tenant = newTenant();
    const [first, second] = [await openBudget(tenant), await openBudget(tenant)];
    await putRollup(tenant, 'day', NOW, [aGroup('80')]);
    const working = outbox('outbox');
    const evaluateWith = (failure: Error) =>
      evaluatorAt(NOW, {
        ...working,
        raise: (event) => {
          if (event.data['budget_id'] === first.id) throw failure;
          return working.raise(event);
        },
      })(tenant, [minuteOf(NOW)]);
    const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);

    await expect(evaluateWith(new ThrottledError())).rejects.toThrow(ThrottledError);
    await evaluateWith(new TypeError('no such member'));

    const lines = write.mock.calls.map(([line]) => String(line));
    write.mockRestore();
    expect(lines.filter((line) => line.includes(NOT_EVALUATED))).toHaveLength(1);
    expect((await live.eventsOf(tenant)).map(({ data }) => data['budget_id'])).toEqual([second.id]);
  });

  it('costs one read when the tenant has no budgets', async () => {
    const reads: string[] = [];
    const recordingReads =
      <Result>(name: string, read: () => Promise<Result>) =>
      (): Promise<Result> => {
        reads.push(name);
        return read();
      };
    const evaluate = budgetEvaluator({
      budgets: {
        ...budgetEvaluationStore('budgets'),
        all: recordingReads('budgets', async () => []),
        crossings: recordingReads('crossings', async () => []),
      },
      rollups: { read: recordingReads('rollups', async () => []) },
      outbox: outbox('outbox'),
      clock: () => NOW,
    });

    await evaluate(newTenant(), [minuteOf(NOW)]);

    expect(reads).toEqual(['budgets']);
  });
});

describe('budgetEvaluator with concurrency and faults', () => {
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
  const ownThresholds = fc.oneof(
    fc.constant(thresholds),
    fc
      .uniqueArray(fc.integer({ min: 1, max: 200 }), { minLength: 1, maxLength: 4 })
      .map((all) => all.sort((one, other) => one - other)),
  );

  it.each(['month', 'quarter', 'rolling_30d'] as const)(
    'raises a threshold of a %s budget once when an evaluation saw it reached, and at most once more for each correction',
    async (period) => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(step, { minLength: 1, maxLength: 6 }),
          ownThresholds,
          async (steps, own) => {
            const tenant = newTenant();
            await openBudget(tenant, { period, thresholds: own });
            const required = new Set<number>();
            const allowed = new Set<number>();
            let now = NOW;
            for (const { spent, evaluators, fault: injected, evaluatedAgain, waits } of steps) {
              await putRollup(tenant, 'day', NOW, [aGroup(spent)]);
              const reached = own.filter((percent) => Number(spent) >= percent);
              if (injected !== null) void faults.arm(injected);
              const evaluations = Array.from({ length: evaluators }, (_, index) =>
                evaluatorAt(now + index)(tenant, [minuteOf(NOW)]),
              );
              await Promise.allSettled(evaluations);
              faults.restart();
              if (evaluatedAgain) await evaluatorAt(now)(tenant, [minuteOf(NOW), minuteOf(NOW)]);
              for (const percent of reached) {
                allowed.add(percent);
                if (evaluatedAgain) required.add(percent);
              }
              now += waits;
            }

            const raised = await raisedThresholds(tenant);

            for (const percent of own) {
              const hysteresis = Math.min(5, Math.floor(percent / 2));
              const falls = steps.filter(({ spent }) => Number(spent) < percent - hysteresis).length;
              expect(raised.filter((one) => one === percent).length).toBeLessThanOrEqual(1 + falls);
            }
            expect([...required].filter((percent) => !raised.includes(percent))).toEqual([]);
            expect(raised.filter((percent) => !allowed.has(Number(percent)))).toEqual([]);
          },
        ),
        { numRuns: runs(12) },
      );
    },
  );
});
