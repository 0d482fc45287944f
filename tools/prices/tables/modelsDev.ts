import { isPricedTier, type PricedKind, type PricedTier } from '../../../schemas/attribution/unitPrices.ts';
import { ExactNumber, integerOf, memberOf, membersOf, textOf } from './exactNumbers.ts';
import { PriceCollector, type TablePrice, tablePriceOf } from './tablePrice.ts';

/** The members of `cost`, in USD per million tokens. @earendil-works/pi-ai spells them in camel case. */
const KINDS: ReadonlyMap<string, PricedKind> = new Map([
  ['input', 'input'],
  ['output', 'output'],
  ['reasoning', 'reasoning'],
  ['cache_read', 'cached_input'],
  ['cacheRead', 'cached_input'],
  ['cache_write', 'cache_write'],
  ['cacheWrite', 'cache_write'],
  ['input_audio', 'audio_input'],
  ['output_audio', 'audio_output'],
]);

/** The length above which a band applies: `tier.size` at models.dev, `inputTokensAbove` at pi-ai. */
const startOf = (band: unknown): number | undefined =>
  integerOf(memberOf(band, 'inputTokensAbove')) ?? integerOf(memberOf(memberOf(band, 'tier'), 'size'));
const IS_START = /^(?:inputTokensAbove|tier)$/;
const OVER_200K = 200_000;

interface Place {
  readonly name: string;
  readonly tier?: PricedTier;
  readonly above?: number;
}

const addPrices = (collector: PriceCollector, prices: unknown, { name, tier, above }: Place): void => {
  for (const [member, value] of membersOf(prices)) {
    const kind = KINDS.get(member);
    if (kind !== undefined && value instanceof ExactNumber) {
      collector.add(`${name}.${member}`, value, '1', { kind, tier, above });
    } else if (member === 'tiers' && Array.isArray(value) && above === undefined) {
      addBands(collector, value, { name: `${name}.tiers`, ...(tier !== undefined && { tier }) });
    } else if (member === 'context_over_200k' && above === undefined) {
      // A copy of the band in `tiers`, where an entry has both.
      if (memberOf(prices, 'tiers') === undefined) {
        addPrices(collector, value, { name: `${name}.${member}`, ...(tier && { tier }), above: OVER_200K });
      }
    } else if (!(IS_START.test(member) && above !== undefined)) {
      collector.leaveOut(`${name}.${member}`);
    }
  }
};

const addBands = (
  collector: PriceCollector,
  bands: readonly unknown[],
  place: Omit<Place, 'above'>,
): void => {
  for (const band of bands) {
    const above = startOf(band);
    if (above === undefined) collector.leaveOut(place.name);
    else addPrices(collector, band, { ...place, above });
  }
};

/** Prices of a way to send a request. The body says which service tier it asks for. */
const addModes = (collector: PriceCollector, model: unknown): void => {
  for (const [mode, terms] of membersOf(memberOf(memberOf(model, 'experimental'), 'modes'))) {
    const cost = memberOf(terms, 'cost');
    if (cost === undefined) continue;
    const tier = textOf(memberOf(memberOf(terms, 'provider'), 'body'), 'service_tier');
    const name = `experimental.modes.${mode}.cost`;
    if (tier !== undefined && isPricedTier(tier)) addPrices(collector, cost, { name, tier });
    else collector.leaveOut(name);
  }
};

/**
 * https://models.dev/api.json: by provider, with `models`. The table MODELS of @earendil-works/pi-ai as JSON has the models
 * of a provider directly.
 */
export const fromModelsDev = (table: unknown): TablePrice[] =>
  membersOf(table).flatMap(([provider, entry]) =>
    membersOf(memberOf(entry, 'models') ?? entry).flatMap(([id, model]) => {
      const collector = new PriceCollector();
      addPrices(collector, memberOf(model, 'cost'), { name: 'cost' });
      addModes(collector, model);
      return tablePriceOf(provider, textOf(model, 'id') ?? id, collector);
    }),
  );
