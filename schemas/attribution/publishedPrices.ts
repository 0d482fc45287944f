import * as z from 'zod';
import { type PricedKind, Prices, UnitPrice } from './unitPrices.ts';

const Day = z.iso.date();
const Source = z.string().min(1, 'must say where the figures are from').max(500);

/** The prices of a model. `not_held`: price members of the source that the format has no kind for. */
export const ListedPrice = z.strictObject({
  ...Prices.shape,
  /** Highest price of a million searches, where it depends on a size that events do not report. */
  search_high: UnitPrice.optional(),
  /** Seconds and characters measure what tokens measure too: they have a price only where no tokens are reported. */
  units_for_tokens: z.boolean().optional(),
  not_held: z.array(z.string()).optional(),
});
export type ListedPrice = z.infer<typeof ListedPrice>;

/** A price from a day (UTC) on. `ended`: the price of the next source applies again. */
export const DatedPrice = z.strictObject({ from: Day, ended: z.boolean().optional(), ...ListedPrice.shape });
export type DatedPrice = z.infer<typeof DatedPrice>;

const place = {
  provider: z.string(),
  /** Regions for which the prices apply. Without regions they are the default prices of the provider. */
  regions: z.array(z.string().min(1)).min(1).optional(),
  source: Source,
  /** Day on which the prices were compared with the source. */
  checked: Day,
};

/** The prices of some models of one provider, from one source, by model id in lower case. */
export const PriceList = z.strictObject({
  ...place,
  models: z.record(z.string(), z.union([z.array(DatedPrice), ListedPrice])),
});
export type PriceList = z.infer<typeof PriceList>;

/** As {@link PriceList}, with a day for each price. */
export const DatedPriceList = z.strictObject({
  ...place,
  models: z.record(
    z.string(),
    z.array(DatedPrice, 'must be a list of prices, each with the day `from`, and not empty').min(1),
  ),
});

/** A quantifier after a group that has one: such a pattern can take minutes for one name. */
const NESTED_QUANTIFIER = /[+*}][^()]*\)[+*{]/;
const isPattern = (text: string): boolean => {
  try {
    new RegExp(text);
    return true;
  } catch {
    return false;
  }
};
const Pattern = z
  .string()
  .max(500)
  .refine(isPattern, 'must be a regular expression')
  .refine((text) => !NESTED_QUANTIFIER.test(text), 'must not repeat a group that repeats');

const Factor = z.string().regex(/^\d{1,4}(?:\.\d{1,6})?$/, 'must be a decimal string such as 1.1');

/** Where a rule comes from, and what it is about. */
const scope = {
  /** Canonical names. Without it, the rule is about every provider. */
  providers: z.array(z.string()).min(1).optional(),
  /** Regular expression over the id of the priced model. */
  models: Pattern.optional(),
  source: Source,
  /** Day on which the rule was compared with its source. */
  checked: Day,
};

/**
 * A multiplier of all prices per token. Without `times`, the multiplier is unknown: the list price is charged, and `low` and
 * `high` bound the cost.
 */
export const MultiplierRule = z.strictObject({
  ...scope,
  /** First day (UTC) of the rule, and the first day after it. */
  from: Day.optional(),
  to: Day.optional(),
  /** Names of service tiers, in lower case. Without it, the rule is about every tier. */
  tiers: z.array(z.string()).min(1).optional(),
  /** Regular expression over the region. Without it, the rule also holds where the region is unknown. */
  regions: Pattern.optional(),
  /** `times / over`, because some multipliers are no finite decimals (5/3 for gpt-4o-mini). */
  times: Factor.optional(),
  over: Factor.refine((text) => Number(text) !== 0, 'must not be zero').optional(),
  /** Bounds of the true multiplier relative to the one that is charged. */
  low: Factor.optional(),
  high: Factor.optional(),
  /** The lower bound for a long context, where the provider does not say that it serves one in the tier. */
  long_low: Factor.optional(),
});
export type MultiplierRule = z.infer<typeof MultiplierRule>;

/** What a moving alias named from a day (UTC) on. Before `certain_from`, it may have named the model before. */
const AliasTarget = z.strictObject({ from: Day, certain_from: Day.optional(), model: z.string().min(1) });
export type AliasTarget = z.infer<typeof AliasTarget>;

/** The moving aliases of a provider, which name other models over time, by alias in lower case. */
export const AliasList = z.strictObject({
  provider: z.string(),
  source: Source,
  checked: Day,
  models: z.record(z.string(), z.array(AliasTarget).min(1)),
});
export type AliasList = z.infer<typeof AliasList>;

type ByKind<Value> = Readonly<Partial<Record<PricedKind, Value>>>;

/** Prices that a vendor publishes for all models of a kind, which price tables leave out. */
export interface ModelRule {
  readonly providers?: readonly string[] | undefined;
  readonly models?: string | undefined;
  readonly source: string;
  readonly checked: string;
  /** Above so many tokens, calls cost as many times as much, unless the table lists bands of its own. */
  readonly above_tokens?: number | undefined;
  readonly factors?: ByKind<string> | undefined;
  /** Kinds whose price is a multiple of that of other kinds, the first of which has a price. */
  readonly ratios?: ByKind<ByKind<string>> | undefined;
  readonly prices?: ByKind<string> | undefined;
  /** Fee per million requests, which depends on what events do not report. It replaces that of the table. */
  readonly request?: FeeRange | undefined;
  /** The same of a million searches, where the table has no price for them. */
  readonly search?: FeeRange | undefined;
}

/** Bounds of a fee in USD per million. */
interface FeeRange {
  readonly low: string;
  readonly high: string;
}

/** How many web searches a call runs of which the producer reports none. */
export interface SearchRule {
  readonly models: string;
  readonly least: number;
  readonly most: number;
  /** Whether a quota of the account can cover the searches of a call. */
  readonly quota?: boolean | undefined;
  readonly source: string;
  readonly checked: string;
}

/** Kinds of tokens that are charged as the text beside them if a model has no price for them. */
export type MediaKind = 'audio_input' | 'audio_output' | 'image_output';

/** How many times as much as text tokens of media cost at most, where the model has no price for them. */
export interface MediaRule {
  readonly models?: string | undefined;
  readonly times: Readonly<Partial<Record<MediaKind, string>>>;
  readonly source: string;
  readonly checked: string;
}

/** Highest published prices in USD per million, for what has no price of its own. `output`: of any token. */
export interface HighestPrices {
  readonly prices: ByKind<string>;
  readonly source: string;
  readonly checked: string;
}

/**
 * What gateways and clients add to the id of a model: a regular expression that matches the end of the id, and the bounds of
 * the price as factors of the price of the model.
 */
export interface VariantRule {
  readonly providers?: readonly string[] | undefined;
  readonly suffix: string;
  readonly low: string;
  readonly high: string;
  /** USD for a million requests that a variant can cost on top. */
  readonly request?: string | undefined;
  readonly source: string;
  readonly checked: string;
}
