import { CHANGE_PARTS, type ChangePart, type ChangeParts } from '../../../../schemas/insight/changes.ts';
import {
  type Decimal,
  decimal,
  sumOf,
  toDecimalString,
  wholeNumber,
  ZERO,
} from '../../../platform/shared/decimal.ts';
import { type ModelCalls, type TokenWeights, weighTokens } from '../modelCalls.ts';

/** The calls of a model in both periods. */
export interface ModelChange {
  readonly before: ModelCalls;
  readonly now: ModelCalls;
  /** Null if the model has no price. */
  readonly weights: TokenWeights | null;
}

type Parts = Partial<Record<ChangePart, Decimal>>;

/** A part of an amount, multiplied before it is divided, so that only the result is rounded. */
const partOf = (amount: Decimal, part: Decimal, whole: Decimal): Decimal => amount.times(part).div(whole);

/** The weights of the input and the output of calls. Null if a kind of tokens that occurs has none. */
const weigh = (calls: ModelCalls, weights: TokenWeights) => {
  const tokens = weighTokens(calls, weights);
  const sumWhere = (isOutput: boolean): Decimal =>
    sumOf((tokens ?? []).flatMap(({ kind, weighed }) => ((kind === 'output') === isOutput ? weighed : [])));
  return tokens && { input: sumWhere(false), output: sumWhere(true) };
};

/** What the calls would have cost at the mean cost of a call before. A new model has no other cost than its own. */
const atEarlierCost = ({ before, now }: ModelChange): Decimal =>
  before.priced === 0 ? now.cost : partOf(before.cost, wholeNumber(now.priced), wholeNumber(before.priced));

/** Divides the change of the cost of a call of one model. */
const divideUnitCost = (change: ModelChange): Parts => {
  const { before, now, weights } = change;
  const earlier = atEarlierCost(change);
  const undivided = { undivided_usd: now.cost.minus(earlier) };
  // Tokens of calls without a known cost cannot be told apart from those that the cost is for.
  if (weights === null || before.unpriced + now.unpriced > 0) return undivided;
  const [earlierTokens, laterTokens] = [weigh(before, weights), weigh(now, weights)];
  if (earlierTokens === null || laterTokens === null) return undivided;
  const tokensBefore = earlierTokens.input.plus(earlierTokens.output);
  const tokensNow = laterTokens.input.plus(laterTokens.output);
  if (before.priced === 0 || now.priced === 0 || tokensBefore.eq(ZERO) || tokensNow.eq(ZERO))
    return undivided;

  const costOf = (tokens: Decimal): Decimal => partOf(before.cost, tokens, tokensBefore);
  // The tokens if the same share of the input had been read from and written to a cache as before.
  const sameShare =
    before.input === 0
      ? laterTokens.input
      : partOf(earlierTokens.input, wholeNumber(now.input), wholeNumber(before.input));
  const atSameShare = costOf(sameShare.plus(laterTokens.output));
  return {
    tokens_usd: atSameShare.minus(earlier),
    cache_usd: costOf(tokensNow).minus(atSameShare),
    price_usd: now.cost.minus(costOf(tokensNow)),
  };
};

/** Divides what other numbers of calls changed, at the costs of calls before: into how many there were, and of which models. */
const divideCalls = (models: readonly ModelChange[]): Parts => {
  const calls = (side: 'before' | 'now'): Decimal =>
    sumOf(models.map((model) => wholeNumber(model[side].priced)));
  const before = sumOf(models.map((model) => model.before.cost));
  const now = sumOf(models.map(atEarlierCost));
  const sameMix = calls('before').eq(ZERO) ? now : partOf(before, calls('now'), calls('before'));
  return { volume_usd: sameMix.minus(before), mix_usd: now.minus(sameMix) };
};

const absolute = (text: string): Decimal => decimal(text).abs();

/**
 * Divides the change of cost between two periods by its causes. The parts, decimal strings in USD, sum exactly to the change: what
 * rounding to 12 digits leaves is added to the largest part. `hidden` are the calls whose model is not shown.
 *
 * The order is that of a price-volume-mix analysis: first the number of calls, then the models, then the tokens of a call, then
 * the price. Each step starts from the costs of the period before.
 */
export const changeParts = (
  models: readonly ModelChange[],
  hidden: Pick<ModelChange, 'before' | 'now'>,
): ChangeParts => {
  const divided: readonly Parts[] = [
    divideCalls(models),
    ...models.map(divideUnitCost),
    { undivided_usd: hidden.now.cost.minus(hidden.before.cost) },
  ];
  const rounded = CHANGE_PARTS.map(
    (part) => [part, toDecimalString(sumOf(divided.map((parts) => parts[part] ?? ZERO)))] as const,
  );
  const change = sumOf([...models, hidden].map(({ before, now }) => now.cost.minus(before.cost)));
  const rest = change.minus(sumOf(rounded.map(([, amount]) => amount)));
  const [largest] = rounded.toSorted(([, one], [, other]) => absolute(other).cmp(absolute(one)));
  const amountOf = (part: ChangePart): string => {
    const amount = rounded.find(([name]) => name === part)?.[1] ?? '0';
    return part === largest?.[0] ? toDecimalString(decimal(amount).plus(rest)) : amount;
  };
  return {
    volume_usd: amountOf('volume_usd'),
    mix_usd: amountOf('mix_usd'),
    tokens_usd: amountOf('tokens_usd'),
    cache_usd: amountOf('cache_usd'),
    price_usd: amountOf('price_usd'),
    undivided_usd: amountOf('undivided_usd'),
  };
};
