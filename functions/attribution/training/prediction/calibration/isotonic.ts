import * as z from 'zod';
import type { PredictionOutcome } from './predictionOutcome.ts';

/** Points of a non-decreasing curve from score to share of right predictions, by ascending score. */
export const Calibration = z.object({
  scores: z.array(z.number()),
  shares: z.array(z.number().min(0).max(1)),
});
export type Calibration = z.infer<typeof Calibration>;

/** Leaves scores as they are. */
export const UNCALIBRATED: Calibration = { scores: [0, 1], shares: [0, 1] };

interface Block {
  score: number;
  right: number;
  weight: number;
  squares: number;
}

const blockOf = (outcomes: readonly PredictionOutcome[]): Block => {
  const block = { score: 0, right: 0, weight: 0, squares: 0 };
  for (const { score, isRight, weight } of outcomes) {
    block.score += score * weight;
    block.right += isRight ? weight : 0;
    block.weight += weight;
    block.squares += weight * weight;
  }
  return block;
};

/** Smallest effective number of calls in a block. The share of a smaller block is noise (measured). */
const BLOCK_MINIMUM = 60;

const mergeBlocks = (a: Block, b: Block): Block => ({
  score: a.score + b.score,
  right: a.right + b.right,
  weight: a.weight + b.weight,
  squares: a.squares + b.squares,
});

/** Kish's effective sample size: the number of calls of equal weight with the same precision. */
const effectiveSampleSize = ({ weight, squares }: Block): number =>
  squares === 0 ? 0 : (weight * weight) / squares;

const rightShare = (block: Block): number => block.right / block.weight;

/**
 * Standard errors subtracted from an estimate. Future calls are usually harder than labelled ones, and a confidence that
 * is too high leads to a wrong charge. 0.3 prevents that when labels are uneven, and costs otherwise less than half a
 * percentage point of calibration error (measured).
 */
const CAUTION_STANDARD_ERRORS = 0.3;

/** The share of right predictions by Laplace's rule of succession, minus the caution. It never reaches 1. */
const smoothedShare = (block: Block): number => {
  const calls = effectiveSampleSize(block) + 2;
  const mean = (rightShare(block) * effectiveSampleSize(block) + 1) / calls;
  return Math.max(0, mean - CAUTION_STANDARD_ERRORS * Math.sqrt((mean * (1 - mean)) / calls));
};

/** Pool adjacent violators: merges neighbours while `violates` holds between them. */
const poolAdjacentViolators = (
  blocks: readonly Block[],
  violates: (a: Block, b: Block) => boolean,
): Block[] => {
  const stack: Block[] = [];
  for (const block of blocks) {
    let top = block;
    for (let below = stack.at(-1); below !== undefined && violates(below, top); below = stack.at(-1)) {
      stack.pop();
      top = mergeBlocks(below, top);
    }
    stack.push(top);
  }
  return stack;
};

/** Merges neighbours until each block has enough calls. An incomplete block at the upper end joins the last one. */
const mergeSmallBlocks = (blocks: readonly Block[]): Block[] => {
  const full: Block[] = [];
  let open: Block | undefined;
  for (const block of blocks) {
    open = open === undefined ? block : mergeBlocks(open, block);
    if (effectiveSampleSize(open) >= BLOCK_MINIMUM) {
      full.push(open);
      open = undefined;
    }
  }
  const last = full.pop();
  return [
    ...full,
    ...(last !== undefined && open !== undefined ? [mergeBlocks(last, open)] : [last ?? open ?? []]),
  ].flat();
};

/** Weighted isotonic regression of right predictions on scores, with a minimum block size. */
export const calibrate = (outcomes: readonly PredictionOutcome[]): Calibration => {
  const byScore = Map.groupBy(
    outcomes.filter(({ weight }) => weight > 0),
    ({ score }) => score,
  );
  const sorted = [...byScore.values()].map(blockOf).sort((a, b) => a.score / a.weight - b.score / b.weight);
  const monotone = poolAdjacentViolators(sorted, (a, b) => rightShare(a) >= rightShare(b));
  // Merging and smoothing change the shares, so monotony is restored once more.
  const blocks = poolAdjacentViolators(
    mergeSmallBlocks(monotone),
    (a, b) => smoothedShare(a) >= smoothedShare(b),
  );
  return { scores: blocks.map((block) => block.score / block.weight), shares: blocks.map(smoothedShare) };
};

/** The expected share of right predictions at a score: linear between the points of the curve, constant beyond its ends. */
export const calibrateScore = ({ scores, shares }: Calibration, score: number): number => {
  let [low, high] = [0, scores.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((scores[middle] ?? 0) <= score) low = middle + 1;
    else high = middle;
  }
  const right = shares[low];
  const left = shares[low - 1];
  if (left === undefined) return right ?? 0;
  if (right === undefined) return left;
  const [from, to] = [scores[low - 1] ?? 0, scores[low] ?? 0];
  return left + ((right - left) * (score - from)) / (to - from);
};
