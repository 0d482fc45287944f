import * as z from 'zod';
import { AnswerState, Interpretation, OutputState } from '../attribution/attributionRecord.ts';
import { PathwayCategory } from '../ingest/invocationEvent.ts';

/** Grains of a rollup. Each is the sum of the next finer grain. */
export const rollupGrains = ['minute', 'hour', 'day'] as const;
export type RollupGrain = (typeof rollupGrains)[number];

/** A sum of decimal strings. It allows more digits than `DecimalString`, so that no sum overflows. */
export const Total = z
  .string()
  .regex(/^(?:0|[1-9]\d{0,29})(?:\.\d{1,12})?$/)
  .meta({ id: 'Total' });

/** A difference of two sums, or a sum of them. */
export const Difference = z
  .string()
  .regex(/^-?(?:0|[1-9]\d{0,29})(?:\.\d{1,12})?$/)
  .meta({ id: 'Difference' });

/**
 * A summed quantity with its range. Lows and highs are added directly, because the error is the same for all calls of a
 * model.
 */
export const Quantity = z.object({
  low: Total,
  central: Total,
  high: Total,
  /** Records whose quantity is unknown. The sums do not include them. */
  unknown: z.int(),
});
export type Quantity = z.infer<typeof Quantity>;

/**
 * Maximum person hashes of a rollup (k). With fewer hashes the count of distinct persons is exact. Otherwise it is an
 * estimate from the k smallest hashes (k minimum values, Bar-Yossef et al. 2002). Its standard error is 1/√126, about 9 %.
 */
export const PERSONS_MAXIMUM = 128;

/** Sums of the calls with one status. */
const OutcomeFigures = z.object({
  invocations: z.int(),
  /** Calls with a known cost above zero. */
  paid: z.int(),
  cost_usd: Quantity,
});
export type OutcomeFigures = z.infer<typeof OutcomeFigures>;

/** Sums of the calls that did not end well, by `status`. Absent: no call. Few fail, and each group stores this. */
const Outcomes = z.object({
  /** Calls whose status was read, whatever it is. */
  examined: z.int(),
  error: OutcomeFigures.optional(),
  incomplete: OutcomeFigures.optional(),
});
export type Outcomes = z.infer<typeof Outcomes>;

export const NO_OUTCOMES: Outcomes = { examined: 0 };

/**
 * Numbers of input tokens above which published prices of models rise. Price tables differ by one on whether a call of exactly so
 * many pays more.
 */
export const CONTEXT_LENGTHS = [128_000, 200_000, 256_000, 272_000, 512_000] as const;
export type ContextLength = `${(typeof CONTEXT_LENGTHS)[number]}`;
/** A call is just above a length if it reads at most so many percent of it. */
export const JUST_ABOVE_PERCENT = 125;

/** Sums of the calls that read just more than a number of tokens. */
const JustAbove = z.object({
  invocations: z.int(),
  cost_usd: Quantity,
  input_tokens: z.int(),
  cached_input_tokens: z.int(),
  cache_write_tokens: z.int(),
  output_tokens: z.int(),
});
export type JustAbove = z.infer<typeof JustAbove>;

/** The calls that read more than a number of tokens, and those of them that are just above it. Absent: no call. */
const AboveLength = z.object({ invocations: z.int(), just_above: JustAbove.optional() });
export type AboveLength = z.infer<typeof AboveLength>;

const LongCalls = z.object({
  /** Calls whose length was read, whatever it is. */
  examined: z.int(),
  above: z.partialRecord(z.enum(CONTEXT_LENGTHS.map((length) => `${length}` as const)), AboveLength),
});
export type LongCalls = z.infer<typeof LongCalls>;

export const NO_LONG_CALLS: LongCalls = { examined: 0, above: {} };

/** Sums of a set of records. */
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
  /** The smallest hashes of the persons that the records name, ascending. */
  persons: z.array(z.string()).max(PERSONS_MAXIMUM),
  /** Records that name no person. */
  impersonal: z.int(),
  /** Records whose cost waits for a confirmation. Absent in sums that were stored before they were counted. */
  implausible: z.int().default(0),
  /** Absent in sums that were stored before the status was read. */
  outcomes: Outcomes.default(NO_OUTCOMES),
  /** Absent in sums that were stored before the length of calls was read. */
  long_calls: LongCalls.default(NO_LONG_CALLS),
});
export type Figures = z.infer<typeof Figures>;

