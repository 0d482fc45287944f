/** Candidate temperatures. Dependent features need higher ones. */
const TEMPERATURES = [1, 1.25, 1.5, 2, 3, 4.5, 7] as const;

/** One in this many calls is used for the selection. */
const SAMPLING_INTERVAL = 10;
/** Highest loss of a call, in nats. It limits the effect of single calls. */
const LOSS_MAXIMUM = 14;

/** Selects the temperature with the highest likelihood of the true labels (Guo et al. 2017). */
export interface TemperatureSelector {
  /** Adds the scores of a call and the number of its true label. Undefined: a label that was not known yet. */
  observe(logarithms: Float64Array, shares: Float64Array, label: number | undefined): void;
  best(): number;
  /** What the selector has observed. A new selector can start from it. */
  observed(): TemperatureLosses;
}

/** The summed losses by candidate temperature, and the number of observed calls. */
export interface TemperatureLosses {
  readonly losses: readonly number[];
  readonly calls: number;
}

export const temperatureSelector = (
  start: TemperatureLosses = { losses: TEMPERATURES.map(() => 0), calls: 0 },
): TemperatureSelector => {
  const losses = Float64Array.from(start.losses);
  let { calls } = start;
  return {
    observe(logarithms, shares, label) {
      calls += 1;
      if (label === undefined || calls % SAMPLING_INTERVAL !== 0) return;
      TEMPERATURES.forEach((temperature, at) => {
        const joint = logarithms.map((value, other) => value / temperature + Math.log(shares[other] ?? 0));
        const top = joint.reduce((most, value) => Math.max(most, value), -Infinity);
        const sum = joint.reduce((all, value) => all + Math.exp(value - top), 0);
        const loss = Math.log(sum) + top - (joint[label] ?? 0);
        losses[at] = (losses[at] ?? 0) + Math.min(LOSS_MAXIMUM, loss);
      });
    },
    best: () => TEMPERATURES[losses.indexOf(Math.min(...losses))] ?? 1,
    observed: () => ({ losses: [...losses], calls }),
  };
};
