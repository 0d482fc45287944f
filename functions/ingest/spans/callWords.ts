/**
 * What an attribute in any namespace states of a call by the end of its name: `cursor.model.name` its model,
 * `tfy.model.metric.cost_in_usd` its cost.
 */
type StatedByWords =
  | 'model'
  | 'provider'
  | 'area'
  | 'tier'
  | 'speed'
  | 'served model'
  | 'cost in USD'
  | 'amount'
  | 'other amount'
  | 'byok'
  | 'upstream cost'
  | 'currency';

/** Longer names are none of a producer, and would cost the expressions below quadratic time. */
const LENGTH_MAXIMUM = 128;
const HINT = /model|cost|provider|vendor|nano_aiu|geo|byok/i;
/** What a provider answers of the tier that served the call. Elsewhere, a tier can be one of a customer. */
const TIER =
  /^ai\.response\.providerMetadata\.[\w-]+\.(?:usage(?:_?metadata)?\.)?(?:(service_?tier|traffic_?type)|speed)$/i;
const SERVED = /[._](?:response|served)[._]model(?:[._]?name)?$/i;
const PROVIDER = /(?:^(?:llm|ai)|[._](?:model|llm|ai|span))[._](?:provider|vendor)(?:[._]?name)?$/i;
const MODEL = /\.model(?:[._]?(?:name|used))?$/i;
/**
 * Whether the caller of OpenRouter pays the provider, and what the provider charged. OpenRouter alone states it, and its costs are
 * in USD: https://openrouter.ai/docs/use-cases/usage-accounting
 */
const BYOK = /[._]is_byok$/;
const UPSTREAM = /[._]upstream_inference_cost$/;
/** Where Anthropic keeps a call, which sets its price. */
const AREA = /[._]inference_geo$/i;
const CURRENCY = /\.cost[._](?:cost_)?currency$/i;
/**
 * A cost, and the unit at the end of its name. The cost of the prompt or of the answer has another word before it or after it, which
 * is no unit.
 */
const COST =
  /(?:^(?=.*\.)|\.)(?:(?:total|request|response|call|estimated|actual|ai|llm|model|inference|generation)_)*cost(?:_details)?(?:_json)?(?:[._](?:total_cost|cost|total|amount))?(?:[._](?:in_)?((?:[a-z]+_)?[a-z]+))?$/;
/** The object of Langfuse, whose costs are in USD: https://langfuse.com/docs/observability/features/token-and-cost-tracking */
const LANGFUSE_OBJECT = /\.?cost_details(?:_json)?\.total$/;
/**
 * What only who charges for the call can know: the ticks of xAI, and the sum that Perplexity answers.
 * https://docs.x.ai/developers/cost-tracking, https://docs.perplexity.ai/api-reference
 */
const CHARGE = /[._]cost_in_usd_ticks$|\.perplexity\.cost\.total_cost$/;
/** USD, or parts of it, and how much of a dollar they are. */
const USD: ReadonlyMap<string, string | undefined> = new Map([
  ...['usd', 'dollar', 'dollars', 'us_dollars'].map((unit) => [unit, undefined] as const),
  ['usd_cents', '0.01'],
  ['usd_micros', '0.000001'],
  ['micro_usd', '0.000001'],
  ['usd_nanos', '0.000000001'],
  ['nano_usd', '0.000000001'],
  ['usd_ticks', '0.0000000001'],
]);
const CURRENCY_CODES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));
/** Copilot bills its AI units at a cent each: https://docs.github.com/copilot/concepts/billing */
const NANO_AIU = /[._](?:[a-z]+_)*nano_aiu$/;
const NANO_AIU_IN_DOLLARS = '0.00000000001';
/** Parts of a currency, and what plans count instead of money. */
const OTHER_UNITS = /^(?:cents?|euros?|pounds?|yen|yuan|nano|micros?|credits?|units?|points?|requests?)$/;

/** Models of machines, as the conventions name them. */
const NO_MODEL = /^(?:device|host|hw|os|vehicle)\./;
const OF_SEVERAL_CALLS =
  /(?:^|[._])(?:session|conversation|thread|task|turn|cumulative|accumulated|budget|limits?|quota|context|history)s?[._]/i;

/** Whether an attribute counts several calls, or what is allowed. */
export const isOfSeveralCalls = (name: string): boolean => OF_SEVERAL_CALLS.test(name);

const wordsOf = (name: string): string => name.replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase();

/** Whether an attribute has what was charged for the call, and not what somebody computed. */
export const isCharge = (name: string): boolean =>
  name.length <= LENGTH_MAXIMUM && /cost/i.test(name) && CHARGE.test(wordsOf(name));

/** How much of a dollar the unit in the name of a cost is; undefined for a dollar. */
export const partOfDollar = (name: string): string | undefined =>
  NANO_AIU.test(name) ? NANO_AIU_IN_DOLLARS : USD.get(COST.exec(wordsOf(name))?.[1] ?? '');

/**
 * What the name of a cost says of its unit. Without one, only a currency beside it tells: producers count credits, premium
 * requests and other currencies under such names too.
 */
const costByWords = (name: string): 'cost in USD' | 'amount' | 'other amount' | undefined => {
  if (NANO_AIU.test(name)) return 'cost in USD';
  const words = wordsOf(name);
  const found = COST.exec(words);
  if (found === null || isOfSeveralCalls(name)) return undefined;
  const [, unit] = found;
  if (unit === undefined) return LANGFUSE_OBJECT.test(words) || CHARGE.test(words) ? 'cost in USD' : 'amount';
  if (USD.has(unit)) return 'cost in USD';
  return CURRENCY_CODES.has(unit.toUpperCase()) || OTHER_UNITS.test(unit) ? 'other amount' : undefined;
};

/** What an attribute states of a call, by the words at the end of its name. */
export const statedByWords = (name: string): StatedByWords | undefined => {
  if (name.length > LENGTH_MAXIMUM || !HINT.test(name)) return undefined;
  if (SERVED.test(name)) return 'served model';
  if (PROVIDER.test(name)) return 'provider';
  if (MODEL.test(name)) return NO_MODEL.test(name) ? undefined : 'model';
  if (AREA.test(name)) return 'area';
  const tier = TIER.exec(name);
  if (tier !== null) return tier[1] === undefined ? 'speed' : 'tier';
  if (CURRENCY.test(name)) return 'currency';
  const words = wordsOf(name);
  if (BYOK.test(words)) return 'byok';
  if (UPSTREAM.test(words)) return 'upstream cost';
  return costByWords(name);
};

/** Under which a value is kept that only the words of its name tell. */
export const statedName = (stated: StatedByWords): string => `${stated} by words`;
