import type { CostExplanation } from '../../../schemas/attribution/costExplanation.ts';
import { isPricedTier } from '../../../schemas/attribution/unitPrices.ts';
import type { CostUnknown } from '../../../schemas/attribution/unknownCost.ts';
import type { BillingMode, InvocationEvent } from '../../../schemas/ingest/invocationEvent.ts';
import { type Decimal, decimal, toDecimalString, wholeNumber, ZERO } from '../../platform/shared/decimal.ts';
import { capFigure } from '../usage/largestFigure.ts';
import { generatesImages, modalityOf } from '../usage/modality.ts';
import { type ModelIdentity, priceRegion } from '../usage/modelIdentity.ts';
import { fullestReading, unreadUnits } from '../usage/unreadUsage.ts';
import { readUsage, reportsModalities, type Usage, unitsOf } from '../usage/usage.ts';
import { HIGHEST_TOKEN_PRICE, HIGHEST_UNIT_PRICE } from './plausibleCost.ts';
import { priceCall } from './priceCall.ts';
import type { OtherPrices, PriceSheet, PriceSource } from './priceSheet.ts';
import { type PriceRules, type RuledCall, searchesOf, withVersion } from './rules/priceRules.ts';
import { listedTier, type TierTerms, tierNameOf, tierTerms } from './rules/serviceTier.ts';

/** What sets the price of a call besides the event. */
export interface PriceFactors {
  readonly prices: PriceSource;
  /** The prices without those of a contract. Absent if there is no contract. */
  readonly published?: PriceSource | undefined;
  readonly rules: PriceRules;
}

/** What a price is looked up by besides the event. */
type PricedCall = [identity: ModelIdentity, occurredAt: Date, factors: PriceFactors, billing?: BillingMode];

const smaller = (a: Decimal, b: Decimal): Decimal => (a.lt(b) ? a : b);
const largest = (...counts: readonly (number | undefined)[]): number | undefined => {
  const known = counts.filter((count) => count !== undefined);
  return known.length === 0 ? undefined : Math.max(...known);
};
const larger = (a: Decimal, b: Decimal): Decimal => (a.gt(b) ? a : b);

/** A price of another model of the same family: successors cost from half to twice as much (judgement). */
const FAMILY = { low: '0.5', high: '2' } as const;

const withFamilyRange = (sheet: PriceSheet): PriceSheet => {
  // A contract names the family itself.
  if (sheet.match !== 'family' || sheet.source === 'contract') return sheet;
  const { low, high } = sheet.tokenFactors ?? { low: '1', high: '1' };
  return {
    ...sheet,
    tokenFactors: {
      low: toDecimalString(decimal(low).times(FAMILY.low)),
      high: toDecimalString(decimal(high).times(FAMILY.high)),
    },
  };
};

/** Tokens that the event reports apart and that the sheet does not price apart. */
const hasUnpricedTokens = (sheet: PriceSheet, usage: Usage): boolean =>
  [
    [usage.audioInput.uncached + usage.audioInput.cached, sheet.audio_input],
    [usage.imageInput.uncached + usage.imageInput.cached, sheet.image_input ?? sheet.input],
    [usage.audioOutput, sheet.audio_output],
    [usage.imageOutput, sheet.image_output],
  ].some(([count, price]) => Number(count) > 0 && price === null);

/** The prices of the tier that served the call, and its terms. */
const atTier = (
  sheet: PriceSheet,
  rules: PriceRules,
  call: Omit<RuledCall, 'model'> & { readonly tier: string },
): [PriceSheet, TierTerms] => {
  const listed = isPricedTier(call.tier) ? sheet.tiers[call.tier] : undefined;
  return listed === undefined
    ? [
        sheet,
        tierTerms(
          rules,
          { ...call, provider: sheet.soldBy ?? call.provider, model: sheet.pricedModel },
          sheet.aboveTokens >= 0,
        ),
      ]
    : [{ ...sheet, ...listed }, listedTier(sheet, listed)];
};

