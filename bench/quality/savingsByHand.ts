import type { Call } from '../../tools/replay/row.ts';

/** Prices of a model, in units of 1e-12 USD for each token. $2 a million are 2,000,000. */
interface ModelPrices {
  readonly input: bigint;
  readonly cached: bigint;
  /** Of a token that is written to the cache: as other input, or dearer. */
  readonly written: bigint;
  readonly output: bigint;
}

/** Published prices in November 2026, as the catalogue of the service has them. Of OpenAI: https://openai.com/api/pricing */
export const PRICES = {
  'gpt-4.1': { input: 2_000_000n, cached: 500_000n, written: 2_000_000n, output: 8_000_000n },
  'gpt-4o': { input: 2_500_000n, cached: 1_250_000n, written: 2_500_000n, output: 10_000_000n },
  'gpt-6-luna': { input: 100_000n, cached: 10_000n, written: 125_000n, output: 500_000n },
} as const satisfies Record<string, ModelPrices>;
export type PricedModel = keyof typeof PRICES;

/** The shortest input that OpenAI caches. https://developers.openai.com/api/docs/guides/prompt-caching */
const SHORTEST_INPUT = 1_024n;
const CALLS_MINIMUM = 100n;

/** What the calls of one service to one model read and wrote. */
export interface ServiceSums {
  readonly service: string;
  readonly model: PricedModel;
  readonly namesPersons: boolean;
  readonly calls: bigint;
  readonly input: bigint;
  readonly cached: bigint;
  readonly output: bigint;
}

export const sumCalls = (
  calls: readonly Call[],
  { service, model, namesPersons }: Pick<ServiceSums, 'service' | 'model' | 'namesPersons'>,
): ServiceSums => {
  const sum = (tokensOf: (call: Call) => number | undefined): bigint =>
    calls.reduce((total, call) => total + BigInt(tokensOf(call) ?? 0), 0n);
  return {
    service,
    model,
    namesPersons,
    calls: BigInt(calls.length),
    input: sum(({ input_tokens }) => input_tokens),
    cached: sum(({ cached_input_tokens }) => cached_input_tokens),
    output: sum(({ output_tokens }) => output_tokens),
  };
};

/** A suggestion, its range in units of 1e-12 USD for thirty days. */
export interface SavingByHand {
  readonly saving: 'prompt_caching' | 'batch' | 'replacement_model';
  readonly service: string;
  readonly low: bigint;
  readonly high: bigint;
}

const costOf = ({ input, cached, output }: ServiceSums, price: ModelPrices): bigint =>
  (input - cached) * price.input + cached * price.cached + output * price.output;

const atLeastZero = (amount: bigint): bigint => (amount > 0n ? amount : 0n);

/**
 * What caching can save: inputs that are long enough up to the highest share of another service of the model, which writes nothing
 * to the cache, or half of them, of which each tenth token is written.
 */
const cachingOf = (own: ServiceSums, all: readonly ServiceSums[], price: ModelPrices): bigint => {
  const best = all
    .filter((one) => one !== own && one.model === own.model && one.cached > 0n && one.calls >= CALLS_MINIMUM)
    .reduce((most, one) => (one.cached * most.input > most.cached * one.input ? one : most), {
      cached: 0n,
      input: 1n,
    });
  const isJudged = best.cached === 0n;
  const [cached, input] = isJudged ? [1n, 2n] : [best.cached, best.input];
  const long = atLeastZero(own.input - own.calls * SHORTEST_INPUT);
  const more = atLeastZero((long * cached) / input - own.cached);
  return more * (price.input - price.cached - (isJudged ? (price.written - price.input) / 10n : 0n));
};

/**
 * The suggestions for calls of `days` days at list prices, from sums over the calls themselves. It shares no code with the service,
 * so that both can be compared.
 */
export const savingsByHand = (all: readonly ServiceSums[], days: bigint): SavingByHand[] =>
  all
    .filter(({ calls }) => calls >= CALLS_MINIMUM)
    .flatMap((own): SavingByHand[] => {
      const { service, model, namesPersons } = own;
      const monthly = (amount: bigint): bigint => (atLeastZero(amount) * 30n) / days;
      const price = PRICES[model];
      const cost = costOf(own, price);
      const instead = costOf(own, PRICES['gpt-6-luna']);
      return [
        {
          saving: 'prompt_caching' as const,
          service,
          low: 0n,
          high: monthly(cachingOf(own, all, price)),
        },
        // Half of the list price, for what nobody seems to wait for. https://developers.openai.com/api/docs/guides/batch
        { saving: 'batch' as const, service, low: 0n, high: namesPersons ? 0n : monthly(cost / 2n) },
        {
          saving: 'replacement_model' as const,
          service,
          low: monthly(cost - (instead * 135n) / 100n),
          high: model === 'gpt-6-luna' ? 0n : monthly(cost - instead),
        },
      ].filter(({ high }) => high > 0n);
    });
