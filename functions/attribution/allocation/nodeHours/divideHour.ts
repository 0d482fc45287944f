import {
  LINE_CREDENTIALS_MAXIMUM,
  type NodeHourEnergy,
  type NodeHourLine,
  type NodeHourShare,
} from '../../../../schemas/attribution/nodeHours.ts';
import type { NodePool } from '../../../../schemas/attribution/nodePools.ts';
import { HOUR_MS } from '../../../../schemas/durations.ts';
import { formatFixedPoint } from '../../../../schemas/fixedPoint.ts';
import { type CallUse, type HourRate, usesOf } from '../../../impact/price/nodePools.ts';
import { toIso } from '../../../platform/shared/time/toIso.ts';

const SECOND_MS = 1_000;

/** A pool with the weights of its tokens. */
type Weighted = Pick<NodePool, 'weights'>;

/** Sums over the calls of a pool in one hour. They do not depend on the order of the calls. */
export interface HourSums {
  calls: number;
  withoutTokens: number;
  withoutDuration: number;
  /** Weighted tokens: as they divide the cost, then under other weightings. Units of 1e-12. */
  tokens: readonly bigint[];
  /** Units of 1e-12. */
  seconds: bigint;
  /** For each second of the hour, the milliseconds in which calls ran, summed over the calls. */
  readonly running: number[];
}

export const noSums = (): HourSums => ({
  calls: 0,
  withoutTokens: 0,
  withoutDuration: 0,
  tokens: [],
  seconds: 0n,
  running: new Array<number>(HOUR_MS / SECOND_MS).fill(0),
});

/** Adds what ran from `start` to `end` to the seconds of the hour. What runs on after its end is left out. */
const addRun = (running: number[], start: number, end: number): void => {
  for (let at = start; at < Math.min(end, HOUR_MS); ) {
    const second = Math.floor(at / SECOND_MS);
    const next = Math.min(end, (second + 1) * SECOND_MS);
    running[second] = (running[second] ?? 0) + next - at;
    at = next;
  }
};

/** Adds a call that began `offset` milliseconds after the start of the hour. Updates in place: an hour has many calls. */
export const addCall = (sums: HourSums, pool: Weighted, use: CallUse, offset: number): void => {
  const tokens = usesOf(use, pool, 'tokens');
  const [seconds] = usesOf(use, pool, 'seconds');
  sums.calls += 1;
  if (tokens.length === 0) sums.withoutTokens += 1;
  else sums.tokens = tokens.map((own, index) => own + (sums.tokens[index] ?? 0n));
  if (use.milliseconds === null || seconds === undefined) {
    sums.withoutDuration += 1;
    return;
  }
  sums.seconds += seconds;
  // A call that took less than a millisecond ran all the same.
  addRun(sums.running, offset, offset + Math.max(use.milliseconds, 1));
};

/** How the cost of an hour is divided. Amounts and uses in units of 1e-12. */
export interface Division {
  readonly cost: bigint;
  /** What calls pay. The rest is idle. */
  readonly charged: bigint;
  /** The energy of the nodes, and its part that calls used. Null if the power of the nodes is not stated. */
  readonly energy: { readonly whole: bigint; readonly charged: bigint } | null;
  readonly busy: NodeHourShare['busy'];
  readonly measure: NodeHourShare['measure'];
  /** The use of all calls: as it divides the cost, then under other weightings. */
  readonly wholes: readonly bigint[];
  readonly calls: number;
  readonly unmeasured: number;
}

/**
 * Divides the cost of an hour into what its calls pay and what nobody used. Nodes are busy in the seconds in which calls ran, as
 * many of them as there were calls at once. Where a call has no duration, nothing says how long nodes were idle, and the calls
 * pay the whole hour. An hour without measured work is idle.
 */
export const divideHour = ({ nodes, cost, energy }: HourRate, sums: HourSums): Division => {
  const isByTokens = sums.withoutTokens <= sums.withoutDuration;
  const wholes = isByTokens ? sums.tokens : [sums.seconds];
  const busy = sums.withoutDuration > 0 ? 'whole_hour' : 'busy_time';
  const ran = sums.running.reduce((sum, milliseconds) => sum + Math.min(milliseconds, SECOND_MS * nodes), 0);
  const usedOf = (whole: bigint): bigint => {
    if ((wholes[0] ?? 0n) === 0n) return 0n;
    return busy === 'whole_hour' ? whole : (whole * BigInt(ran)) / BigInt(HOUR_MS * nodes);
  };
  return {
    cost,
    charged: usedOf(cost),
    energy: energy === null ? null : { whole: energy, charged: usedOf(energy) },
    busy,
    measure: isByTokens ? 'tokens' : 'seconds',
    wholes,
    calls: sums.calls,
    unmeasured: isByTokens ? sums.withoutTokens : sums.withoutDuration,
  };
};

