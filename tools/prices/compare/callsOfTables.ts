import { listCost, type PriceFactors } from '../../../functions/impact/price/listCost.ts';
import type { PriceSheet } from '../../../functions/impact/price/priceSheet.ts';
import type { PriceRules } from '../../../functions/impact/price/rules/priceRules.ts';
import { modelIdentity } from '../../../functions/impact/usage/modelIdentity.ts';
import { UNIT_MEMBER } from '../../../functions/impact/usage/usage.ts';
import type { CostExplanation } from '../../../schemas/attribution/costExplanation.ts';
import type { ListedPrice } from '../../../schemas/attribution/publishedPrices.ts';
import { type PricedKind, pricedTiers, unitKinds } from '../../../schemas/attribution/unitPrices.ts';
import { InvocationEvent } from '../../../schemas/ingest/invocationEvent.ts';
import { sourceOf } from '../comparePrices.ts';
import type { TablePrice } from '../tables/tablePrice.ts';

/** The prices of a table on its day. */
export interface DatedTable {
  readonly name: string;
  readonly day: Date;
  readonly prices: readonly TablePrice[];
}

/**
 * A way to call a model. A table says something about it only if it has a price of its own for it. `listed`: what it says of the
 * model.
 */
interface Way {
  readonly name: string;
  readonly members: Readonly<Record<string, unknown>>;
  readonly isStated: (sheet: PriceSheet, listed: ListedPrice) => boolean;
}

const BASE_KINDS = ['input', 'output'] as const satisfies readonly PricedKind[];
const SHORT = { input_tokens: 10_000, cached_input_tokens: 0, output_tokens: 1_000 } as const;
/** More than every start of a band but that of a million tokens. */
const LONG = { input_tokens: 300_000, cached_input_tokens: 0, output_tokens: 4_000 } as const;

/** What a call of each kind of tokens or units reports, and which prices a table must state for it. */
const uses: readonly (readonly [name: string, members: Way['members'], kinds: readonly PricedKind[]])[] = [
  ['plain', {}, []],
  ['cached', { cached_input_tokens: 8_000 }, ['cached_input']],
  ['written', { cache_write_tokens: 8_000 }, ['cache_write']],
  ['written for an hour', { cache_write_tokens: 8_000, cache_write_1h_tokens: 8_000 }, ['cache_write_1h']],
  ['reasoning', { reasoning_tokens: 800 }, ['reasoning']],
  ['audio read', { audio_input_tokens: 5_000 }, ['audio_input']],
  ['audio generated', { audio_output_tokens: 800 }, ['audio_output']],
  ['images read', { image_input_tokens: 5_000 }, ['image_input']],
  ['images generated', { image_output_tokens: 800 }, ['image_output']],
  ['searched', { web_searches: 10 }, ['search']],
];

const ways: readonly Way[] = uses.flatMap(([use, members, kinds]): Way[] => [
  {
    name: use,
    members: { ...SHORT, ...members },
    isStated: (sheet) => kinds.every((kind) => sheet[kind] !== null),
  },
  {
    name: `${use}, long`,
    members: { ...LONG, ...members },
    isStated: (sheet) => sheet.aboveTokens >= 0 && kinds.every((kind) => sheet[kind] !== null),
  },
  ...pricedTiers.map((tier) => ({
    name: `${use}, ${tier}`,
    members: { ...SHORT, ...members, service_tier: tier },
    isStated: ({ tiers: { [tier]: prices } }: PriceSheet) =>
      prices !== undefined && [...BASE_KINDS, ...kinds].every((kind) => prices[kind] !== null),
  })),
  ...pricedTiers.map((tier) => ({
    name: `${use}, long, ${tier}`,
    members: { ...LONG, ...members, service_tier: tier },
    isStated: ({ tiers: { [tier]: prices } }: PriceSheet, { [tier]: listed }: ListedPrice) =>
      prices !== undefined &&
      listed?.bands !== undefined &&
      [...BASE_KINDS, ...kinds].every((kind) => prices[kind] !== null),
  })),
]);

/** A thousand of each unit that a model without prices for tokens is sold by. */
const unitWays: readonly Way[] = unitKinds.map((kind) => ({
  name: `by ${kind}`,
  members: { [UNIT_MEMBER[kind]]: 1_000 },
  isStated: (sheet) => sheet[kind] !== null,
}));

const NO_RULES: PriceRules = { tiers: [], places: [], models: [], searches: [], media: [] };

/** What one table states about a call. */
export interface Statement {
  readonly table: DatedTable;
  readonly event: InvocationEvent;
  readonly usd: string;
}

const ID = '00000000-0000-4000-8000-000000000000';

const callOf = ({ provider, model, region }: TablePrice, members: Way['members'], day: Date) =>
  InvocationEvent.parse({
    event_id: ID,
    ingestion_layer: 'price-table',
    ingestion_timestamp: day.toISOString(),
    provider,
    requested_model: model,
    ...(region !== null && { region }),
    ...members,
  });

/** The cost of a call by unit prices, or null if it has none. */
export const costOf = (event: InvocationEvent, day: Date, factors: PriceFactors): CostExplanation | null => {
  const cost = listCost(event, modelIdentity(event.provider, event.requested_model), day, factors);
  return typeof cost === 'string' ? null : cost;
};

/** All calls whose price a table states, by the name of the call. Models of tokens are text models. */
export const statementsOf = (table: DatedTable): (readonly [call: string, Statement])[] =>
  table.prices.flatMap((price) => {
    const { input, output } = price.price;
    const isByUnit = input === undefined && output === undefined;
    if (!isByUnit && (input === undefined || output === undefined)) return [];
    const prices = sourceOf(price, NO_RULES);
    return (isByUnit ? unitWays : ways).flatMap(
      ({ name, members, isStated }): (readonly [string, Statement])[] => {
        const event = callOf(price, members, table.day);
        const tokens = event.input_tokens ?? 0;
        const sheet = prices.find(price.provider, price.model, table.day, tokens, price.region);
        if (sheet === null || !isStated(sheet, price.price)) return [];
        const cost = costOf(event, table.day, { prices, rules: NO_RULES });
        const call = [price.provider, price.region, price.model, name].filter((part) => part !== null);
        return cost === null ? [] : [[call.join(' '), { table, event, usd: cost.central }]];
      },
    );
  });
