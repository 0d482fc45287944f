import type { InvocationEvent } from '../../../../schemas/ingest/invocationEvent.ts';
import { toDecimalString, wholeNumber } from '../../../platform/shared/decimal.ts';
import type { Draws } from './seededRandom.ts';
import type { ModelUse, Service } from './service.ts';

/** Maximum input and output tokens: within the context windows of all sample models. */
const INPUT_TOKENS_MAXIMUM = 120_000;
const OUTPUT_TOKENS_MAXIMUM = 16_000;
/** Share of calls that fail at the provider, and of calls that end before the response is complete. */
const ERRORS = 0.015;
const INCOMPLETE = 0.005;
/** Share of gateway calls with a reported cost, and of metered calls with reported energy. */
const GATEWAY_PRICED = 0.3;
const METERED = 0.6;
/**
 * Providers cache prompts of at least 1,024 tokens, in blocks of 128. https://platform.openai.com/docs/guides/prompt-caching
 */
const CACHE_BLOCK = 128;
const CACHE_FROM = 1_024;

const NANO = '0.000000001';
const MICRO = '0.000001';

const drawSize = (median: number, sigma: number, deviation: number, longest: number): number =>
  median === 0 ? 0 : Math.min(longest, Math.max(1, Math.round(median * Math.exp(sigma * deviation))));

type Usage = Pick<
  InvocationEvent,
  | 'input_tokens'
  | 'cached_input_tokens'
  | 'output_tokens'
  | 'reasoning_tokens'
  | 'latency_ms'
  | 'status'
  | 'estimated_cost_usd'
  | 'energy_wh'
>;

interface Tokens {
  readonly input: number;
  readonly cached: number;
  readonly output: number;
  readonly reasoning: number;
}

const drawTokens = (service: Service, use: ModelUse, draws: Draws): Tokens => {
  const deviation = draws.normal();
  const { correlation } = service;
  const own = Math.sqrt(1 - correlation ** 2) * draws.normal();
  const input = drawSize(service.input.median, service.input.sigma, deviation, INPUT_TOKENS_MAXIMUM);
  const output = drawSize(
    service.output.median,
    service.output.sigma,
    correlation * deviation + own,
    OUTPUT_TOKENS_MAXIMUM,
  );
  const hit = input >= CACHE_FROM && draws.chance(service.cacheHits ?? 0);
  const prefix = hit ? input * (0.4 + 0.5 * draws.uniform()) : 0;
  return {
    input,
    cached: Math.floor(prefix / CACHE_BLOCK) * CACHE_BLOCK,
    output,
    reasoning: Math.floor(output * Math.min(0.95, (use.reasoning ?? 0) * (0.6 + 0.8 * draws.uniform()))),
  };
};

/** The time to the first token grows with uncached input, and the rest with output. */
const drawLatency = (use: ModelUse, { input, cached, output }: Tokens, draws: Draws): number => {
  const first = 180 + (input - cached) * 0.03;
  const noise = Math.exp(0.2 * draws.normal());
  return Math.round((first + (output / use.tokensPerSecond) * 1_000) * noise);
};

const reportedFigures = (
  use: ModelUse,
  { input, cached, output }: Tokens,
  draws: Draws,
): Pick<Usage, 'estimated_cost_usd' | 'energy_wh'> => {
  const { gatewayPrice: price, meteredMicroWh } = use;
  const [priced, metered] = [draws.chance(GATEWAY_PRICED), draws.chance(METERED)];
  return {
    ...(price !== undefined &&
      priced && {
        estimated_cost_usd: toDecimalString(
          wholeNumber((input - cached) * price.input + cached * price.cached + output * price.output).times(
            NANO,
          ),
        ),
      }),
    ...(meteredMicroWh !== undefined &&
      metered && { energy_wh: toDecimalString(wholeNumber(output * meteredMicroWh).times(MICRO)) }),
  };
};

/** Token counts, latency and status of one call. A failed call has known usage of 0. */
export const usageOf = (service: Service, use: ModelUse, draws: Draws): Usage => {
  const outcome = draws.uniform();
  if (outcome < ERRORS) {
    return {
      input_tokens: 0,
      output_tokens: 0,
      latency_ms: Math.round(80 + 400 * draws.uniform()),
      status: 'error',
    };
  }
  const drawn = drawTokens(service, use, draws);
  const cut = outcome < ERRORS + INCOMPLETE ? draws.uniform() : 1;
  const tokens = {
    ...drawn,
    output: Math.floor(drawn.output * cut),
    reasoning: Math.floor(drawn.reasoning * cut),
  };
  return {
    input_tokens: tokens.input,
    ...(service.cacheHits !== undefined && { cached_input_tokens: tokens.cached }),
    output_tokens: tokens.output,
    ...(use.reasoning !== undefined && { reasoning_tokens: tokens.reasoning }),
    latency_ms: drawLatency(use, tokens, draws),
    status: cut < 1 ? 'incomplete' : 'ok',
    ...reportedFigures(use, tokens, draws),
  };
};
