import * as z from 'zod';
import type { AttributionRecord } from '../../../../schemas/attribution/attributionRecord.ts';
import { ExportSums } from '../../../../schemas/chargeback/exportSums.ts';
import { formatFixedPoint, parseDifference, parseFixedPoint } from '../../../../schemas/fixedPoint.ts';

/** Sums over records, in units of 1e-12 USD, Wh and gCO2e. Unknown quantities are in no sum. */
export interface RecordTotals {
  readonly records: number;
  readonly cost: bigint;
  readonly energy: bigint;
  readonly carbon: bigint;
}

export const zeroTotals: RecordTotals = { records: 0, cost: 0n, energy: 0n, carbon: 0n };

export const addRecordTotals = (one: RecordTotals, other: RecordTotals): RecordTotals => ({
  records: one.records + other.records,
  cost: one.cost + other.cost,
  energy: one.energy + other.energy,
  carbon: one.carbon + other.carbon,
});

export const recordTotalsOf = (
  record: Pick<AttributionRecord, 'cost_usd' | 'energy_wh' | 'carbon_gco2e'>,
): RecordTotals => ({
  records: 1,
  cost: parseFixedPoint(record.cost_usd ?? '0'),
  energy: parseFixedPoint(record.energy_wh ?? '0'),
  carbon: parseFixedPoint(record.carbon_gco2e ?? '0'),
});

export const isEqual = (one: RecordTotals, other: RecordTotals): boolean =>
  one.records === other.records &&
  one.cost === other.cost &&
  one.energy === other.energy &&
  one.carbon === other.carbon;

export const toExportSums = ({ records, cost, energy, carbon }: RecordTotals): ExportSums => ({
  records,
  cost_usd: formatFixedPoint(cost),
  energy_wh: formatFixedPoint(energy),
  carbon_gco2e: formatFixedPoint(carbon),
});

export const fromExportSums = ({ records, cost_usd, energy_wh, carbon_gco2e }: ExportSums): RecordTotals => ({
  records,
  cost: parseDifference(cost_usd),
  energy: parseDifference(energy_wh),
  carbon: parseDifference(carbon_gco2e),
});

/** JSON form of record totals. */
export const StoredRecordTotals = z.codec(ExportSums, z.custom<RecordTotals>(), {
  decode: fromExportSums,
  encode: toExportSums,
});
