/**
 * What an attribute in any namespace states of a call by the end of its name: `cursor.model.name` its model,
 * `tfy.model.metric.cost_in_usd` its cost.
 */
type StatedByWords = 'model' | 'served model' | 'cost' | 'currency';

/** Longer names are none of a producer, and would cost the expressions below quadratic time. */
const LENGTH_MAXIMUM = 128;
const HINT = /model|cost/i;
const SERVED = /[._](?:response|served)[._]model(?:[._]?name)?$/i;
const MODEL = /\.model(?:[._]?name)?$/i;
const CURRENCY = /\.cost[._](?:cost_)?currency$/i;
/** The cost of the prompt or of the answer has another word before it. */
const COST =
  /(?:^(?=.*\.)|\.)(?:(?:total|request)_)?cost(?:_details)?(?:_json)?(?:[._](?:cost|total|amount|total_cost))?(?:[._](?:in_)?usd)?$/i;

/**
 * Costs in units of a plan, not in money. Copilot counts premium requests:
 * https://docs.github.com/en/copilot/concepts/billing/copilot-requests
 */
const IN_UNITS_OF_A_PLAN = /^github\.copilot\./;

/** Models of machines, as the conventions name them. */
const NO_MODEL = /^(?:device|host|hw|os|vehicle)\./;
const OF_SEVERAL_CALLS =
  /(?:^|[._])(?:session|conversation|thread|task|turn|cumulative|accumulated|budget|limits?|quota|context|history)s?[._]/i;

/** Whether an attribute counts several calls, or what is allowed. */
export const isOfSeveralCalls = (name: string): boolean => OF_SEVERAL_CALLS.test(name);

/** What an attribute states of a call, by the words at the end of its name. */
export const statedByWords = (name: string): StatedByWords | undefined => {
  if (name.length > LENGTH_MAXIMUM || !HINT.test(name)) return undefined;
  if (SERVED.test(name)) return 'served model';
  if (MODEL.test(name)) return NO_MODEL.test(name) ? undefined : 'model';
  if (CURRENCY.test(name)) return 'currency';
  const isMoney = COST.test(name) && !IN_UNITS_OF_A_PLAN.test(name);
  return isMoney && !isOfSeveralCalls(name) ? 'cost' : undefined;
};

/** Under which a value is kept that only the words of its name tell. */
export const statedName = (stated: StatedByWords): string => `${stated} by words`;
