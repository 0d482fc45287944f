import { SAVING_CALLS_MINIMUM, type Saving } from '../../../schemas/insight/savings.ts';
import { replacementOf } from '../../impact/usage/modelAdvice.ts';
import { toDecimalString, ZERO } from '../../platform/shared/decimal.ts';
import type { TokenWeights } from '../reports/modelCalls.ts';
import { isShown } from './realised/realised.ts';
import { replacementRealised } from './realised/replacementRealised.ts';
import {
  atLeastZero,
  callsIn,
  listCostOf,
  restsOn,
  type SavingsPeriod,
  type ServiceCalls,
} from './serviceCalls.ts';
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
export const replacementModel = (
  own: ServiceCalls,
  all: readonly ServiceCalls[],
  weightsOf: (provider: string, model: string) => TokenWeights | null,
  period: SavingsPeriod,
): Saving | null => {
  const { header, identity, calls, weights } = own;
  const advice = replacementOf(identity.provider, identity.model);
  const other = advice && weightsOf(identity.provider, advice.replacement);
  if (advice === null || other === null) return null;
  const [listed, instead] = [listCostOf(calls, weights), listCostOf(calls, other)];
  if (listed === null || instead === null || calls.unpriced > 0) return null;
  const isEnough = callsIn(calls) >= SAVING_CALLS_MINIMUM && listed.gt(ZERO);
  const saved = (times: string) =>
    isEnough ? atLeastZero(calls.cost.minus(calls.cost.times(instead).times(times).div(listed))) : ZERO;
  const most = saved('1');
  const realised = replacementRealised(own, successorOf(own, all, advice.replacement), MORE_TOKENS, period);
  if (!isShown(most, realised)) return null;
  const { replacement: model, source, checked } = advice;
  return {
    saving: 'replacement_model',
    ...header,
    replacement: { model, source, checked },
    low_usd: period.monthly(saved(MORE_TOKENS)),
    high_usd: period.monthly(most),
    energy_wh: energySavedByModel(identity, { provider: identity.provider, model }, calls, period),
    confidence: 'medium',
    ...restsOn(calls),
    basis: {
      list_usd: toDecimalString(listed),
      replacement_list_usd: toDecimalString(instead),
      most_tokens: MORE_TOKENS,
    },
    verify: VERIFY,
    realised,
  };
};
