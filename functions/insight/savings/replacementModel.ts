import { SAVING_CALLS_MINIMUM } from '../../../schemas/insight/savings.ts';
import { replacementOf } from '../../impact/usage/modelAdvice.ts';
import { toDecimalString, ZERO } from '../../platform/shared/decimal.ts';
import { replacementRealised } from './realised/replacementRealised.ts';
import { atLeastZero, callsIn, listCostOf, type ServiceCalls } from './serviceCalls.ts';
import { type Suggest, suggestion } from './suggestion.ts';
import { energySavedByModel } from './tokenEnergy.ts';

/**
 * How many times as many tokens another model may count for the same text: Anthropic states up to 1.35 times for the tokenizer of
 * Opus 4.7 (https://platform.claude.com/docs/en/about-claude/models/whats-new-claude-4-7). For other models a judgement.
 */
const MORE_TOKENS = '1.35';

const VERIFY =
  'Read the migration notes of the provider, run your evaluation of answers with both models, and compare the tokens of the same requests.';

const byHeader = ({ header: { kind, owner, service, provider } }: ServiceCalls): string =>
  JSON.stringify([kind, owner ?? owner === null, service ?? service === null, provider]);

/** The calls of the same owner and service to the recommended model. */
const successorOf = (own: ServiceCalls, all: readonly ServiceCalls[], model: string) =>
  all.find((other) => other.identity.model === model && byHeader(other) === byHeader(own));

/** Calls to a model for which the provider itself recommends another one, whose prices for the same tokens are lower. */
export const replacementModel: Suggest = (own, { all, weightsAt, period }) => {
  const { identity, calls, weights } = own;
  const advice = replacementOf(identity.provider, identity.model);
  const other = advice && weightsAt(identity.provider, advice.replacement, period.at);
  if (advice === null || other === null) return null;
  const [listed, instead] = [listCostOf(calls, weights), listCostOf(calls, other)];
  if (listed === null || instead === null || calls.unpriced > 0) return null;
  const isEnough = callsIn(calls) >= SAVING_CALLS_MINIMUM && listed.gt(ZERO);
  const saved = (times: string) =>
    isEnough ? atLeastZero(calls.cost.minus(calls.cost.times(instead).times(times).div(listed))) : ZERO;
  const { replacement: model, source, checked } = advice;
  return suggestion(own, period, {
    saving: 'replacement_model',
    replacement: { model, source, checked },
    least: saved(MORE_TOKENS),
    most: saved('1'),
    calls,
    energy_wh: energySavedByModel(identity, { provider: identity.provider, model }, calls, period),
    confidence: 'medium',
    basis: {
      list_usd: toDecimalString(listed),
      replacement_list_usd: toDecimalString(instead),
      most_tokens: MORE_TOKENS,
    },
    verify: VERIFY,
    realised: replacementRealised(own, successorOf(own, all, model), MORE_TOKENS, period),
  });
};
