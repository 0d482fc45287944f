import { expect, it } from 'vitest';
import { OtherCurrency } from '../../../../functions/chargeback/reconciliation/sources/reports/costReport.ts';
import { toBillLines } from '../../../../functions/chargeback/reconciliation/sources/reports/dayReport.ts';
import { aRow } from './aws/curFile.ts';
import { THIS_MORNING } from './aws/exportWorld.ts';
import { DATA_EXPORT } from './aws/fakeAws.ts';
import { dateBefore, HOUR_MS, MINUTE_MS } from './sourceHarness.ts';
import { input, runLater, tenant, useSources, world } from './sourceWorld.ts';

useSources();

/** A Friday, and the Saturday and Sunday after it, on which no central bank publishes rates. */
const [FRIDAY, SATURDAY, SUNDAY] = ['2026-05-01', '2026-05-02', '2026-05-03'];
const euros = (amount: string, item = 'gpt-4o, input') => ({ ...input(amount), item, currency: 'eur' });
const rates = (on: Readonly<Record<string, string>>) => ({
  source: 'ECB euro foreign exchange reference rates',
  base: 'EUR',
  rates: Object.fromEntries(Object.entries(on).map(([day, USD]) => [day, { USD }])),
});

it('makes charges in another currency USD by the rates of their day, and says which', async () => {
  const { openai } = world.providers;
  openai.publish(FRIDAY, [euros('0.1'), euros('0.2'), input('5')]);
  openai.publish(SUNDAY, [euros('-2')]);
  await world.create(tenant, { exchange_rates: rates({ [FRIDAY]: '1.123456789012', '2026-04-30': '9' }) });

  await world.run(tenant);

  expect(await world.billed(tenant, FRIDAY)).toBe('5.3370370367036');
  expect(await world.billed(tenant, SATURDAY, SUNDAY)).toBe('-2.246913578024');
  expect(await world.deliveries(tenant)).toMatchObject([
    {
      from: SUNDAY,
      billed_usd: '-2.246913578024',
      exchanged: [{ billed: '-2', lowest_rate: '1.123456789012' }],
    },
    { from: FRIDAY, exchanged: [{ currency: 'EUR', billed: '0.3', billed_usd: '0.3370370367036' }] },
  ]);
});

const linesOf = (amounts: readonly string[], on: Readonly<Record<string, string>>) =>
  toBillLines(
    amounts.map((BilledCost) => ({ BilledCost, BillingCurrency: 'eur', x_Model: 'gpt-4o' })),
    { providerName: 'OpenAI', account: null, day: Date.parse(FRIDAY), rates: rates(on) },
  );

it('adds the charges of a purchase before they become USD, so no part is rounded', () => {
  const third = '0.333333333333333333';

  expect(linesOf([third, third, third], { [FRIDAY]: '1.111111111111' })).toMatchObject([
    { cost: '1.111111111110999999', exchange: { currency: 'EUR', amount: '0.999999999999999999' } },
  ]);
});

it('never takes an amount in another currency for USD', () => {
  expect(() => linesOf(['2'], { '2026-04-23': '1.5', '2026-05-04': '1.5' })).toThrow(OtherCurrency);
});

it.each(['openai', 'aws'])(
  'leaves out a day without a rate at %s until there is one, and no other day',
  async (provider) => {
    const days = [FRIDAY, dateBefore(1)];
    for (const day of days) world.providers.openai.publish(day, [euros('2'), input('1')]);
    const at = { line_item_unblended_cost: 1 };
    const charges = days.flatMap((day) => [
      aRow({ ...at, line_item_usage_start_date: `${day}T00:00:00Z`, line_item_currency_code: 'EUR' }),
      aRow({ ...at, line_item_usage_start_date: `${day}T00:00:00Z`, line_item_currency_code: 'EUR' }),
      aRow({ ...at, line_item_usage_start_date: `${day}T00:00:00Z` }),
    ]);
    world.aws.deliver('2026-05', [charges], { at: THIS_MORNING });
    const access = provider === 'aws' ? { provider, name: 'AWS', data_export: DATA_EXPORT } : {};
    const source = await world.create(tenant, { ...access, exchange_rates: rates({ [FRIDAY]: '1.5' }) });
    world.aws.trust(source.data_export?.external_id ?? '');

    await world.run(tenant);
    const before = await world.read(tenant, source);
    const body = { exchange_rates: rates({ [dateBefore(1)]: '2' }) };
    const changed = await world.call('updateBillSource', { tenant, id: source.id, body });
    await runLater(15 * MINUTE_MS);
    const after = await world.read(tenant, source);
    await runLater(12 * HOUR_MS);

    expect(before).toMatchObject({
      last_error: 'other_currency',
      unread_days: [{ day: dateBefore(1), error: 'other_currency' }],
    });
    expect(changed.body).toMatchObject({ exchange_rates: body.exchange_rates });
    expect(after).toMatchObject({ status: 'active', last_error: null, unread_days: [] });
    expect(await world.billed(tenant, FRIDAY)).toBe('4');
    expect(await world.billed(tenant, dateBefore(1))).toBe('5');
  },
);
