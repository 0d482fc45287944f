import { DAY_MS, MINUTE_MS } from '../../../../schemas/durations.ts';
import { PRICE_CHANGES_MAXIMUM, type PriceChange } from '../../../../schemas/insight/changes.ts';
import type { Cohort } from '../../../ledger/cohorts/cohorts.ts';
import { startOf } from '../../../ledger/rollups/grain.ts';
import { type Decimal, toDecimalString } from '../../../platform/shared/decimal.ts';
import type { Interval } from '../../../platform/shared/time/interval.ts';
import { toIso } from '../../../platform/shared/time/toIso.ts';
import type { TokenWeights } from '../modelCalls.ts';

/** The prices of the tokens of a model at a moment (epoch milliseconds). Null if it has none. */
export type PricesAt = (provider: string, servedModel: string, at: number) => TokenWeights | null;

const price = (weight: Decimal | null): string | null => weight && toDecimalString(weight);

const shownPrices = ({ uncached, cached, written, output }: TokenWeights): PriceChange['now'] => ({
  uncached_input: price(uncached),
  cached_input: price(cached),
  cache_write: price(written),
  output: price(output),
});

const isSame = (one: TokenWeights | null, other: TokenWeights | null): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

/** The providers and models that cohorts show, each once. */
const modelsIn = (cohorts: readonly Cohort[]): readonly (readonly [string, string])[] => {
  const models = new Map<string, readonly [string, string]>();
  for (const { labels } of cohorts) {
    const { provider, served_model: model } = labels;
    if (typeof provider === 'string' && typeof model === 'string')
      models.set(JSON.stringify([provider, model]), [provider, model]);
  }
  return [...models.values()];
};

/** The first minute after `from` at which a price is no longer that of `from`. It is another one at `to`. */
const minuteOfChange = (at: (minute: number) => TokenWeights | null, { from, to }: Interval): number => {
  const before = at(from);
  let [same, other] = [from, to];
  while (other - same > MINUTE_MS) {
    const middle = same + Math.floor((other - same) / 2 / MINUTE_MS) * MINUTE_MS;
    if (isSame(at(middle), before)) same = middle;
    else other = middle;
  }
  return other;
};

const changesOf = (
  [provider, served_model]: readonly [string, string],
  { from, to }: Interval,
  pricesAt: PricesAt,
): PriceChange[] => {
  const at = (moment: number) => pricesAt(provider, served_model, moment);
  const changes: PriceChange[] = [];
  // A price by the time of the day is the same at each midnight: no change. The last midnight can be after the end.
  for (let day = startOf('day', from); day < to + DAY_MS; day += DAY_MS) {
    const [before, now] = [at(day - DAY_MS), at(day)];
    if (before === null || now === null || isSame(before, now)) continue;
    const moment = minuteOfChange(at, { from: day - DAY_MS, to: day });
    if (moment >= from && moment < to)
      changes.push({
        at: toIso(moment),
        provider,
        served_model,
        before: shownPrices(before),
        now: shownPrices(now),
      });
  }
  return changes;
};

/**
 * When the prices of models changed within an interval, the newest first. It names only models that the cohorts show. A model that
 * has a price for the first time, or no longer, has changed none.
 */
export const priceChanges = (
  cohorts: readonly Cohort[],
  interval: Interval,
  pricesAt: PricesAt,
): PriceChange[] =>
  modelsIn(cohorts)
    .flatMap((model) => changesOf(model, interval, pricesAt))
    .toSorted((one, other) => Date.parse(other.at) - Date.parse(one.at))
    .slice(0, PRICE_CHANGES_MAXIMUM);
