/** Temperatures to choose from. Features that say the same thing in other words need the higher ones. */
const TEMPERATURES = [1, 1.25, 1.5, 2, 3, 4.5, 7] as const;

/** One call in so many is enough to choose by. */
const SAMPLING_INTERVAL = 10;
/** A label that was not known yet is no fault of the temperature; no label costs more than this (nats). */
const LOSS_MAXIMUM = 14;

/** Chooses the temperature under which the true labels were likeliest (Guo et al. 2017). */
export interface TemperatureSelector {
  /** Takes in how a call was scored and which label it turned out to have (undefined: one that was not known). */
  observe(logarithms: Float64Array, shares: Float64Array, label: number | undefined): void;
  best(): number;
}

export const temperatureSelector = (): TemperatureSelector => {
  const losses = new Float64Array(TEMPERATURES.length);
  let calls = 0;
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
  };
};
