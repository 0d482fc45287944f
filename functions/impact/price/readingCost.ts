import type { CostExplanation } from '../../../schemas/attribution/costExplanation.ts';
import { isPricedTier } from '../../../schemas/attribution/unitPrices.ts';
import type { CostUnknown } from '../../../schemas/attribution/unknownCost.ts';
import type { BillingMode, InvocationEvent } from '../../../schemas/ingest/invocationEvent.ts';
import { type Decimal, decimal, toDecimalString, ZERO } from '../../platform/shared/decimal.ts';
import { capFigure } from '../usage/largestFigure.ts';
import { generatesImages, modalityOf } from '../usage/modality.ts';
import { type ModelIdentity, priceRegion } from '../usage/modelIdentity.ts';
import { readUsage, reportsModalities, type Usage, unitsOf } from '../usage/usage.ts';
import { chargedUnits } from './chargedUnits.ts';
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
export type PricedReading = [
  identity: ModelIdentity,
  occurredAt: Date,
  factors: PriceFactors,
  billing?: BillingMode,
];

export const smaller = (a: Decimal, b: Decimal): Decimal => (a.lt(b) ? a : b);
export const larger = (a: Decimal, b: Decimal): Decimal => (a.gt(b) ? a : b);

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

/** The cost by unit prices: the prices of the first source that knows the model, times disjoint token counts. */
export const readingCost = (
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
  const { units, ...charged } = chargedUnits(sheet, { units: usage.units, isByUnit, hasImageTokens });
  const perToken = sheet.input !== null || sheet.output !== null;
  if (sheet.otherModalities) {
    // Without the number of its audio and image tokens, such a call has no price.
    const isDivided = reportsModalities(event) || hasOneOutput;
    const mixed = modality === 'other' && (!isDivided || hasUnpricedTokens(sheet, usage));
    if (!charged.isPriced && (mixed || !perToken)) {
      // Tokens of which nothing says what they are give way to the other measure.
      const isMeasured =
        sheet.unitsForTokens === true && usage.units.some(({ kind }) => sheet[kind] !== null);
      if (!isMeasured || isByUnit) return 'unsupported_modality';
      const undivided = { ...event, input_tokens: undefined, output_tokens: undefined };
      return readingCost(undivided, identity, occurredAt, { prices, rules }, billing);
    }
  }
  // A unit that is the whole price contains the tokens. What other units cost comes on top of them.
  if (isByUnit && sheet.input !== null && !charged.isWhole) return 'usage_missing';
  // What is sold by the search only, and states none, is not free.
  if (!perToken && !charged.isPriced && sheet.rerank_search !== null) return 'usage_missing';

  // Some lists also contain an output price for embeddings. They generate no tokens, so a missing count is zero.
  const implied = searchesOf(rules, identity.model);
  const counted = {
    ...usage,
    units,
    output: usage.output ?? (modality === 'embedding' || (isByUnit && charged.isWhole) ? 0 : null),
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