/** The sheet with the prices that another source states. */
const asStatedBy = (sheet: PriceSheet, { prices, tiers }: OtherPrices): PriceSheet => ({
  ...sheet,
  ...prices,
  tiers: { ...sheet.tiers, ...tiers },
});

/** The call if its source counts cached tokens and reasoning beside its counts. Null if the counts are decided. */
const exclusiveReading = (event: InvocationEvent): InvocationEvent | null => {
  const { input_tokens_high: input, output_tokens_high: output, ...decided } = event;
  if ((input ?? output) === undefined) return null;
  return {
    ...decided,
    input_tokens: largest(event.input_tokens, input),
    output_tokens: largest(event.output_tokens, output),
  };
};

/** The cost by unit prices: the prices of the first source that knows the model, times disjoint token counts. */
const readingCost = (
  event: InvocationEvent,
  identity: ModelIdentity,
  occurredAt: Date,
  { prices, rules }: PriceFactors,
  billing: BillingMode = 'metered',
): CostExplanation | CostUnknown => {
  // A call that is priced by the second, page or image has no tokens.
  const isByUnit = event.input_tokens === undefined && unitsOf(event).length > 0;
  const usage = readUsage(isByUnit ? { ...event, input_tokens: 0 } : event);
  if (typeof usage === 'string') return usage;
  const read = usage.uncached + usage.cached + usage.cacheWrite;
  const region = priceRegion(identity, event.region);
  const found = prices.find(identity.provider, identity.model, occurredAt, read, region, billing);
  if (found === null) return 'price_not_found';
  const modality = modalityOf(event.operation, identity.model);
  const isOfImages = generatesImages(event.operation, identity.model) && (usage.output ?? 0) > 0;
  const ofFamily = withFamilyRange(found);
  // All output tokens of a model with a price for images that it reads, and one for its output, are images.
  const hasOneOutput = isOfImages && found.image_input !== null && found.image_output === null;
  const sheet = hasOneOutput ? { ...ofFamily, image_output: found.output } : ofFamily;
  // The tokens of generated images are their price.
  const hasImageTokens = isOfImages && sheet.image_output !== null;
  const units = hasImageTokens ? usage.units.filter(({ kind }) => kind !== 'image') : usage.units;
  const perToken = sheet.input !== null || sheet.output !== null;
  const perUnit = units.some(({ kind }) => sheet[kind] !== null);
  if (sheet.otherModalities) {
    // Without the number of its audio and image tokens, such a call has no price.
    const isDivided = reportsModalities(event) || hasOneOutput;
    const mixed = modality === 'other' && (!isDivided || hasUnpricedTokens(sheet, usage));
    if (!perUnit && (mixed || !perToken)) return 'unsupported_modality';
  }
  // A generated image has a price that contains its tokens. What other units cost comes on top of tokens.
  const isByImage = sheet.image !== null && units.some(({ kind }) => kind === 'image');
  if (isByUnit && sheet.input !== null && !isByImage) return 'usage_missing';
  // What is sold by the search only, and states none, is not free.
  if (!perToken && !perUnit && sheet.rerank_search !== null) return 'usage_missing';

  // Some lists also contain an output price for embeddings. They generate no tokens, so a missing count is zero.
  const implied = searchesOf(rules, identity.model);
  const counted = {
    ...usage,
    units,
    output: usage.output ?? (modality === 'embedding' || (isByUnit && isByImage) ? 0 : null),
    searches: usage.searches ?? implied.least,
    mostSearches: usage.searches ?? implied.most,
    // Whoever agreed on a price pays it.
    hasQuota: implied.quota === true && sheet.source !== 'contract',
  };
  const priceAt = (stated: PriceSheet) => {
    const [priced, tier] = atTier(stated, rules, {
      provider: identity.provider,
      at: occurredAt,
      region,
      tier: billing === 'metered' ? tierNameOf(event) : '',
    });
    const call = priceCall(priced, counted, tier, rules);
    return typeof call === 'string' ? call : { ...call, multiplier: tier.stated, version: tier.version };
  };
  const call = priceAt(sheet);
  if (typeof call === 'string') return call;
  const others = (sheet.others ?? []).flatMap((other) => {
    const stated = priceAt(asStatedBy(sheet, other));
    return typeof stated === 'string' || stated.central.eq(call.central)
      ? []
      : [{ ...stated, source: other.source }];
  });
  // Where nothing says which of the input tokens are images, all of them can be.
  const asImages =
    hasOneOutput && event.image_input_tokens === undefined && sheet.image_input !== null
      ? priceAt({ ...sheet, input: sheet.image_input })
      : call;
  const bounds = [call, ...others, ...(typeof asImages === 'string' ? [] : [asImages])];
  const lowest = bounds.map(({ low, central }) => smaller(low, central)).reduce(smaller);
  const highest = bounds.map(({ high, central }) => larger(high, central)).reduce(larger);
  return {
    source: sheet.source,
    catalogue: withVersion(sheet.catalogue, call.version),
    price_match: sheet.match,
    priced_model: sheet.pricedModel,
    service_tier_multiplier: call.multiplier,
    ...(others.length > 0 && { differing_sources: others.map(({ source }) => source) }),
    ...(call.hasUnpriced && { uncertain: ['unpriced_usage'] }),
    low: toDecimalString(larger(ZERO, lowest)),
    central: toDecimalString(call.central),
    high: toDecimalString(capFigure(highest)),
    components: call.components,
  };
};

