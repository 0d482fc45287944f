import { blocksOf } from '../../../functions/chargeback/reconciliation/comparison/blocks.ts';
import { suggestPrices } from '../../../functions/chargeback/reconciliation/prices/suggestPrices.ts';
import type { BilledDay } from '../../../functions/chargeback/reconciliation/rows/bill.ts';
import { cohortsOf } from '../../../functions/ledger/cohorts/cohorts.ts';
import { PersonIndex, personsIn } from '../../../functions/ledger/cohorts/persons.ts';
import type { ContractPrices } from '../../../schemas/attribution/contractPrices.ts';
import type { SuggestedPrice, TokenKind } from '../../../schemas/chargeback/suggestedPrices.ts';
import type { Rollup } from '../../../schemas/ledger/rollup.ts';

export const MODEL = 'gpt-4o-2024-08-06';
export const MILLION = 1_000_000;

/** A row of a bill. */
export type Row = readonly [kind: TokenKind | null, count: number, cost: string];
/** The bill of a model on a day. */
export const aBill = (day: string, rows: readonly Row[], model = 'gpt-4o'): BilledDay => ({
  provider: 'openai',
  model,
  day,
  rows: rows.map(([kind, count, cost]) => ({
    cost,
    usage: true,
    end: Date.parse(day),
    at: 1,
    ...(kind && { tokens: { kind, count } }),
  })),
});
/** The prices that these rollups and bills suggest. */
export const suggest = (
  rollups: readonly Rollup[],
  bills: readonly BilledDay[],
  contractPrices: ContractPrices | null = [],
): SuggestedPrice[] => {
  const days = rollups.map((rollup) => ({ start: rollup.start, rollups: [rollup] }));
  return suggestPrices(
    blocksOf(cohortsOf(new PersonIndex('acme', personsIn(rollups)), days), bills, new Map()),
    contractPrices,
  );
};
