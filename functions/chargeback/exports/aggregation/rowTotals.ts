import * as z from 'zod';
import { formatFixedPoint, parseDifference, StoredFixedPoint } from '../../../../schemas/fixedPoint.ts';
import type { Database } from '../lines/database.ts';
import type { Sql } from '../lines/sql.ts';
import { addRecordTotals, type RecordTotals, StoredRecordTotals, zeroTotals } from './recordTotals.ts';

/** Sums of the rows without an owner, and of those without a service. */
interface Unassigned {
  readonly owner: RecordTotals;
  readonly service: RecordTotals;
}

const NOTHING_UNASSIGNED: Unassigned = { owner: zeroTotals, service: zeroTotals };

/** Sums over the rows of an export. */
export interface RowTotals {
  readonly sum: RecordTotals;
  /** The sum of ListCost, in units of 1e-12 USD. */
  readonly listCost: bigint;
  readonly unassigned: Unassigned;
  readonly rows: number;
  readonly consumed: readonly { readonly unit: string; readonly quantity: string }[];
}

/** JSON form of row totals in work documents. */
export const StoredRowTotals = z.object({
  sum: StoredRecordTotals,
  listCost: StoredFixedPoint,
  unassigned: z
    .object({ owner: StoredRecordTotals, service: StoredRecordTotals })
    .default(NOTHING_UNASSIGNED),
  rows: z.int(),
  consumed: z.array(z.object({ unit: z.string(), quantity: z.string() })),
});

const sumOf = (condition: Sql): Sql => `{
  records: coalesce(sum(records) FILTER (${condition}), 0)::DOUBLE,
  cost_usd: amount_text(coalesce(sum(cost) FILTER (${condition}), 0)),
  energy_wh: amount_text(coalesce(sum(energy) FILTER (${condition}), 0)),
  carbon_gco2e: amount_text(coalesce(sum(carbon) FILTER (${condition}), 0))
}`;

const TOTALS: Sql = `
  SELECT count(*)::UINTEGER AS rows, ${sumOf('true')} AS sum,
    amount_text(coalesce(sum(listCost), 0)) AS listCost,
    {owner: ${sumOf(`ownerState = 'unassigned'`)}, service: ${sumOf(`serviceState = 'unassigned'`)}} AS unassigned,
    (SELECT coalesce(list({unit: unit, quantity: amount_text(quantity)} ORDER BY unit), [])
      FROM (SELECT consumedUnit AS unit, sum(consumed) AS quantity FROM charges GROUP BY unit)) AS consumed
  FROM charges`;

/** The totals of the view `charges`. */
export const readRowTotals = async ({ rows }: Database): Promise<RowTotals> =>
  mergeTotals(await rows(TOTALS, StoredRowTotals));

/** Merges the row totals of several write steps. */
export const mergeTotals = (all: readonly RowTotals[]): RowTotals => {
  const consumed = new Map<string, bigint>();
  for (const { unit, quantity } of all.flatMap((totals) => totals.consumed)) {
    consumed.set(unit, (consumed.get(unit) ?? 0n) + parseDifference(quantity));
  }
  return {
    sum: all.reduce((sum, totals) => addRecordTotals(sum, totals.sum), zeroTotals),
    listCost: all.reduce((sum, { listCost }) => sum + listCost, 0n),
    unassigned: all.reduce(
      (sum, { unassigned }) => ({
        owner: addRecordTotals(sum.owner, unassigned.owner),
        service: addRecordTotals(sum.service, unassigned.service),
      }),
      NOTHING_UNASSIGNED,
    ),
    rows: all.reduce((sum, { rows }) => sum + rows, 0),
    consumed: [...consumed]
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([unit, quantity]) => ({ unit, quantity: formatFixedPoint(quantity) })),
  };
};