const part = (amount: bigint, use: bigint, whole: bigint): bigint =>
  whole === 0n ? 0n : (amount * use) / whole;

const smaller = (one: bigint, other: bigint): bigint => (one < other ? one : other);
const larger = (one: bigint, other: bigint): bigint => (one > other ? one : other);

const energyOf = (
  { whole, charged }: NonNullable<Division['energy']>,
  { central, low, high }: { readonly central: string; readonly low: string; readonly high: string },
): NodeHourEnergy => ({
  ...{ hour_wh: formatFixedPoint(whole), charged_wh: formatFixedPoint(charged) },
  ...{ wh: central, low, high },
});

/** The cost of a call, and how it came about. */
export interface DividedCost {
  readonly usd: string;
  readonly share: NodeHourShare;
}

/**
 * The share of a call, where `before` is the use of the calls before it, and the use up to it. The running sum is rounded, not
 * each share: so shares sum to what is charged, to the last digit, in one pass over any number of calls. Null: its use is
 * not known.
 */
export const shareOf = (
  division: Division,
  { pool, hour }: { readonly pool: Weighted & { readonly name: string }; readonly hour: number },
  use: CallUse,
  before: bigint,
): { readonly divided: DividedCost | null; readonly upTo: bigint } => {
  const { cost, charged, energy, busy, measure, wholes, calls, unmeasured } = division;
  const uses = usesOf(use, pool, measure);
  const [own] = uses;
  const [whole = 0n] = wholes;
  if (own === undefined) return { divided: null, upTo: before };
  // A call that came after the sums takes from those behind it, so that all of them never get more than is charged.
  const upTo = smaller(before + own, whole);
  const partOf = (amount: bigint) => {
    const central = part(amount, upTo, whole) - part(amount, before, whole);
    const bounds = uses.map((other, index) => part(amount, other, wholes[index] ?? 0n));
    return {
      central: formatFixedPoint(central),
      // The calls without a known use did a part of the work. It is taken for the mean of the others.
      low: formatFixedPoint(part(bounds.reduce(smaller, central), BigInt(calls - unmeasured), BigInt(calls))),
      high: formatFixedPoint(bounds.reduce(larger, central)),
    };
  };
  const { central: usd, low, high } = partOf(charged);
  const share = {
    pool: pool.name,
    hour: toIso(hour),
    hour_usd: formatFixedPoint(cost),
    charged_usd: formatFixedPoint(charged),
    busy,
    measure,
    use: formatFixedPoint(own),
    whole_use: formatFixedPoint(whole),
    ...{ low, high },
    ...(energy !== null && { energy: energyOf(energy, partOf(energy.charged)) }),
  };
  return { divided: { usd, share }, upTo };
};

/** What the calls of each credential pay, by its id. Amounts in units of 1e-12. */
export type ChargedByCredential = Record<string, { readonly calls: number; readonly charged: bigint }>;

/** The credentials whose calls pay most. */
export const highestOf = (charged: ChargedByCredential, most: number): ChargedByCredential =>
  Object.fromEntries(
    Object.entries(charged)
      .toSorted(([, one], [, other]) => (one.charged < other.charged ? 1 : -1))
      .slice(0, most),
  );

/** Whoever invents use makes the shares of all others smaller, which nothing but this shows. */
const credentialsOf = (charged: ChargedByCredential): NonNullable<NodeHourLine['credentials']> =>
  Object.entries(highestOf(charged, LINE_CREDENTIALS_MAXIMUM)).map(([id, { calls, charged: usd }]) => ({
    id,
    calls,
    charged_usd: formatFixedPoint(usd),
  }));

/** The line of a pool and hour, from the calls that were recorded at `asOf` (epoch milliseconds). */
export const lineOf = (
  division: Division & { readonly byCredential: ChargedByCredential },
  pool: string,
  hour: number,
  asOf: number,
): NodeHourLine => {
  const { cost, charged, energy, busy, measure, calls, unmeasured, byCredential } = division;
  return {
    pool,
    hour: toIso(hour),
    cost_usd: formatFixedPoint(cost),
    charged_usd: formatFixedPoint(charged),
    idle_usd: formatFixedPoint(cost - charged),
    ...(energy !== null && {
      energy_wh: formatFixedPoint(energy.whole),
      idle_wh: formatFixedPoint(energy.whole - energy.charged),
    }),
    busy,
    measure,
    calls,
    unmeasured_calls: unmeasured,
    credentials: credentialsOf(byCredential),
    as_of: toIso(asOf),
  };
};
