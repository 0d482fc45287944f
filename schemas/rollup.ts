import * as z from 'zod';
import { Interpretation, OutputState } from './attribution/attributionRecord.ts';
import { PathwayCategory } from './ingestion/invocationEvent.ts';

/** Grains of a rollup: each is the sum of those below it. */
export const rollupGrains = ['minute', 'hour', 'day'] as const;
export type RollupGrain = (typeof rollupGrains)[number];

/** A sum of decimal strings of the contract. Wider than one of them, so that no sum overflows. */
export const Total = z.string().regex(/^(?:0|[1-9]\d{0,29})(?:\.\d{1,12})?$/);

/** A summed quantity with its range: errors are the same for all calls of a model, so lows and highs are added as they are. */
export const Quantity = z.object({
  low: Total,
  central: Total,
  high: Total,
  /** Records whose quantity is not known; they are in no sum. */
  unknown: z.int(),
});
export type Quantity = z.infer<typeof Quantity>;

/** Records of one kind, and what of their cost is known. */
export const InvocationTotals = z.object({ invocations: z.int(), cost_usd: Total });
export type InvocationTotals = z.infer<typeof InvocationTotals>;

/**
 * Persons a rollup remembers at most: below that a count of distinct persons is exact, beyond it an estimate from the
 * smallest hashes (k minimum values; Bar-Yossef et al. 2002), whose standard error is 1/√126, about 9 %.
 */
export const PERSONS_MAXIMUM = 128;

/** What a set of records sums to. */
export const Figures = z.object({
  invocations: z.int(),
  cost_usd: Quantity,
  energy_wh: Quantity,
  carbon_gco2e: Quantity,
  input_tokens: z.int(),
  cached_input_tokens: z.int(),
  cache_write_tokens: z.int(),
  output_tokens: z.int(),
  reasoning_tokens: z.int(),
  states: z.partialRecord(OutputState, InvocationTotals),
  bands: z.partialRecord(Interpretation.shape.confidence_band, InvocationTotals),
  /** Hashes of the persons that the records name, ascending: the smallest ones. */
  persons: z.array(z.string()).max(PERSONS_MAXIMUM),
  /** Records that name no person. */
  impersonal: z.int(),
});
export type Figures = z.infer<typeof Figures>;

/** What records are grouped by. The tags of a record are one dimension, ascending. */
export const Dimensions = z.object({
  owner: z.string().nullable(),
  service: z.string().nullable(),
  provider: z.string(),
  served_model: z.string(),
  pathway_category: PathwayCategory,
  residency: z.string().nullable(),
  tags: z.array(z.string()),
});
export type Dimensions = z.infer<typeof Dimensions>;

export const RollupGroup = z.object({ dimensions: Dimensions, figures: Figures });
export type RollupGroup = z.infer<typeof RollupGroup>;

/** What happened in one minute, hour or day of UTC, by group. */
export interface Rollup {
  /** Epoch milliseconds. */
  readonly start: number;
  readonly grain: RollupGrain;
  /** When it was computed, epoch milliseconds: everything that was in the ledger then is in it. */
  readonly asOf: number;
  readonly groups: readonly RollupGroup[];
}

/** What has changed in a tenant's ledger and must be summed anew. */
export const RollupMessage = z.object({
  tenant_id: z.string(),
  /** Minutes since the epoch. */
  minutes: z.array(z.int()).min(1),
});
export type RollupMessage = z.infer<typeof RollupMessage>;
