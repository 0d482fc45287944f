import * as z from 'zod';
import { picoOf } from '../../../schemas/attribution/allocation.ts';
import type { AttributionRecord } from '../../../schemas/attribution/attributionRecord.ts';
import { ExportSums } from '../../../schemas/focus.ts';
import { fromPico } from '../../shared/largestRemainder.ts';

/** What some records sum to, in picos (1e-12) of USD, Wh and gCO2e. What is not known is in no sum. */
export interface Tally {
  readonly records: number;
  readonly cost: bigint;
  readonly energy: bigint;
  readonly carbon: bigint;
}

export const nothing: Tally = { records: 0, cost: 0n, energy: 0n, carbon: 0n };

export const addTallies = (one: Tally, other: Tally): Tally => ({
  records: one.records + other.records,
  cost: one.cost + other.cost,
  energy: one.energy + other.energy,
  carbon: one.carbon + other.carbon,
});

export const tallyOf = (
  record: Pick<AttributionRecord, 'cost_usd' | 'energy_wh' | 'carbon_gco2e'>,
): Tally => ({
  records: 1,
  cost: picoOf(record.cost_usd ?? '0'),
  energy: picoOf(record.energy_wh ?? '0'),
  carbon: picoOf(record.carbon_gco2e ?? '0'),
});

export const isSame = (one: Tally, other: Tally): boolean =>
  one.records === other.records &&
  one.cost === other.cost &&
  one.energy === other.energy &&
  one.carbon === other.carbon;

export const sumsOf = ({ records, cost, energy, carbon }: Tally): ExportSums => ({
  records,
  cost_usd: fromPico(cost),
  energy_wh: fromPico(energy),
  carbon_gco2e: fromPico(carbon),
});

export const tallyOfSums = ({ records, ...quantities }: ExportSums): Tally => ({
  ...tallyOf(quantities),
  records,
});

/** A tally as JSON. */
export const StoredTally = z.codec(ExportSums, z.custom<Tally>(), { decode: tallyOfSums, encode: sumsOf });
