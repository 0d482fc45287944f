import { decimal } from '../../../functions/shared/decimal.ts';

import type { AttributionRecord, BillRow } from '../../../sdk/typescript/src/types.ts';
import type { FakeCharge } from '../../reconciliation/sources/fakeProvider.ts';

/** The recorded calls of a model on a UTC day. */
interface ModelDay {
  readonly day: string;
  readonly model: string;
  readonly input: number;
  readonly cached: number;
  readonly output: number;
  readonly cost: string;
}

export const modelDaysOf = (records: readonly AttributionRecord[], provider: string): ModelDay[] => {
  const days = new Map<string, ModelDay>();
  for (const record of records) {
    if (record.provider !== provider) continue;
    const day = record.occurred_at.slice(0, 10);
    const key = `${day} ${record.served_model}`;
    const { input, cached, output, cost } = days.get(key) ?? { input: 0, cached: 0, output: 0, cost: '0' };
    days.set(key, {
      day,
      model: record.served_model,
      input: input + (record.input_tokens ?? 0) - (record.cached_input_tokens ?? 0),
      cached: cached + (record.cached_input_tokens ?? 0),
      output: output + (record.output_tokens ?? 0),
      cost: decimal(cost)
        .plus(record.cost_usd ?? '0')
        .toFixed(),
    });
  }
  return [...days.values()];
};

/** The charges of each day: the recorded costs times a factor. */
export const chargesOf = (
  modelDays: readonly ModelDay[],
  factor: string,
): ReadonlyMap<string, readonly FakeCharge[]> =>
  new Map(
    [...Map.groupBy(modelDays, ({ day }) => day)].map(([day, own]) => [
      day,
      own.map(({ model, cost }) => ({
        amount: decimal(cost).times(factor).toFixed(),
        item: `${model}, input`,
        model,
      })),
    ]),
  );

/** Bill rows with the recorded tokens, at prices in USD per million. */
export const tokenRowsOf = (
  modelDays: readonly ModelDay[],
  bill: { readonly provider: string; readonly account: string },
  prices: { readonly input: string; readonly cached: string; readonly output: string },
): BillRow[] =>
  modelDays.flatMap(({ day, model, ...counts }) =>
    (
      [
        ['Input Tokens', 'input'],
        ['Cached Input Tokens', 'cached'],
        ['Output Tokens', 'output'],
      ] as const
    ).map(([SkuMeter, kind]) => ({
      BilledCost: decimal(prices[kind]).times(String(counts[kind])).div('1000000').toFixed(),
      BillingCurrency: 'USD' as const,
      ServiceProviderName: bill.provider,
      BillingAccountId: bill.account,
      ChargePeriodStart: `${day}T00:00:00Z`,
      ChargePeriodEnd: `${day}T23:59:59Z`,
      x_Model: model,
      SkuMeter,
      ConsumedUnit: 'Tokens',
      ConsumedQuantity: String(counts[kind]),
    })),
  );
