import { bandStart } from '../../../functions/impact/price/lists/cataloguePrices.ts';
import { HIGHEST_TOKEN_PRICE } from '../../../functions/impact/price/plausibleCost.ts';
import { tokenKinds } from '../../../functions/impact/price/priceSheet.ts';
import { modelIdentity } from '../../../functions/impact/usage/modelIdentity.ts';
import { decimal } from '../../../functions/platform/shared/decimal.ts';
import type { ListedPrice } from '../../../schemas/attribution/publishedPrices.ts';
import {
  type KindPrices,
  type PricedKind,
  type PricedTier,
  unitKinds,
} from '../../../schemas/attribution/unitPrices.ts';

import { type ExactNumber, isZero, perMillion } from './exactNumbers.ts';

/** The prices of one model of a table. */
export interface TablePrice {
  readonly provider: string;
  readonly model: string;
  readonly region: string | null;
  readonly price: ListedPrice;
}

export const TOKENS = '1000000';

/** One price of a model: for a kind, in a tier, above a number of tokens. */
interface Statement {
  readonly kind: PricedKind;
  readonly tier?: PricedTier | undefined;
  readonly above?: number | undefined;
}

const CACHE_KINDS = ['cached_input', 'cache_write', 'cache_write_1h'] as const;
const PRICE_DIGITS = 6;

/** Adds the cache prices that a table leaves out of a band. Providers derive them from the input price of the band. */
const withCachePrices = (band: KindPrices, shortest: KindPrices): KindPrices => {
  const { input } = band;
  const base = shortest.input;
  if (input === undefined || base === undefined) return band;
  const derived = CACHE_KINDS.flatMap((kind) => {
    const price = shortest[kind];
    if (band[kind] !== undefined || price === undefined) return [];
    return [[kind, decimal(price).times(input).div(base).round(PRICE_DIGITS).toFixed()] as const];
  });
  return { ...band, ...Object.fromEntries(derived) };
};

const keyOf = ({ tier, above, kind }: Statement): string => JSON.stringify([tier, above, kind]);

/** Collects the prices of one model, and the names of members that the format cannot hold. */
export class PriceCollector {
  readonly #prices = new Map<string, { readonly of: Statement; readonly price: string }>();
  readonly #notHeld = new Set<string>();
  #searchHigh: string | undefined;
  #isInputFree = false;
  #isImpossible = false;

  /** Tables use 0 for "no separate price", except for the input of a model whose output has a price. `units`: what turns the price into one for a million. */
  add(name: string, price: ExactNumber, units: string, of: Statement): void {
    if (isZero(price)) {
      if (of.kind === 'input' && (of.tier ?? of.above) === undefined) this.#isInputFree = true;
      return;
    }
    const text = perMillion(price, units);
    if (text === null) this.#notHeld.add(name);
    else this.#prices.set(keyOf(of), { of, price: text });
    // Tables take the price of a thousand or of 100,000 tokens for that of one.
    if (tokenKinds.includes(of.kind) && text !== null && decimal(text).gt(HIGHEST_TOKEN_PRICE))
      this.#isImpossible = true;
  }

  addHighestSearch(name: string, price: ExactNumber, units: string): void {
    const text = perMillion(price, units);
    if (text === null) this.#notHeld.add(name);
    else this.#searchHigh = text;
  }

  leaveOut(name: string): void {
    this.#notHeld.add(name);
  }

  #banded(provider: string, tier: PricedTier | undefined) {
    const mine = [...this.#prices.values()].filter(({ of }) => of.tier === tier);
    const pricesAt = (above: number | undefined): KindPrices =>
      Object.fromEntries(
        mine.flatMap(({ of, price }) => (of.above === above ? [[of.kind, price] as const] : [])),
      );
    const starts = [...new Set(mine.flatMap(({ of }) => of.above ?? []))].sort((a, b) => a - b);
    const shortest = pricesAt(undefined);
    return {
      ...shortest,
      ...(starts.length > 0 && {
        bands: starts.map((start) => ({
          above_tokens: bandStart(provider, start),
          ...withCachePrices(pricesAt(start), shortest),
        })),
      }),
    };
  }

  /** Tables repeat the standard price for a tier whose price they do not know. */
  #repeatsStandard(tier: PricedTier): boolean {
    return [...this.#prices.values()]
      .filter(({ of }) => of.tier === tier)
      .every(({ of, price }) => this.#prices.get(keyOf({ ...of, tier: undefined }))?.price === price);
  }

  /**
   * Null without a price for the tokens that are read, or for the units that the model is sold by. Null, too, if a price is
   * above that of every model: such a price is a mistake of the table.
   */
  result(provider: string): ListedPrice | null {
    if (this.#isImpossible) return null;
    const standard = this.#banded(provider, undefined);
    const isInputStated =
      standard.input !== undefined || (this.#isInputFree && standard.output !== undefined);
    const isSoldByUnit = unitKinds.some((kind) => standard[kind] !== undefined);
    if (!isInputStated && !isSoldByUnit) return null;
    const tiers = (['batch', 'flex', 'priority'] as const).flatMap((tier) => {
      const prices = this.#banded(provider, tier);
      return this.#repeatsStandard(tier) ? [] : [[tier, prices] as const];
    });
    return {
      ...(standard.input === undefined && isInputStated && { input: '0' }),
      ...standard,
      ...Object.fromEntries(tiers),
      ...(this.#searchHigh !== undefined &&
        this.#searchHigh !== standard.search && { search_high: this.#searchHigh }),
      ...(this.#notHeld.size > 0 && { not_held: [...this.#notHeld].sort() }),
    };
  }
}

/** The table price of a collected model. */
export const tablePriceOf = (provider: string, model: string, collector: PriceCollector): TablePrice[] => {
  const identity = modelIdentity(provider, model);
  const price = collector.result(identity.provider);
  return price === null
    ? []
    : [{ provider: identity.provider, model: identity.model, region: identity.region ?? null, price }];
};
