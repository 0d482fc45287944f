import type { KindPrices, PricedKind } from '../../../schemas/attribution/unitPrices.ts';

/** Where a rule comes from, and what it is about. */
interface Scope {
  /** Canonical names. Without it, the rule is about every provider. */
  readonly providers?: readonly string[] | undefined;
  /** Regular expression over the id of the priced model. */
  readonly models?: string | undefined;
  /** First day (UTC) of the rule, and the first day after it. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly source: string;
  /** Day on which the rule was compared with its source. */
  readonly checked: string;
}

/**
 * A multiplier of all prices per token. Without `times`, the multiplier is unknown: the list price is charged, and `low` and
 * `high` bound the cost.
 */
export interface MultiplierRule extends Scope {
  /** Names of service tiers, in lower case. Without it, the rule is about every tier. */
  readonly tiers?: readonly string[] | undefined;
  /** Regular expression over the region. Without it, the rule also holds where the region is unknown. */
  readonly regions?: string | undefined;
  /** `times / over`, because some multipliers are no finite decimals (5/3 for gpt-4o-mini). */
  readonly times?: string | undefined;
  readonly over?: string | undefined;
  /** Bounds of the true multiplier relative to the one that is charged. */
  readonly low?: string | undefined;
  readonly high?: string | undefined;
}

/** Prices that a vendor publishes for all models of a kind, which price tables leave out. */
export interface ModelRule extends Scope {
  /** Above so many tokens, calls cost as many times as much, unless the table lists bands of its own. */
  readonly above_tokens?: number | undefined;
  readonly factors?: Readonly<Partial<Record<PricedKind, string>>> | undefined;
  /** Kinds whose price is a multiple of that of other kinds, the first of which has a price. */
  readonly ratios?:
    | Readonly<Partial<Record<PricedKind, Readonly<Partial<Record<PricedKind, string>>>>>>
    | undefined;
  readonly prices?: KindPrices | undefined;
  /** Fee per million requests, which depends on what events do not report. It replaces that of the table. */
  readonly request?: { readonly low: string; readonly high: string } | undefined;
}

/** The rules of a price file. In each section, the first rule that is about a call decides; all rules of a model apply. */
export interface PriceRules {
  readonly tiers: readonly MultiplierRule[];
  readonly places: readonly MultiplierRule[];
  readonly models: readonly ModelRule[];
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
const patternOf = (text: string): RegExp => {
  const known = patterns.get(text) ?? new RegExp(text);
  patterns.set(text, known);
  return known;
};

const isAbout = (rule: Scope, { provider, model, at }: RuledCall): boolean =>
  (rule.providers?.includes(provider) ?? true) &&
  (rule.models === undefined || patternOf(rule.models).test(model)) &&
  (at === undefined ||
    ((rule.from === undefined || at.getTime() >= Date.parse(rule.from)) &&
      (rule.to === undefined || at.getTime() < Date.parse(rule.to))));

/** The first multiplier that holds for a call, or undefined. */
export const multiplierFor = (
  rules: readonly MultiplierRule[],
  call: RuledCall,
): MultiplierRule | undefined =>
  rules.find(
    (rule) =>
      isAbout(rule, call) &&
      (rule.tiers?.includes(call.tier ?? '') ?? true) &&
      (rule.regions === undefined ||
        (typeof call.region === 'string' && patternOf(rule.regions).test(call.region))),
  );

/** All rules about a model, in order. */
export const rulesOfModel = (rules: readonly ModelRule[], provider: string, model: string): ModelRule[] =>
  rules.filter((rule) => isAbout(rule, { provider, model }));
