/** Factors between which a step of the axis is chosen: the geometric means of 1, 2, 5 and 10. */
const ROUND_STEPS = [
  [Math.sqrt(50), 10],
  [Math.sqrt(10), 5],
  [Math.sqrt(2), 2],
] as const;

/** A step of 1, 2 or 5 times a power of ten. Below one it is kept as a divisor, so that three tenths are not 0.30000000000000004. */
interface Step {
  readonly at: (index: number) => number;
  readonly indexOf: (value: number) => number;
}

const stepOf = (maximum: number, count: number): Step => {
  const power = Math.floor(Math.log10(maximum / count));
  const rest = maximum / count / 10 ** power;
  const factor = ROUND_STEPS.find(([least]) => rest >= least)?.[1] ?? 1;
  if (power >= 0) {
    const step = factor * 10 ** power;
    return { at: (index) => index * step, indexOf: (value) => value / step };
  }
  const divisor = 10 ** -power / factor;
  return { at: (index) => index / divisor, indexOf: (value) => value * divisor };
};

/** What a quotient of doubles can be short of a whole number. */
const ROUNDING = 1e-9;
/** Times that a longer axis can ask for a larger step. */
const ROUNDS = 10;

/** An axis from zero that ends at a round number, and about `count` round numbers on it. `maximum` is above zero. */
export const roundAxis = (
  maximum: number,
  count: number,
): { readonly ceiling: number; readonly ticks: readonly number[] } => {
  let ceiling = maximum;
  for (let round = 0; round < ROUNDS; round += 1) {
    const step = stepOf(ceiling, count);
    const rounded = step.at(Math.ceil(step.indexOf(ceiling)));
    if (rounded === ceiling) break;
    ceiling = rounded;
  }
  const step = stepOf(ceiling, count);
  const last = Math.floor(step.indexOf(ceiling) + ROUNDING);
  return { ceiling, ticks: Array.from({ length: last + 1 }, (_, index) => step.at(index)) };
};

interface Padding {
  /** The gap between two bands, as a part of the distance of their starts. */
  readonly inner: number;
  /** The gap before the first band and after the last one. */
  readonly outer: number;
}

/** Divides a length into bands of one width, which is none before the length is known. */
export const divideBands = (count: number, from: number, to: number, { inner, outer }: Padding) => {
  const step = (to - from) / Math.max(1, count - inner + outer * 2);
  const first = from + (to - from - step * (count - inner)) / 2;
  return { width: Math.max(0, step * (1 - inner)), at: (index: number): number => first + step * index };
};