/** Adds the published prices of the same quantities to a cost by contract prices. */
const withListPrices = (
  cost: CostExplanation,
  event: InvocationEvent,
  [identity, occurredAt, factors, billing = 'metered']: PricedCall,
): CostExplanation => {
  const { published } = factors;
  if (cost.source !== 'contract' || published === undefined || billing !== 'metered') return cost;
  const listed = readingCost(event, identity, occurredAt, { ...factors, prices: published });
  // The price of another model of the family is a guess.
  if (typeof listed === 'string' || listed.price_match === 'family') return cost;
  const components = cost.components.map((component) => {
    const same = listed.components.find(
      ({ kind, quantity }) => kind === component.kind && quantity === component.quantity,
    );
    const price = same?.unit_price_usd_per_million ?? null;
    return price === null ? component : { ...component, list_unit_price_usd_per_million: price };
  });
  return { ...cost, components };
};

/** USD that what a call used, and an event has no member for, costs at the highest published prices. */
const unreadUsd = (event: InvocationEvent): Decimal => {
  const { tokens, units } = unreadUnits(event);
  return wholeNumber(tokens)
    .times(HIGHEST_TOKEN_PRICE)
    .plus(wholeNumber(units).times(HIGHEST_UNIT_PRICE))
    .times('0.000001');
};

/** The cost by unit prices, over all readings of the counts. */
export const listCost = (event: InvocationEvent, ...call: PricedCall): CostExplanation | CostUnknown => {
  const cost = readingCost(event, ...call);
  const other = exclusiveReading(event);
  const fullest = fullestReading(other ?? event, call[0].model);
  if (typeof cost === 'string') return cost;
  let [low, high] = [decimal(cost.low), decimal(cost.high)];
  for (const reading of [other, fullest]) {
    if (reading === null) continue;
    const read = readingCost(reading, ...call);
    if (typeof read === 'string') return read;
    [low, high] = [smaller(low, decimal(read.low)), larger(high, decimal(read.high))];
  }
  const hasUnread = (event.unread_usage ?? []).length > 0;
  const uncertain: NonNullable<CostExplanation['uncertain']> = [
    ...(cost.uncertain ?? []),
    ...(other === null ? [] : ['counting_convention' as const]),
    ...(hasUnread ? ['unread_usage' as const] : []),
  ];
  return {
    ...withListPrices(cost, event, call),
    ...(uncertain.length > 0 && { uncertain }),
    ...(event.unread_cost !== undefined && { unread_cost: event.unread_cost }),
    low: toDecimalString(low),
    high: toDecimalString(capFigure(high.plus(unreadUsd(event)))),
  };
};
