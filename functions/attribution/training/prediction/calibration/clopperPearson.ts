/** Natural logarithm of the gamma function (Lanczos approximation, g = 7, n = 9), for x > 0. */
const logGamma = (x: number): number => {
  const coefficients = [
    676.5203681218851, -1259.1392167224028, 771.3234287776531, -176.6150291621406, 12.507343278686905,
    -0.13857109526572012, 9.984369578019572e-6, 1.5056327351493116e-7,
  ];
  const sum = coefficients.reduce((all, value, at) => all + value / (x + at), 0.9999999999998099);
  const base = x + 6.5;
  return 0.5 * Math.log(2 * Math.PI) + (x - 0.5) * Math.log(base) - base + Math.log(sum);
};

const TINY = 1e-300;
const awayFromZero = (value: number): number => (Math.abs(value) < TINY ? TINY : value);

/** Continued fraction of the incomplete beta function (Abramowitz & Stegun 26.5.8), by Lentz's method. */
const betaFraction = (x: number, a: number, b: number): number => {
  let c = 1;
  let d = 1 / awayFromZero(1 - ((a + b) * x) / (a + 1));
  let value = d;
  for (let m = 1; m <= 1_000; m += 1) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / awayFromZero(1 + even * d);
    c = awayFromZero(1 + even / c);
    value *= c * d;
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / awayFromZero(1 + odd * d);
    c = awayFromZero(1 + odd / c);
    const step = c * d;
    value *= step;
    if (Math.abs(step - 1) < 1e-14) break;
  }
  return value;
};

/** Distribution function of the beta distribution. */
const betaCdf = (x: number, a: number, b: number): number => {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  const front = Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log1p(-x));
  // The fraction converges fast on one side of the mean only.
  return x < (a + 1) / (a + b + 2)
    ? (front * betaFraction(x, a, b)) / a
    : 1 - (front * betaFraction(1 - x, b, a)) / b;
};

/**
 * Lower end of the two-sided Clopper-Pearson interval for a share of successes. For any true share, the probability
 * that the bound exceeds it is at most (1 − level) / 2. Weighted calls can make the numbers fractional.
 */
export const clopperPearsonLower = (successes: number, trials: number, level = 0.95): number => {
  if (successes <= 0) return 0;
  const tail = (1 - level) / 2;
  let [low, high] = [0, 1];
  // Halving 60 times reaches the precision of a double.
  for (let step = 0; step < 60; step += 1) {
    const middle = (low + high) / 2;
    if (betaCdf(middle, successes, trials - successes + 1) < tail) low = middle;
    else high = middle;
  }
  return low;
};