const StoredDimensions = z.object({
  owner: z.string().nullable(),
  service: z.string().nullable(),
  provider: z.string(),
  served_model: z.string(),
  pathway_category: PathwayCategory,
  /** Absent in sums that were stored before regions were told apart. */
  region: z.string().nullable().default(null),
  residency: z.string().nullable(),
  /** The tags of the call that a budget names. */
  tags: z.array(z.string()),
  /** The value of each cost allocation tag that was in force on the day of the call, by key. Null: the call has none. */
  cost_allocation_tags: z.record(z.string(), z.string().nullable()).default({}),
  output_state: OutputState,
  confidence_band: Interpretation.shape.confidence_band,
  /** Absent in sums that were stored before the two answers were told apart. */
  owner_state: AnswerState.optional(),
  service_state: AnswerState.optional(),
});

/** The state of an answer in sums without it. It was one for the whole record. */
const stateIn = (
  name: string | null,
  { output_state, confidence_band }: z.infer<typeof StoredDimensions>,
): AnswerState => {
  if (name === null) return output_state === 'allocated' ? 'allocated' : 'unassigned';
  return confidence_band === 'chargeback_ready' ? 'confirmed' : 'provisional';
};

/**
 * Dimensions that records are grouped by. The sorted tags of a record that budgets name are one dimension. States and band
 * are dimensions, so that the persons of each state are known: suppression then hides a rare state and shows the others.
 */
export const Dimensions = StoredDimensions.transform((stored) => ({
  ...stored,
  owner_state: stored.owner_state ?? stateIn(stored.owner, stored),
  service_state: stored.service_state ?? stateIn(stored.service, stored),
}));
export type Dimensions = z.infer<typeof Dimensions>;

export const RollupGroup = z.object({ dimensions: Dimensions, figures: Figures });
export type RollupGroup = z.infer<typeof RollupGroup>;

/** Sums of one UTC minute, hour or day, by group. */
export interface Rollup {
  /** Epoch milliseconds. */
  readonly start: number;
  readonly grain: RollupGrain;
  /** When it was computed, epoch milliseconds. It includes all records that were in the ledger at that time. */
  readonly asOf: number;
  readonly groups: readonly RollupGroup[];
}

/**
 * Minutes of a tenant's ledger that changed and must be aggregated again. The stored marks say which of them are left, so a
 * message that is received again, or late, does no work twice.
 */
export const RollupMessage = z.object({
  tenant_id: z.string(),
  /** Minutes since the epoch. */
  minutes: z.array(z.int()).min(1),
  /** The ledger shard to sum. Without it, all of them. */
  shard: z.int().optional(),
  /** Keys of the pending marks that are removed after these minutes are summed. A message is sent with at most one. */
  marks: z.array(z.string()).default([]),
  /** How many messages have continued the mark before. A message of an earlier turn than that of the mark is void. */
  turn: z.int().optional(),
});
export type RollupMessage = z.infer<typeof RollupMessage>;

/** A period of a tenant whose rollups must be compared with the ledger. */
export const TotalsCheckMessage = z.object({
  tenant_id: z.string(),
  check: z.object({
    /** Whole UTC minutes, epoch milliseconds, `to` excluded. */
    from: z.int(),
    to: z.int(),
    /** Whether an earlier check found a difference. A difference that remains is a fault. */
    isRepeated: z.boolean(),
  }),
});
export type TotalsCheckMessage = z.infer<typeof TotalsCheckMessage>;

/** A message of the rollups queue. */
export const RollupsQueueMessage = z.union([RollupMessage, TotalsCheckMessage]);
export type RollupsQueueMessage = z.infer<typeof RollupsQueueMessage>;

/** The message of the log line for each repair of totals. An alarm counts these lines. */
export const REPAIRED = 'totals repaired';
