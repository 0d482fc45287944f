import * as z from 'zod';
import { CostComponent } from '../../../../schemas/attribution/explanation.ts';
import { StoredFixedPoint } from '../../../../schemas/fixedPoint.ts';

/** The price of a line. Priced quantity times unit price equals the cost exactly. */
const Price = z.object({
  meter: CostComponent.shape.kind,
  /** `millions`: USD per million tokens. `each`: USD per request. A stated cost is the price of one request. */
  per: z.enum(['millions', 'each']),
  /** USD, a decimal string. */
  unit: z.string(),
  /** Price list with its version, or the producer. */
  list: z.string(),
  /** `other`: a service tier at a multiple of the list price. `stated`: a cost without a unit price. */
  terms: z.enum(['on-demand', 'other', 'stated']),
});
export type Price = z.infer<typeof Price>;

/** Part of an unattributed record that stage C allocated. `recipient` is the owner that pays for it; null: unallocated. */
const Split = z.object({ method: z.string(), ratio: z.string(), recipient: z.string().nullable() });

/**
 * Whether the owner or service of a line is named surely enough to be charged, open, or hidden by suppression. Null: lines
 * are not grouped by it. Execution documents of release 0.1 do not state it.
 */
const Assignment = z.enum(['confirmed', 'unassigned', 'hidden']).nullable().default(null);

/** Grouping key of a line. Lines with equal keys are merged. */
export const LineKey = z.object({
  /** The charge period. Epoch milliseconds, `end` excluded. */
  start: z.int(),
  end: z.int(),
  owner: z.string().nullable(),
  service: z.string().nullable(),
  ownerState: Assignment,
  serviceState: Assignment,
  /** Normalized provider, as price lookup uses it. */
  provider: z.string(),
  model: z.string(),
  servedModel: z.string(),
  pathway: z.string().nullable(),
  region: z.string().nullable(),
  /** The following three are set only when a row is a single call. */
  requestedModel: z.string().nullable(),
  recordId: z.string().nullable(),
  invocationId: z.string().nullable(),
  price: Price,
  consumed: z.enum(['Tokens', 'Requests']),
  /** Methods of energy and carbon. Null when the figure is unknown, so that known and unknown figures are never merged. */
  energyMethod: z.string().nullable(),
  carbonMethod: z.string().nullable(),
  split: Split.nullable(),
  /** The parent level into which a group of too few persons was merged. */
  rollup: z.enum(['Service', 'Provider', 'Tenant']).nullable(),
});
export type LineKey = z.infer<typeof LineKey>;

/** Sums of lines in units of 1e-12: tokens or requests, priced units, USD, Wh and gCO2e. */
export interface Amounts {
  readonly consumed: bigint;
  readonly priced: bigint;
  readonly cost: bigint;
  /** Zero when the key names no method. The same holds for `carbon`. */
  readonly energy: bigint;
  readonly carbon: bigint;
  /** The lowest operational confidence. */
  readonly confidence: number;
  /** Each record counts in one of its lines. */
  readonly records: number;
}

/** A row before it is mapped to columns: one meter of one call, or of all calls with the same key. */
export interface Line {
  readonly key: LineKey;
  readonly amounts: Amounts;
}

export const addAmounts = (one: Amounts, other: Amounts): Amounts => ({
  consumed: one.consumed + other.consumed,
  priced: one.priced + other.priced,
  cost: one.cost + other.cost,
  energy: one.energy + other.energy,
  carbon: one.carbon + other.carbon,
  confidence: Math.min(one.confidence, other.confidence),
  records: one.records + other.records,
});

/** Serializes a key: equal for equal keys, and sorted by charge period first. */
export const lineSortKey = ({ price, split, ...key }: LineKey): string =>
  JSON.stringify([
    key.start,
    key.end,
    key.rollup,
    key.service,
    key.owner,
    key.serviceState,
    key.ownerState,
    key.provider,
    key.model,
    key.servedModel,
    key.pathway,
    key.region,
    key.requestedModel,
    key.recordId,
    key.invocationId,
    price.meter,
    price.per,
    price.unit,
    price.list,
    price.terms,
    key.consumed,
    key.energyMethod,
    key.carbonMethod,
    split === null ? null : [split.method, split.ratio, split.recipient],
  ]);

/** JSON form of a line in work documents. */
export const StoredLine = z.object({
  key: LineKey,
  amounts: z.object({
    consumed: StoredFixedPoint,
    priced: StoredFixedPoint,
    cost: StoredFixedPoint,
    energy: StoredFixedPoint,
    carbon: StoredFixedPoint,
    confidence: z.number(),
    records: z.int().default(0),
  }),
});
