import * as z from 'zod';
import { type ExclusionReason, exclusionReasons } from '../../../../schemas/chargeback/focus.ts';
import type { Month } from '../../../platform/shared/time/month.ts';
import { addRecordTotals, type RecordTotals, StoredRecordTotals, zeroTotals } from './recordTotals.ts';

export type ExcludedTotals = ReadonlyMap<ExclusionReason, RecordTotals>;

/** By what the calls of a closed month have changed since it was booked. */
export interface CorrectedTotals {
  readonly ledger: RecordTotals;
  readonly idle: RecordTotals;
  readonly excluded: ExcludedTotals;
}

/** Corrections that an export books, by the month that they correct. */
export type Corrected = ReadonlyMap<Month, CorrectedTotals>;

const noCorrection: CorrectedTotals = { ledger: zeroTotals, idle: zeroTotals, excluded: new Map() };

export const addExcluded = (
  excluded: Map<ExclusionReason, RecordTotals>,
  reason: ExclusionReason,
  totals: RecordTotals,
): void => {
  excluded.set(reason, addRecordTotals(excluded.get(reason) ?? zeroTotals, totals));
};

const addCorrected = (one: CorrectedTotals, other: CorrectedTotals): CorrectedTotals => {
  const excluded = new Map(one.excluded);
  for (const [reason, totals] of other.excluded) addExcluded(excluded, reason, totals);
  return {
    ledger: addRecordTotals(one.ledger, other.ledger),
    idle: addRecordTotals(one.idle, other.idle),
    excluded,
  };
};

export const mergeCorrected = (all: readonly Corrected[]): Corrected => {
  const merged = new Map<Month, CorrectedTotals>();
  for (const [month, totals] of all.flatMap((corrected) => [...corrected]))
    merged.set(month, addCorrected(merged.get(month) ?? noCorrection, totals));
  return merged;
};

/** The sum of what is corrected in all months. */
export const allCorrected = (corrected: Corrected): CorrectedTotals =>
  [...corrected.values()].reduce(addCorrected, noCorrection);

export const signedTotals = ({ records, cost, energy, carbon }: RecordTotals, sign: 1 | -1): RecordTotals => {
  const factor = BigInt(sign);
  return { records: records * sign, cost: cost * factor, energy: energy * factor, carbon: carbon * factor };
};

/** JSON form of excluded totals. */
export const StoredExcludedTotals = z.codec(
  z.array(z.tuple([z.enum(exclusionReasons), StoredRecordTotals])),
  z.custom<ExcludedTotals>(),
  { decode: (entries) => new Map(entries), encode: (totals) => [...totals] },
);

/** JSON form of corrections. */
export const StoredCorrected = z.codec(
  z.array(
    z.tuple([
      z.string(),
      z.object({ ledger: StoredRecordTotals, idle: StoredRecordTotals, excluded: StoredExcludedTotals }),
    ]),
  ),
  z.custom<Corrected>(),
  { decode: (entries) => new Map(entries), encode: (corrected) => [...corrected] },
);
