import { compare } from '../../../functions/chargeback/reconciliation/comparison/compare.ts';
import type { BilledDay } from '../../../functions/chargeback/reconciliation/rows/bill.ts';
import { normalizeModel } from '../../../functions/chargeback/reconciliation/rows/normalizeModel.ts';
import type { RollupReader } from '../../../functions/ledger/rollups/rollup.store.ts';
import { decimal } from '../../../functions/platform/shared/decimal.ts';
import type { Interval } from '../../../functions/platform/shared/time/interval.ts';
import type { Grouping } from '../../../schemas/routes/chargeback/reconciliation.ts';
import { TENANT } from '../../insight/reports/calls.ts';
import type { Inquiry } from '../../insight/reports/differencingAttack.ts';

/** Every way to group a comparison. */
export const groupings: readonly (readonly Grouping[])[] = [
  [],
  ['provider'],
  ['model'],
  ['day'],
  ['provider', 'model'],
  ['provider', 'day'],
  ['model', 'day'],
  ['provider', 'model', 'day'],
];

/** A bill of zero for a model and day, so that the difference equals the recorded sum. */
export const zeroBill = (provider: string, model: string, day: string): BilledDay => ({
  provider,
  model,
  day,
  rows: [{ cost: '0', usage: true, end: Date.parse(day), at: 0 }],
});

const RECORDED = [
  'invocations',
  'attributed_usd',
  'unattributed_usd',
  'mixed_usd',
  'not_billed_usd',
  'over_attributed_usd',
];
/** Parts of a difference that are a recorded sum, with a minus sign, when nothing or zero was billed. */
const RECORDED_PARTS = ['unbilled_calls_usd', 'unexplained_usd'];

/** All recorded sums of a row or of totals as bit sets of calls: the cost of a call in USD equals its bit. */
export const recordedSums = (sums: object): number[] =>
  Object.entries(sums).flatMap(([name, value]: [string, unknown]) => {
    if (name === 'difference_parts') {
      return Object.entries(Object(value)).flatMap(([part, amount]) =>
        RECORDED_PARTS.includes(part) ? [Math.abs(Number(amount))] : [],
      );
    }
    return RECORDED.includes(name) ? [Number(value)] : [];
  });

/** The bills of an attacker who knows the tokens of each model and day, so that each of them can suggest a price. */
const guessedBills = async (rollups: RollupReader, { from, to }: Interval): Promise<BilledDay[]> => {
  const days = await rollups.read(TENANT, { grain: 'day', from, to });
  return days.flatMap(({ start, groups }) => {
    const models = Map.groupBy(groups, ({ dimensions: { provider, served_model } }) =>
      JSON.stringify(normalizeModel(provider, served_model)),
    );
    return [...models].map(([model, ofModel]): BilledDay => {
      const count = ofModel.reduce((total, { figures }) => total + figures.input_tokens, 0);
      const cost = decimal(String(count)).times('0.001').toFixed();
      const row = { cost, usage: true, tokens: { kind: 'input' as const, count }, end: start, at: 0 };
      return { ...JSON.parse(model), day: new Date(start).toISOString().slice(0, 10), rows: [row] };
    });
  });
};

/** Queries the prices that the bills of such an attacker suggest. */
export const askSuggestedPrices =
  (period: Interval): Inquiry =>
  async (rollups) => {
    const bills = await guessedBills(rollups, period);
    const days = async (_tenantId: string, wanted: readonly string[]) =>
      bills.filter(({ day }) => wanted.includes(day));
    const { suggestedPrices } = await compare(
      { rollups, bills: { days }, contractPrices: async () => [], loadedPrices: async () => null },
      TENANT,
      period,
      [],
    );
    return suggestedPrices.flatMap(({ evidence: { recorded_usd, tokens, unpriced_invocations } }) => [
      Number(recorded_usd),
      ...tokens.map(({ count }) => count),
      unpriced_invocations,
    ]);
  };

export interface Comparing {
  readonly period: Interval;
  readonly by: readonly Grouping[];
  /** Bills that the attacker imported. */
  readonly bills: readonly BilledDay[];
}

/** Queries the comparison of bills and records. */
export const askReconciliation =
  ({ period, by, bills }: Comparing): Inquiry =>
  async (rollups) => {
    const days = async (_tenantId: string, wanted: readonly string[]) =>
      bills.filter(({ day }) => wanted.includes(day));
    const { rows, totals } = await compare(
      { rollups, bills: { days }, contractPrices: async () => [], loadedPrices: async () => null },
      TENANT,
      period,
      by,
    );
    return [...rows.map(({ sums }) => sums), totals].flatMap(recordedSums);
  };
