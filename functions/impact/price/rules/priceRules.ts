import type {
  MediaKind,
  MediaRule,
  ModelRule,
  MultiplierRule as PublishedRule,
  SearchRule,
} from '../../../../schemas/attribution/publishedPrices.ts';

/** A multiplier of the service, or of a load, whose version the record then names. */
export interface MultiplierRule extends PublishedRule {
  readonly version?: string | undefined;
}

/** The rules of a price file. In each section, the first rule that is about a call decides; all rules of a model apply. */
export interface PriceRules {
  readonly tiers: readonly MultiplierRule[];
  readonly places: readonly MultiplierRule[];
  readonly models: readonly ModelRule[];
  readonly searches: readonly SearchRule[];
  readonly media: readonly MediaRule[];
}

/** What a rule is looked up for. */
export interface RuledCall {
  readonly provider: string;
  readonly model: string;
  readonly at?: Date | undefined;
  readonly tier?: string | undefined;
  readonly region?: string | null | undefined;
}

const patterns = new Map<string, RegExp>();
export const patternOf = (text: string): RegExp => {
  const known = patterns.get(text) ?? new RegExp(text);
  patterns.set(text, known);
  return known;
};

const isAbout = (
  rule: Pick<ModelRule, 'providers' | 'models'>,
  { provider, model }: Pick<RuledCall, 'provider' | 'model'>,
): boolean =>
  (rule.providers?.includes(provider) ?? true) &&
  (rule.models === undefined || patternOf(rule.models).test(model));

/** A rule holds from its first day (UTC) to its last. Without a time, it holds on any. */
const holdsAt = ({ from, to }: MultiplierRule, at: Date | undefined): boolean =>
  at === undefined ||
  ((from === undefined || at.getTime() >= Date.parse(from)) &&
    (to === undefined || at.getTime() < Date.parse(to)));

const isAboutModel = ({ models }: { readonly models?: string | undefined }, model: string): boolean =>
  models === undefined || patternOf(models).test(model);

const NO_SEARCHES = { least: 0, most: 0 } as const;

/** The web searches of a call for which the producer reports none, and whether a quota can cover those of a call. */
export const searchesOf = (
  { searches }: Pick<PriceRules, 'searches'>,
  model: string,
): Pick<SearchRule, 'least' | 'most' | 'quota'> =>
  searches.find((rule) => isAboutModel(rule, model)) ?? NO_SEARCHES;

/** How many times as much as text tokens of a medium cost at most. */
export const mediaTimes = ({ media }: Pick<PriceRules, 'media'>, model: string, kind: MediaKind): string =>
  media.find((rule) => rule.times[kind] !== undefined && isAboutModel(rule, model))?.times[kind] ?? '1';

/** The first multiplier that holds for a call, or undefined. */
export const multiplierFor = (
  rules: readonly MultiplierRule[],
  call: RuledCall,
): MultiplierRule | undefined =>
  rules.find(
    (rule) =>
      isAbout(rule, call) &&
      holdsAt(rule, call.at) &&
      (rule.tiers?.includes(call.tier ?? '') ?? true) &&
      (rule.regions === undefined ||
        (typeof call.region === 'string' && patternOf(rule.regions).test(call.region))),
  );

/** The price list of a record, with the load whose rule decided. */
export const withVersion = (catalogue: string, version: string | undefined): string =>
  version === undefined || catalogue.endsWith(version) ? catalogue : `${catalogue}+${version}`;

/** All rules about a model, in order. */
export const rulesOfModel = (rules: readonly ModelRule[], provider: string, model: string): ModelRule[] =>
  rules.filter((rule) => isAbout(rule, { provider, model }));
