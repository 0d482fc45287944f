import * as z from 'zod';
import type { PredictionOutcome } from './predictionOutcome.ts';

/** Points of a non-decreasing curve from scores to shares of right answers, by ascending score. */
export const Calibration = z.object({
  scores: z.array(z.number()),
  shares: z.array(z.number().min(0).max(1)),
});
export type Calibration = z.infer<typeof Calibration>;

interface Block {
  score: number;
  right: number;
  weight: number;
  squares: number;
}

/** Blocks stand for at least so many calls, or their share is noise (measured). */
const BLOCK_MINIMUM = 60;

const mergeBlocks = (a: Block, b: Block): Block => ({
  score: a.score + b.score,
  right: a.right + b.right,
  weight: a.weight + b.weight,
  squares: a.squares + b.squares,
});

/** Kish's effective sample size: calls of equal weight that would tell as much. */
const effectiveSampleSize = ({ weight, squares }: Block): number =>
  squares === 0 ? 0 : (weight * weight) / squares;

const rightShare = (block: Block): number => block.right / block.weight;

/**
 * Standard errors that an estimate stays below what was seen. Calls to come are seldom as easy as those that were
 * labelled, and a confidence that is too high charges somebody: three tenths keep it from being so where labels are
 * uneven, and cost the calibration elsewhere less than half a point (measured).
 */
const CAUTION_STANDARD_ERRORS = 0.3;

/** Laplace's rule of succession, a little cautious: never quite sure, however many were right. */
const smoothedShare = (block: Block): number => {
  const calls = effectiveSampleSize(block) + 2;
  const mean = (rightShare(block) * effectiveSampleSize(block) + 1) / calls;
  return Math.max(0, mean - CAUTION_STANDARD_ERRORS * Math.sqrt((mean * (1 - mean)) / calls));
};

/** Joins neighbours for as long as `violates` holds between them (pool adjacent violators). */
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

/** Neighbours joined until each has enough calls; what is left at the upper end joins the last. */
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

/** Weighted isotonic regression of right answers on scores, in blocks large enough to mean something. */
export const calibrate = (outcomes: readonly PredictionOutcome[]): Calibration => {
  const sorted = outcomes
    .filter(({ weight }) => weight > 0)
    .toSorted((a, b) => a.score - b.score)
    .map(({ score, isRight, weight }) => ({
      score: score * weight,
      right: isRight ? weight : 0,
      weight,
      squares: weight * weight,
    }));
  const monotone = poolAdjacentViolators(
    sorted,
    (a, b) => rightShare(a) >= rightShare(b) || a.score / a.weight === b.score / b.weight,
  );
  // Filling and smoothing move shares a little, so the order is restored once more.
  const blocks = poolAdjacentViolators(
    mergeSmallBlocks(monotone),
    (a, b) => smoothedShare(a) >= smoothedShare(b),
  );
  return { scores: blocks.map((block) => block.score / block.weight), shares: blocks.map(smoothedShare) };
};

/** Share of right answers to expect at a score: linear between the points of the curve, level beyond its ends. */
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
