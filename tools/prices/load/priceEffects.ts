import type { Factors } from '../../../functions/impact/factors.ts';
import { assessImpact } from '../../../functions/impact/impact.ts';
import type { Attribution } from '../../../functions/ledger/records/attribution.ts';
import { toInvocationEvent } from '../../../functions/ledger/records/storedEvent.ts';
import { Big, type Decimal, decimal, toDecimalString } from '../../../functions/platform/shared/decimal.ts';

/** What a load does to the records of one model. Costs are those of the records that change, in USD. */
export interface PriceEffect {
  readonly provider: string;
  readonly model: string;
  records: number;
  changed: number;
  before: Decimal;
  after: Decimal;
  /** Records whose cost becomes known. */
  priced: number;
}

export type PriceEffects = Map<string, PriceEffect>;

/**
 * Adds one record. Both costs are assessed again, so the difference is that of the load alone, and not that of an earlier
 * change that no job has applied to the record.
 */
export const addEffect = (
  effects: PriceEffects,
  { record, explanation, storedEvent }: Attribution,
  [before, after]: readonly [Factors, Factors],
): void => {
  // A span that repeats others has no cost of its own.
  if (explanation.cost?.source === 'structure') return;
  const [provider, model] = [record.provider, record.served_model ?? record.requested_model];
  const key = JSON.stringify([provider, model]);
  const effect = effects.get(key) ?? {
    ...{ provider, model, records: 0, changed: 0, priced: 0 },
    ...{ before: Big('0'), after: Big('0') },
  };
  effects.set(key, effect);
  effect.records += 1;
  const event = toInvocationEvent(record, storedEvent);
  const [was, is] = [before, after].map(
    (factors) =>
      assessImpact(event, new Date(record.occurred_at), factors, {
        confirmedUsd: storedEvent.confirmed_cost?.usd,
        divided: explanation.cost,
      }).cost,
  );
  const isSame = was?.central === is?.central && was?.low === is?.low && was?.high === is?.high;
  if (isSame) return;
  effect.changed += 1;
  effect.before = effect.before.plus(decimal(was?.central ?? '0'));
  effect.after = effect.after.plus(decimal(is?.central ?? '0'));
  if ((was ?? null) === null && is) effect.priced += 1;
};

/** The changed models as lines of text, the largest difference first. */
export const effectLines = (effects: PriceEffects): string[] => {
  const changed = [...effects.values()].filter((effect) => effect.changed > 0);
  const differenceOf = ({ before, after }: PriceEffect): Decimal => after.minus(before).abs();
  return changed
    .toSorted((one, other) => (differenceOf(other).gt(differenceOf(one)) ? 1 : -1))
    .map(
      ({ provider, model, records, changed: count, before, after, priced }) =>
        `  ${provider} ${model}: ${count} of ${records} records, ${toDecimalString(before)} -> ${toDecimalString(after)} USD` +
        (priced > 0 ? `, ${priced} without a cost before` : ''),
    );
};
