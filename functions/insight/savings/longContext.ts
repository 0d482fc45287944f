import { SAVING_CALLS_MINIMUM, type Saving } from '../../../schemas/insight/savings.ts';
import { decimal, toDecimalString, wholeNumber, ZERO } from '../../platform/shared/decimal.ts';
import type { ModelCalls } from '../reports/modelCalls.ts';
import {
  type PriceStep,
  priceSteps,
  type StepCalls,
  shortened,
  stepCalls,
  stepSaving,
} from './priceSteps.ts';
import { longContextRealised } from './realised/longContextRealised.ts';
import {
  callsIn,
  listPriceOf,
  paidFactor,
  type SavingsPeriod,
  type ServiceCalls,
  shown,
} from './serviceCalls.ts';
import { type Suggest, suggestion } from './suggestion.ts';
import { energySavedByTokens } from './tokenEnergy.ts';

/** The least share of the cost that is suggested (judgement): a few long calls are usual. */
const COST_SHARE_MINIMUM = '0.01';

const VERIFY =
  'Look at the dearest calls of the service: what they read above the length, and whether the answers need all of it. Leave out old turns, whole files and repeated results, and compare the share of calls above the length of the next days.';

const without = (all: ModelCalls, some: ModelCalls): ModelCalls => ({
  priced: all.priced - some.priced,
  unpriced: all.unpriced - some.unpriced,
  cost: all.cost.minus(some.cost),
  input: all.input - some.input,
  cached: all.cached - some.cached,
  written: all.written - some.written,
  output: all.output - some.output,
});

/**
 * What was paid for one USD of the list. A contract may have one price for all lengths. Then the long calls cost as little of their
 * list price as they would cost below the step, and only the other calls show it: the larger part counts.
 */
const factorOf = (all: ModelCalls, { above, justAbove }: StepCalls, step: PriceStep) => {
  const paid = paidFactor(justAbove, step.above);
  // Calls that read far more are among the others, at the price above the step, so they show nothing.
  const rest = above === callsIn(justAbove) ? paidFactor(without(all, justAbove), step.below) : null;
  if (paid === null) return null;
  return { factor: rest?.gt(paid) ? rest : paid, isCompared: rest !== null };
};

const suggestAt = (own: ServiceCalls, step: PriceStep, period: SavingsPeriod): Saving | null => {
  const { identity, cohorts, calls } = own;
  const found = stepCalls(cohorts, step);
  const { justAbove } = found;
  const paid = factorOf(calls, found, step);
  const saved = paid && stepSaving(justAbove, step, paid.factor);
  const isLittle = justAbove.cost.lt(calls.cost.times(COST_SHARE_MINIMUM));
  const most = saved === null || isLittle ? ZERO : saved.byPrice.eq(ZERO) ? ZERO : saved.most;
  const short = shortened(justAbove, step);
  const count = Math.max(1, callsIn(justAbove));
  return suggestion(own, period, {
    saving: 'long_context',
    most,
    calls: justAbove,
    energy_wh: energySavedByTokens(identity, justAbove, short, period),
    confidence: paid?.isCompared ? 'medium' : 'low',
    basis: {
      band_ends_at_tokens: step.length,
      calls_above: String(found.above),
      calls_just_above: String(callsIn(justAbove)),
      tokens_to_leave_out: wholeNumber(justAbove.input - short.input)
        .div(wholeNumber(count))
        .round(0)
        .toFixed(),
      just_above_usd: toDecimalString(justAbove.cost),
      due_to_price_usd: toDecimalString(saved?.byPrice ?? ZERO),
      input_usd_per_million: listPriceOf(step.below.uncached),
      input_usd_per_million_above: listPriceOf(step.above.uncached),
      paid_of_list: shown(paid?.factor ?? ZERO),
    },
    verify: VERIFY,
    realised: longContextRealised(own, step, period),
  });
};

/**
 * Calls that read just more tokens than those up to which a lower price applies to the whole call: at the step that saves most. They
 * may need all that they read, so the least is zero. The most is reached if each of them ends at the step.
 */
export const longContext: Suggest = (own, { weightsAt, period }) => {
  const { provider, served_model: model } = own.header;
  if (provider == null || model == null || callsIn(own.calls) < SAVING_CALLS_MINIMUM) return null;
  const [most = null] = priceSteps((tokens) => weightsAt(provider, model, period.at, tokens))
    .flatMap((step) => suggestAt(own, step, period) ?? [])
    .toSorted((one, other) => decimal(other.high_usd).cmp(one.high_usd));
  return most;
};
