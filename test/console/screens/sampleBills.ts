import { decimal } from '../../../functions/platform/shared/decimal.ts';

import type { AttributionRecord, BillRow } from '../../../sdk/typescript/src/types.ts';
import type { FakeCharge } from '../../chargeback/reconciliation/sources/fakeProvider.ts';

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

const byDay = (
  modelDays: readonly ModelDay[],
  chargesOf: (modelDay: ModelDay) => readonly FakeCharge[],
): ReadonlyMap<string, readonly FakeCharge[]> =>
  new Map([...Map.groupBy(modelDays, ({ day }) => day)].map(([day, own]) => [day, own.flatMap(chargesOf)]));

/** How many tokens a bill has for 100 recorded ones. */
const BILLED_FOR_100 = 103;
/** The price of a token of each kind, compared with input. */
const WEIGHTS = { input: 4, cached: 1, output: 16 };

/** Charges of OpenAI at the recorded cost of a token, for some more tokens than were recorded. */
export const chargesWithUncapturedCalls = (modelDays: readonly ModelDay[]) =>
  byDay(modelDays, ({ model, cost, input, cached, output }) => {
    const counts = { input, cached, output };
    const weight = input * WEIGHTS.input + cached * WEIGHTS.cached + output * WEIGHTS.output;
    return (['input', 'cached', 'output'] as const).flatMap((kind) => {
      const quantity = Math.round((counts[kind] * BILLED_FOR_100) / 100);
      const amount = decimal(cost)
        .times(String(quantity * WEIGHTS[kind]))
        .div(String(weight || 1));
      return quantity === 0
        ? []
        : {
            amount: amount.toFixed(),
            item: `${model}, ${kind === 'cached' ? 'cached input' : kind}`,
            quantity,
          };
    });
  });

/** Charges of Anthropic in cents: of the recorded cost, 92 % at the standard price, and the rest at half of it. */
export const chargesWithBatch = (modelDays: readonly ModelDay[]) =>
  byDay(modelDays, ({ model, cost }) => [
    { amount: decimal(cost).times('92').toFixed(), item: `${model}, input`, model },
    { amount: decimal(cost).times('4').toFixed(), item: `${model}, batch input`, model, tier: 'batch' },
  ]);

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
