import { SAVING_CALLS_MINIMUM } from '../../../schemas/insight/savings.ts';
import { cacheMinimumOf } from '../../impact/usage/modelAdvice.ts';
import { type Decimal, decimal, wholeNumber } from '../../platform/shared/decimal.ts';
import { NO_CALLS } from '../reports/modelCalls.ts';
import { cachingRealised } from './realised/cachingRealised.ts';
import {
  atLeastZero,
  callsIn,
  inDollars,
  listPriceOf,
  paidFactor,
  type ServiceCalls,
  shareOf,
  shown,
} from './serviceCalls.ts';
import { type Suggest, suggestion } from './suggestion.ts';
import { energySavedByTokens } from './tokenEnergy.ts';

/** What calls of a model can reach. */
interface Target {
  /** Of the input that is read from a cache. */
  readonly share: Decimal;
  /** Tokens that are written to the cache for each one that is read from it. */
  readonly writes: Decimal;
  readonly basis:
    | 'judgement'
    | 'other calls of the tenant to this model'
    | 'these calls in the period before';
}

/**
 * Where no other calls of the tenant show what is possible: half of the input, each written once for ten reads. A judgement, between
 * a system prompt before other questions and the turns of an agent.
 */
const JUDGED: Target = { share: decimal('0.5'), writes: decimal('0.1'), basis: 'judgement' };

/** The highest share that the calls reached before, or that another service reaches with the same model. */
const targetOf = (own: ServiceCalls, all: readonly ServiceCalls[]): Target => {
  const others = all.filter(
    ({ identity }) => identity.provider === own.identity.provider && identity.model === own.identity.model,
  );
  const reached = [
    { calls: own.before?.calls ?? NO_CALLS, basis: 'these calls in the period before' as const },
    ...others
      .filter((other) => other !== own)
      .map(({ calls }) => ({ calls, basis: 'other calls of the tenant to this model' as const })),
  ];
  const [best = JUDGED] = reached
    .filter(({ calls }) => callsIn(calls) >= SAVING_CALLS_MINIMUM && calls.cached > 0)
    .map(
      ({ calls, basis }): Target => ({
        share: shareOf(calls.cached, calls.input),
        writes: shareOf(calls.written, calls.cached),
        basis,
      }),
    )
    .toSorted((one, other) => other.share.cmp(one.share));
  return best;
};

const VERIFY =
  'Put what calls have in common at the start of the prompt, mark it for caching where the provider asks for it, and compare the cached input of the next days. If no call of the service reports cached input, find out first whether its producer reports it.';

/**
 * Calls with long inputs of which a cache serves a small part. No prompt is known, so nothing may be common to them: the least is
 * zero. The most is reached if as large a part of their input is cached as of other calls. Inputs below the minimum of the provider
 * hold fewer tokens than the number of calls times the minimum, so at least the rest is long enough.
 */
export const promptCaching: Suggest = (own, { all, period }) => {
  const { identity, calls, weights } = own;
  const { uncached, cached, written } = weights;
  const minimum = cacheMinimumOf(identity.provider, identity.model);
  const factor = paidFactor(calls, weights);
  const count = callsIn(calls);
  if (minimum === null || factor === null || uncached === null || cached === null) return null;
  if (count < SAVING_CALLS_MINIMUM || cached.gte(uncached)) return null;
  const target = targetOf(own, all);
  const longTokens = calls.input - count * minimum.tokens;
  const more = atLeastZero(
    wholeNumber(Math.max(0, longTokens)).times(target.share).minus(wholeNumber(calls.cached)),
  ).round(0, 0);
  const perToken = uncached.minus(cached).minus(target.writes.times((written ?? uncached).minus(uncached)));
  const most = atLeastZero(inDollars(more, perToken).times(factor));
  return suggestion(own, period, {
    saving: 'prompt_caching',
    most,
    calls,
    energy_wh: energySavedByTokens(
      identity,
      calls,
      { ...calls, cached: calls.cached + Number(more.toFixed()) },
      period,
    ),
    // Another service can ask what has more in common, so its share is no evidence about these calls.
    confidence: target.basis === 'these calls in the period before' ? 'medium' : 'low',
    basis: {
      input_tokens: String(calls.input),
      cached_input_tokens: String(calls.cached),
      minimum_tokens: String(minimum.tokens),
      minimum_source: minimum.source,
      target_share: shown(target.share),
      target_basis: target.basis,
      more_cached_tokens: more.toFixed(),
      input_usd_per_million: listPriceOf(uncached),
      cached_usd_per_million: listPriceOf(cached),
      written_for_each_read: shown(target.writes),
      paid_of_list: shown(factor),
    },
    verify: VERIFY,
    realised: cachingRealised(own, period),
  });
};
