import type { CostComponent } from '../../../../schemas/attribution/costExplanation.ts';
import type { Month } from '../../../platform/shared/time/month.ts';

/** The price of a line. Priced quantity times unit price equals the cost exactly. */
export interface Price {
  readonly meter: CostComponent['kind'];
  /** `millions`: USD per million tokens. `each`: USD per request. A stated cost is the price of one request. */
  readonly per: 'millions' | 'each';
  /** USD, the shortest decimal string. */
  readonly unit: string;
  /** The published price of the same unit in USD; null if none is known. */
  readonly listUnit: string | null;
  /** Price list with its version, or the producer. */
  readonly list: string;
  /** `other`: a service tier at a multiple of the list price. `stated`: a cost without a unit price. */
  readonly terms: 'on-demand' | 'other' | 'stated';
}

/**
 * Whether the owner or service of a line is named surely enough to be charged, open, or hidden by suppression. Null: lines
 * are not grouped by it.
 */
type Assignment = 'confirmed' | 'unassigned' | 'hidden' | null;

/** Grouping key of a line. Lines with equal keys are merged. */
export interface LineKey {
  /** The charge period. Epoch milliseconds, `end` excluded. */
  readonly start: number;
  readonly end: number;
  readonly owner: string | null;
  readonly service: string | null;
  readonly ownerState: Assignment;
  readonly serviceState: Assignment;
  /** Normalized provider, as price lookup uses it. */
  readonly provider: string;
  readonly model: string;
  readonly servedModel: string;
  readonly pathway: string | null;
  readonly region: string | null;
  /** Members of a JSON object with the values of tags; null if there are none. */
  readonly tags: string | null;
  /** The following three are set only when a row is a single call. */
  readonly requestedModel: string | null;
  readonly recordId: string | null;
  readonly invocationId: string | null;
  readonly price: Price;
  readonly consumed: 'Tokens' | 'Requests';
  /** Methods of energy and carbon. Null when the figure is unknown, so that known and unknown figures are never merged. */
  readonly energyMethod: string | null;
  readonly carbonMethod: string | null;
  /** The later month in which a correction of a closed one is billed. Absent: the month of the charge period. */
  readonly billedIn?: Month;
  /** The parent level into which a group of too few persons was merged. `Group`: only the values of tags are hidden. */
  readonly rollup: 'Group' | 'Service' | 'Provider' | 'Tenant' | null;
}

/** Sums of lines in units of 1e-12: tokens or requests, priced units, USD, Wh and gCO2e. */
export interface Amounts {
  readonly consumed: bigint;
  readonly priced: bigint;
  readonly cost: bigint;
  /** The cost at published prices. At the prices of the line where none is known. */
  readonly listCost: bigint;
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
