import { afterAll, describe, expect, it } from 'vitest';
import { forecastEvaluator } from '../../../../functions/insight/budgets/alerts/forecastEvaluator.ts';
import {
  budgetEvaluationStore,
  type StoredBudget,
} from '../../../../functions/insight/budgets/budget.store.ts';
import { LENGTH } from '../../../../functions/ledger/rollups/grain.ts';
import { rollupReader } from '../../../../functions/ledger/rollups/rollup.store.ts';
import { outbox } from '../../../../functions/platform/outbox/outbox.store.ts';
import { OutOfTime } from '../../../../functions/platform/shared/time/outOfTime.ts';
import type { Tenant } from '../../../../functions/platform/tenancy/tenant.ts';
import { injectFaults } from '../../../identity/credentials/faultInjection.ts';
import { startTables } from '../../../support/tables.ts';
import { newTenant } from '../../../support/tenants.ts';
import { aGroup, putRollup } from '../rollupFixtures.ts';
import { openBudget } from '../storedBudgets.ts';

/** Noon of the eleventh day of a month of 30 days: 10.5 days are over, and 19.5 days follow. */
const NOW = Date.parse('2026-06-11T12:00:00Z');

const live = await startTables();
const faults = injectFaults();
afterAll(() => live.stop());

const evaluate = (tenant: Tenant, now = NOW, hasTime = () => true): Promise<void> =>
  forecastEvaluator({
    budgets: budgetEvaluationStore('budgets'),
    rollups: rollupReader('rollups'),
    outbox: outbox('outbox'),
    hasTime,
  })(tenant, now);

/** A tenant that spends a dollar or three on alternate days for 40 days, so that the forecast has a wide range. */
const spendingTenant = async (budget: Partial<StoredBudget>): Promise<Tenant> => {
  const tenant = newTenant();
  for (let ago = 0; ago <= 40; ago += 1)
    await putRollup(tenant, 'day', NOW - ago * LENGTH.day, [aGroup(ago % 2 === 0 ? '1' : '3')]);
  await openBudget(tenant, budget);
  return tenant;
};

const told = async (tenant: Tenant): Promise<string[]> =>
  (await live.eventsOf(tenant)).map(({ type, data }) => `${type} ${data['threshold']} ${data['likelihood']}`);

/** The range of the forecast, which an event of a budget with a low ceiling tells. */
const rangeOf = async (): Promise<{ low: number; high: number }> => {
  const tenant = await spendingTenant({ ceiling_usd: '30', forecast_thresholds: [100] });
  await evaluate(tenant);
  const [event] = await live.eventsOf(tenant);
  const { low, high } = Object(event?.data['forecast_range_usd']);
  return { low: Number(low), high: Number(high) };
};

describe('forecastEvaluator', () => {
  it('tells what is spent, the ceiling, and the range of the forecast', async () => {
    const tenant = await spendingTenant({ ceiling_usd: '30', forecast_thresholds: [100] });

    await evaluate(tenant);

    const [event, ...others] = await live.eventsOf(tenant);
    expect(others).toEqual([]);
    expect(event).toMatchObject({
      type: 'budget.forecast.crossed',
      created_at: new Date(NOW).toISOString(),
      data: {
        name: 'Search',
        basis: 'records',
        threshold: 100,
        likelihood: 'likely',
        period_to_date_usd: '21',
        ceiling_usd: '30',
        forecast_unknown: null,
        period: { from: '2026-06-01T00:00:00.000Z', to: '2026-07-01T00:00:00.000Z' },
      },
    });
  });

  it('is possible where only the high end of the range reaches the threshold, and likely where both ends do', async () => {
    const { low, high } = await rangeOf();
    expect(low).toBeLessThan(high);
    const toldAt = async (ceiling: number): Promise<string[]> => {
      const tenant = await spendingTenant({ ceiling_usd: ceiling.toFixed(6), forecast_thresholds: [100] });
      await evaluate(tenant);
      return told(tenant);
    };

    expect(await toldAt(low - 0.001)).toEqual(['budget.forecast.crossed 100 likely']);
    expect(await toldAt(low + 0.001)).toEqual(['budget.forecast.crossed 100 possible']);
    expect(await toldAt(high - 0.001)).toEqual(['budget.forecast.crossed 100 possible']);
    expect(await toldAt(high + 0.001)).toEqual([]);
  });

  it.each<[string, Partial<StoredBudget>]>([
    ['no forecast threshold', { ceiling_usd: '30' }],
    ['a threshold that the spend has reached', { ceiling_usd: '20', forecast_thresholds: [100] }],
    ['a scope without calls', { ceiling_usd: '30', forecast_thresholds: [100], scope: { owner: 'nobody' } }],
  ])('says nothing with %s', async (_, budget) => {
    const tenant = await spendingTenant(budget);

    await evaluate(tenant);

    expect(await told(tenant)).toEqual([]);
  });

  it('says nothing where the forecast is unknown', async () => {
    const tenant = newTenant();
    await putRollup(tenant, 'day', NOW, [aGroup('20')]);
    await openBudget(tenant, { ceiling_usd: '30', forecast_thresholds: [100] });

    await evaluate(tenant);

    expect(await told(tenant)).toEqual([]);
  });

  it('alerts once for a period, threshold and likelihood, and never as possible what was likely', async () => {
    const { low, high } = await rangeOf();
    const tenant = await spendingTenant({
      ceiling_usd: ((low + high) / 2).toFixed(6),
      forecast_thresholds: [100],
    });
    await evaluate(tenant);
    await evaluate(tenant, NOW + LENGTH.hour);
    expect(await told(tenant)).toEqual(['budget.forecast.crossed 100 possible']);

    // More spend makes it likely. A correction then lowers it.
    await putRollup(tenant, 'day', NOW, [aGroup((1 + 0.6 * (high - low)).toFixed(6))]);
    await evaluate(tenant, NOW + 2 * LENGTH.hour);
    await putRollup(tenant, 'day', NOW, [aGroup('1')]);
    await evaluate(tenant, NOW + 3 * LENGTH.hour);

    expect(await told(tenant)).toEqual([
      'budget.forecast.crossed 100 possible',
      'budget.forecast.crossed 100 likely',
    ]);
  });

  it('alerts again after a change of the ceiling', async () => {
    const tenant = await spendingTenant({
      ceiling_usd: '30',
      forecast_thresholds: [100],
      terms_changed_at: new Date(NOW + LENGTH.minute).toISOString(),
    });
    await evaluate(tenant);
    await evaluate(tenant, NOW + LENGTH.hour);
    await evaluate(tenant, NOW + 2 * LENGTH.hour);

    expect(await told(tenant)).toHaveLength(2);
  });

  it('leaves one event after a crash at any write, and goes on where its time was over', async () => {
    const tenant = await spendingTenant({ ceiling_usd: '30', forecast_thresholds: [90, 100, 110] });
    void faults.arm({ write: 1, moment: 'after', kind: 'dies' });
    await expect(evaluate(tenant)).rejects.toThrow();
    faults.restart();

    await expect(evaluate(tenant, NOW, () => false)).rejects.toThrow(OutOfTime);
    await evaluate(tenant);

    expect((await told(tenant)).toSorted()).toEqual([
      'budget.forecast.crossed 100 likely',
      'budget.forecast.crossed 110 likely',
      'budget.forecast.crossed 90 likely',
    ]);
  });
});
