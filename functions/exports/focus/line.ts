import * as z from 'zod';
import { StoredFixedPoint } from '../aggregation/fixedPoint.ts';

/** The price a line was charged at. Quantity times price is its cost, exactly. */
const Price = z.object({
  meter: z.enum(['input', 'cached_input', 'cache_write', 'output', 'reasoning', 'request', 'total']),
  /** `millions`: USD per million tokens. `each`: USD per request; a stated cost is the price of one. */
  per: z.enum(['millions', 'each']),
  /** USD, a decimal string. */
  unit: z.string(),
  /** Price list and version, or the producer. */
  list: z.string(),
  /** `other` is a service tier at a multiple of the list price; `stated` a cost without a price behind it. */
  terms: z.enum(['on-demand', 'other', 'stated']),
});
export type Price = z.infer<typeof Price>;

/** Whom stage C let bear a part of a record nobody was named for. */
const Split = z.object({ method: z.string(), ratio: z.string(), bearer: z.string().nullable() });

/** What all calls behind a line have in common; two lines that share all of it are one. */
export const LineKey = z.object({
  /** The charge period, epoch milliseconds; `end` is excluded. */
  start: z.int(),
  end: z.int(),
  owner: z.string().nullable(),
  service: z.string().nullable(),
  /** In the spelling that prices are found by. */
  provider: z.string(),
  model: z.string(),
  servedModel: z.string(),
  pathway: z.string().nullable(),
  region: z.string().nullable(),
  /** The call itself, where a row is one call. */
  requestedModel: z.string().nullable(),
  recordId: z.string().nullable(),
  invocationId: z.string().nullable(),
  price: Price,
  consumed: z.enum(['Tokens', 'Requests']),
  /** Methods behind energy and carbon; null where the figure is unknown, so that it is never merged with a known one. */
  energyMethod: z.string().nullable(),
  carbonMethod: z.string().nullable(),
  split: Split.nullable(),
  /** The parent that groups of too few persons were folded into. */
  rollup: z.enum(['Service', 'Provider', 'Tenant']).nullable(),
});
export type LineKey = z.infer<typeof LineKey>;

/** What lines sum to, in picos (1e-12) of a token or request, a priced unit, USD, Wh and gCO2e. */
export interface Amounts {
  readonly consumed: bigint;
  readonly priced: bigint;
  readonly cost: bigint;
  /** Zero where the key names no method. */
  readonly energy: bigint;
  readonly carbon: bigint;
  /** The lowest operational confidence. */
  readonly confidence: number;
}

/** A row to be, before it has columns: one meter of one call, or of all calls alike. */
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
});

/** A key as text: equal for equal keys, and earlier for earlier charge periods. */
export const lineSortKey = ({ price, split, ...key }: LineKey): string =>
  JSON.stringify([
    key.start,
    key.end,
    key.rollup,
    key.service,
    key.owner,
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
    split === null ? null : [split.method, split.ratio, split.bearer],
  ]);

/** A line as JSON, for parts that wait in store. */
export const StoredLine = z.object({
  key: LineKey,
  amounts: z.object({
    consumed: StoredFixedPoint,
    priced: StoredFixedPoint,
    cost: StoredFixedPoint,
    energy: StoredFixedPoint,
    carbon: StoredFixedPoint,
    confidence: z.number(),
  }),
});
