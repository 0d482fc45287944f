import { DAY_SECONDS } from '../../../schemas/durations.ts';
import { type Decimal, decimal, wholeNumber } from '../../platform/shared/decimal.ts';
import type { ModelSize, Range } from './modelSize.ts';

/**
 * EcoLogits 0.9.3: energy and latency of text generation on NVIDIA H100 servers, fitted to measurements.
 * Rincé and Banse 2025, doi:10.21105/joss.07471; https://ecologits.ai/latest/methodology/llm_inference/
 */
export const ENERGY_METHOD = 'ecologits-0.9.3-8bit';

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

/** How models are served. The method assumes 16-bit weights on H100 servers: 2 bytes, and a factor of 1. */
export interface Serving {
  /** Bytes of a weight: 2 at 16 bits. They decide the number of GPUs, and the time of the prefill. */
  readonly weightBytes: string;
  /** Energy of a token relative to that on an H100. */
  readonly energyFactor: string;
  /**
   * GPUs of a dense model that each need as much energy and time for a token as one alone. All of them work on the same token, so more
   * GPUs divide its work. The method takes each of any number for as busy.
   */
  readonly denseGpus?: number;
  /** By how much each output token after the first 500 makes all of them dearer: their context takes memory from the batch. */
  readonly growthPerToken?: string;
}

/**
 * What providers run: 8-bit weights, and fleets in which newer GPUs need about half the energy of an H100 for a token
 * (InferenceMAX, B200 against H100). The factor puts the median of the published energies of calls and that of the
 * measurements of ML.ENERGY at equal distance from the estimate: docs/accuracy.md. There, 8,000 tokens of reasoning need from as much
 * to 3.7 times as much energy a token as 700 of conversation, and Llama 3.1 405B a fifth to a third of the method.
 */
const PROVIDER_SERVING: Serving = {
  weightBytes: '1',
  energyFactor: '0.6',
  denseGpus: 2,
  growthPerToken: '0.0000625',
};

/** GB of GPU memory per billion parameters and byte of a weight: a fifth on top of the weights; 80 GB in a GPU. */
const GPUS_PER_BILLION_BYTES = decimal('1.2').div('80');
const GPUS_PER_SERVER = decimal('8');

/** Server without its GPUs, W, shared by the batch; over 3600 s gives Wh per second. */
const SERVER_WH_PER_SECOND = decimal('1200').div(BATCH).div('3600');

/** Embodied carbon in gCO2e: a server without GPUs, and one GPU, over a lifetime of three years. */
const SERVER_EMBODIED_G = decimal('5700000');
const GPU_EMBODIED_G = decimal('164000');
const LIFETIME_SECONDS = decimal(String(3 * 365 * DAY_SECONDS));

/**
 * Extension of the method, which does not include input tokens: prefill takes 2 FLOP per active parameter and token on an
 * H100 (989 TFLOP/s with 16-bit weights at 40 % utilisation, 700 W; twice as many with 8 bits). Wh per input token, billion
 * active parameters and byte of a weight.
 */
const PREFILL_WH_PER_BILLION_BYTES = decimal('0.0000004915');

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
  /** {@link Serving.growthPerToken} */
  readonly growthPerToken: Decimal;
}

const ROUND_UP = 3;
/** Digits of the rates: more precise than the 1e-9 of comparisons, and short enough for fast multiplication. */
const RATE_DIGITS = 26;

/** GPUs that hold the weights, rounded up to a power of two. */
export const gpuCount = (totalBillions: string, weightBytes: string): number => {
  const bytes = decimal(totalBillions).times(weightBytes);
  const needed = Number(bytes.times(GPUS_PER_BILLION_BYTES).round(0, ROUND_UP).toFixed());
  let count = 1;
  while (count < needed) count *= 2;
  return count;
};

/** The part of the work of a token that each GPU has, where no more of them than `most` would each have all of it. */
const busyShare = (gpus: Decimal, most: number | undefined): Decimal =>
  most === undefined || gpus.lte(wholeNumber(most)) ? decimal('1') : wholeNumber(most).div(gpus);

const ratesAt = (
  activeBillions: string,
  totalBillions: string,
  pue: string,
  { weightBytes, energyFactor, denseGpus }: Serving,
): RatesAt => {
  const gpus = wholeNumber(gpuCount(totalBillions, weightBytes));
  const servers = gpus.div(GPUS_PER_SERVER);
  // A power of two over another one has few digits.
  const share = busyShare(gpus, decimal(activeBillions).eq(totalBillions) ? denseGpus : undefined);
  const gpuWh = GPU_WH_PER_BILLION.times(activeBillions).times(share).plus(GPU_WH_FIXED);
  const hardware = servers.times(SERVER_EMBODIED_G).plus(gpus.times(GPU_EMBODIED_G));
  return {
    gpuWhPerToken: gpuWh.times(gpus).times(energyFactor).times(pue).prec(RATE_DIGITS),
    serverWhPerSecond: SERVER_WH_PER_SECOND.times(servers).times(pue).prec(RATE_DIGITS),
    secondsPerToken: SECONDS_PER_BILLION.times(activeBillions).times(share).plus(SECONDS_AT_BATCH),
    embodiedGramsPerSecond: hardware.div(LIFETIME_SECONDS).div(BATCH).prec(RATE_DIGITS),
  };
};

/** Running costs of a model size in a data centre. The lower end uses the lower bounds, the upper end the upper ones. */
export const inferenceRates = (
  size: ModelSize,
  pue: Range,
  serving: Serving = PROVIDER_SERVING,
): InferenceRates => {
  const prefillPerBillion = PREFILL_WH_PER_BILLION_BYTES.times(serving.weightBytes).times(
    serving.energyFactor,
  );
  const prefill = (active: string, at: string) => prefillPerBillion.times(active).times(at);
  // GPUs read tokens with 8 bits or more, however few bits the weights in their memory have.
  const stored = { ...serving, weightBytes: size.weightBytes ?? serving.weightBytes };
  return {
    min: ratesAt(size.active.min, size.total.min, pue.min, stored),
    max: ratesAt(size.active.max, size.total.max, pue.max, stored),
    inputWhPerToken: prefill(size.active.min, pue.min)
      .plus(prefill(size.active.max, pue.max))
      .times('0.5')
      .prec(RATE_DIGITS),
    growthPerToken: decimal(serving.growthPerToken ?? '0'),
  };
};
