import * as z from 'zod';
import { canonicalProvider, modelIdentity } from '../../functions/impact/usage/modelIdentity.ts';
import { PriceListFile } from './priceListFile.ts';

/** One price of a table, in USD per million tokens. */
export interface TablePrice {
  readonly provider: string;
  readonly model: string;
  readonly region: string | null;
  readonly input: string;
  readonly output: string | null;
  readonly cachedInput: string | null;
  readonly cacheWrite: string | null;
}

const PRICE_DIGITS = 6;
const Price = z.number().nonnegative().optional();

/** A number of a table as a decimal string. Rounding removes the noise of prices that were converted per token. */
const perMillion = (price: number, tokens = 1): string =>
  (price * tokens).toFixed(PRICE_DIGITS).replace(/\.?0+$/, '');

/** Reads an optional price. Tables use 0 for "no separate price". */
const optional = (price: number | undefined, tokens = 1): string | null =>
  price === undefined || price === 0 ? null : perMillion(price, tokens);

const MILLION = 1_000_000;

/** https://github.com/BerriAI/litellm, model_prices_and_context_window.json: USD per token, by model. */
const LiteLlmTable = z.record(
  z.string(),
  z.looseObject({
    litellm_provider: z.string().optional(),
    mode: z.string().optional(),
    input_cost_per_token: Price,
    output_cost_per_token: Price,
    cache_read_input_token_cost: Price,
    cache_creation_input_token_cost: Price,
  }),
);
const TEXT_MODES: ReadonlySet<string | undefined> = new Set(['chat', 'completion', 'responses', 'embedding']);

/** https://models.dev/api.json: USD per million tokens, by provider and model. */
const ModelsDevTable = z.record(
  z.string(),
  z.looseObject({
    models: z.record(
      z.string(),
      z.looseObject({
        cost: z
          .looseObject({ input: Price, output: Price, cache_read: Price, cache_write: Price })
          .optional(),
      }),
    ),
  }),
);

const identityOf = (provider: string, model: string) => {
  const identity = modelIdentity(provider, model);
  return {
    provider: identity.provider,
    model: identity.model,
    region: identity.region ?? null,
  };
};

const fromLiteLlm = (table: z.infer<typeof LiteLlmTable>): TablePrice[] =>
  Object.entries(table).flatMap(([model, entry]) => {
    const { litellm_provider: provider, input_cost_per_token: input } = entry;
    if (provider === undefined || input === undefined || !TEXT_MODES.has(entry.mode)) return [];
    return [
      {
        ...identityOf(provider, model),
        input: perMillion(input, MILLION),
        output: optional(entry.output_cost_per_token, MILLION),
        cachedInput: optional(entry.cache_read_input_token_cost, MILLION),
        cacheWrite: optional(entry.cache_creation_input_token_cost, MILLION),
      },
    ];
  });

const fromModelsDev = (table: z.infer<typeof ModelsDevTable>): TablePrice[] =>
  Object.entries(table).flatMap(([provider, { models }]) =>
    Object.entries(models).flatMap(([model, { cost }]) =>
      cost?.input === undefined
        ? []
        : [
            {
              ...identityOf(provider, model),
              input: perMillion(cost.input),
              output: optional(cost.output),
              cachedInput: optional(cost.cache_read),
              cacheWrite: optional(cost.cache_write),
            },
          ],
    ),
  );

const fromPriceLists = (file: PriceListFile): TablePrice[] =>
  file.lists.flatMap(({ provider, regions = [null], models }) =>
    Object.entries(models).flatMap(([model, prices]) => {
      const text = typeof prices === 'string' ? prices : (Object.values(prices).at(-1) ?? '');
      const [input, output = '-', cachedInput = '-', cacheWrite = '-'] = text.split(' ');
      if (input === undefined || input === '') return [];
      const known = (price: string): string | null => (price === '-' ? null : price);
      return regions.map((region) => ({
        provider: canonicalProvider(provider),
        model: model.toLowerCase(),
        region,
        input,
        output: known(output),
        cachedInput: known(cachedInput),
        cacheWrite: known(cacheWrite),
      }));
    }),
  );

/**
 * Reads a price table: the price lists of this project, the table of LiteLLM, or the one of models.dev. Entries without
 * a price per token are left out.
 */
export const readPriceTable = (text: string): TablePrice[] => {
  const parsed: unknown = JSON.parse(text);
  const lists = PriceListFile.safeParse(parsed);
  if (lists.success) return fromPriceLists(lists.data);
  const modelsDev = ModelsDevTable.safeParse(parsed);
  if (modelsDev.success) return fromModelsDev(modelsDev.data);
  return fromLiteLlm(LiteLlmTable.parse(parsed));
};
