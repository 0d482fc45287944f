import { type Decimal, wholeNumber, ZERO } from '../../platform/shared/decimal.ts';
import type { InferenceRates, RatesAt } from './inferenceRates.ts';

/** A value at both ends of the parameter range; the central value is their midpoint, as EcoLogits reports it. */
export interface Spread {
  readonly min: Decimal;
  readonly central: Decimal;
  readonly max: Decimal;
}

export interface Generation {
  readonly energyWh: Spread;
  /** Share of the embodied carbon of the hardware, in gCO2e. */
  readonly embodiedG: Spread;
}

const spread = (min: Decimal, max: Decimal): Spread => ({ min, central: min.plus(max).times('0.5'), max });

/** Output tokens of a conversation, up to which all cost the same, and of the longest answers that were measured. */
const [USUAL_OUTPUT, LONGEST_OUTPUT] = [500, 16_000];

/** How many times as much energy the tokens of a long answer need. */
const lengthFactor = ({ growthPerToken }: InferenceRates, outputTokens: number): Decimal =>
  growthPerToken
    .times(wholeNumber(Math.max(0, Math.min(LONGEST_OUTPUT, outputTokens) - USUAL_OUTPUT)))
    .plus('1');

/** Seconds the hardware was busy: the fitted latency, but at most the measured duration of the request. */
const busySeconds = (rates: RatesAt, tokens: Decimal, bound: Decimal | null): Decimal => {
  const fitted = tokens.times(rates.secondsPerToken);
  return bound?.lt(fitted) ? bound : fitted;
};

/**
 * Energy and embodied carbon of generating `outputTokens` (reasoning included). `latencyMs` bounds the time the
 * hardware was busy; 0 means not measured. The time to the first token is taken as 0 and the speed from the fit:
 * no per-model speeds are used, which puts gpt-4o some 40 % above a calculation with its measured speed.
 */
export const generate = (
  rates: InferenceRates,
  outputTokens: number,
  latencyMs: number | undefined,
): Generation => {
  const tokens = wholeNumber(outputTokens);
  const bound = latencyMs === undefined || latencyMs === 0 ? null : wholeNumber(latencyMs).times('0.001');
  const length = lengthFactor(rates, outputTokens);
  const at = (end: RatesAt): readonly [Decimal, Decimal] => {
    if (outputTokens === 0) return [ZERO, ZERO];
    const seconds = busySeconds(end, tokens, bound);
    const energy = tokens.times(end.gpuWhPerToken).times(length).plus(seconds.times(end.serverWhPerSecond));
    return [energy, seconds.times(end.embodiedGramsPerSecond)];
  };
  const [minWh, minG] = at(rates.min);
  const [maxWh, maxG] = at(rates.max);
  return { energyWh: spread(minWh, maxWh), embodiedG: spread(minG, maxG) };
};
