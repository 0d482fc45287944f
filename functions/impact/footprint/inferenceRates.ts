import { DAY_SECONDS } from '../../../schemas/durations.ts';
import { type Decimal, decimal, wholeNumber } from '../../platform/shared/decimal.ts';
import type { ModelSize, Range } from './modelSize.ts';

/**
 * EcoLogits 0.9.3: energy and latency of text generation on NVIDIA H100 servers, fitted to measurements.
 * Rincé and Banse 2025, doi:10.21105/joss.07471; https://ecologits.ai/latest/methodology/llm_inference/
 */
export const ENERGY_METHOD = 'ecologits-0.9.3';

/** Requests served at the same time, as the method assumes. */
const BATCH = decimal('64');

/**
 * α·e^(β·64) of the fit, Wh per output token, GPU and billion active parameters: exp of the decimal product at 60 digits,
 * rounded to 30 significant ones. α = 1.1665273170451914e-6, β = -0.011205921025579175.
 */
const GPU_WH_PER_BILLION = decimal('0.000000569413887073411954668524434');
/** γ of the fit, Wh per output token and GPU. */
const GPU_WH_FIXED = decimal('0.00004052928146734005');

/** Seconds per output token: per billion active parameters, per request in the batch, fixed. */
const SECONDS_PER_BILLION = decimal('0.0006785088094353663');
const SECONDS_AT_BATCH = decimal('0.0003119310311688259').times(BATCH).plus('0.019473717579473387');

/** GB of GPU memory per billion parameters: 16-bit weights and a fifth on top; 80 GB in a GPU. */
const GPUS_PER_BILLION = decimal('1.2').times('2').div('80');
const GPUS_PER_SERVER = decimal('8');

/** Server without its GPUs, W, shared by the batch; over 3600 s gives Wh per second. */
const SERVER_WH_PER_SECOND = decimal('1200').div(BATCH).div('3600');

/** Embodied carbon in gCO2e: a server without GPUs, and one GPU, over a lifetime of three years. */
const SERVER_EMBODIED_G = decimal('5700000');
const GPU_EMBODIED_G = decimal('164000');
const LIFETIME_SECONDS = decimal(String(3 * 365 * DAY_SECONDS));

/**
 * Extension of the method, which does not include input tokens: prefill takes 2 FLOP per active parameter and token on an
 * H100 (989 TFLOP/s at 40 % utilisation, 700 W). Wh per input token and billion active parameters.
 */
const PREFILL_WH_PER_BILLION = decimal('0.000000983');

/** Running costs at one end of the parameter range. */
export interface RatesAt {
  readonly gpuWhPerToken: Decimal;
  readonly serverWhPerSecond: Decimal;
  readonly secondsPerToken: Decimal;
  readonly embodiedGramsPerSecond: Decimal;
}

export interface InferenceRates {
  readonly min: RatesAt;
  readonly max: RatesAt;
  /** Midpoint of the range. */
  readonly inputWhPerToken: Decimal;
}

const ROUND_UP = 3;
/** Digits of the rates: more precise than the 1e-9 of comparisons, and short enough for fast multiplication. */
const RATE_DIGITS = 26;

/** GPUs that hold the weights, rounded up to a power of two. */
export const gpuCount = (totalBillions: string): number => {
  const needed = Number(decimal(totalBillions).times(GPUS_PER_BILLION).round(0, ROUND_UP).toFixed());
  let count = 1;
  while (count < needed) count *= 2;
  return count;
};

const ratesAt = (activeBillions: string, totalBillions: string, pue: string): RatesAt => {
  const gpus = wholeNumber(gpuCount(totalBillions));
  const servers = gpus.div(GPUS_PER_SERVER);
  const gpuWh = GPU_WH_PER_BILLION.times(activeBillions).plus(GPU_WH_FIXED);
  const hardware = servers.times(SERVER_EMBODIED_G).plus(gpus.times(GPU_EMBODIED_G));
  return {
    gpuWhPerToken: gpuWh.times(gpus).times(pue).prec(RATE_DIGITS),
    serverWhPerSecond: SERVER_WH_PER_SECOND.times(servers).times(pue).prec(RATE_DIGITS),
    secondsPerToken: SECONDS_PER_BILLION.times(activeBillions).plus(SECONDS_AT_BATCH),
    embodiedGramsPerSecond: hardware.div(LIFETIME_SECONDS).div(BATCH).prec(RATE_DIGITS),
  };
};

/** Running costs of a model size in a data centre. The lower end uses the lower bounds, the upper end the upper ones. */
export const inferenceRates = (size: ModelSize, pue: Range): InferenceRates => {
  const prefill = (active: string, at: string) => PREFILL_WH_PER_BILLION.times(active).times(at);
  return {
    min: ratesAt(size.active.min, size.total.min, pue.min),
    max: ratesAt(size.active.max, size.total.max, pue.max),
    inputWhPerToken: prefill(size.active.min, pue.min)
      .plus(prefill(size.active.max, pue.max))
      .times('0.5')
      .prec(RATE_DIGITS),
  };
};
