import type { Attribution } from '../../../ledger/records/attribution.ts';
import type { SameCall } from '../../../ledger/records/sameCall/sameCall.ts';
import { decimal } from '../../../platform/shared/decimal.ts';
import { nearnessOf } from '../observations/observationParts.ts';

/**
 * How much a record tells of the cost. One that repeats a span below says nothing, and one without a price that it is unknown. A
 * cost of 0 that another credential states says less than that.
 */
const knowledgeOf = ({ record, explanation }: Attribution, areOfOneCredential: boolean): number => {
  if (explanation.cost?.source === 'structure') return 0;
  if (record.cost_usd === null) return 2;
  return !areOfOneCredential && decimal(record.cost_usd).eq('0') ? 1 : 3;
};

/** How uncertain the cost of a record is. */
const widthOf = ({ explanation: { cost } }: Attribution) =>
  decimal(cost?.high ?? '0').minus(cost?.low ?? '0');

/**
 * The records of a call, first the one that stands for it: with a cost of its own, from whoever is nearest to the provider, and
 * the most certain one. But no credential lowers the cost that another one stated, nor makes an unknown one 0.
 */
export const rankRecords = (records: readonly Attribution[]): Attribution[] => {
  const areOfOneCredential = new Set(records.map(({ storedEvent }) => storedEvent.stated_by?.id)).size === 1;
  const costOf = ({ record }: Attribution) => (areOfOneCredential ? '0' : (record.cost_usd ?? '0'));
  return records.toSorted(
    (one, other) =>
      knowledgeOf(other, areOfOneCredential) - knowledgeOf(one, areOfOneCredential) ||
      decimal(costOf(other)).cmp(costOf(one)) ||
      nearnessOf(other.record.ingestion_layer) - nearnessOf(one.record.ingestion_layer) ||
      widthOf(one).cmp(widthOf(other)) ||
      (one.record.id < other.record.id ? -1 : 1),
  );
};

/** The bounds of the costs that other records state. A range around that of the record that counts agrees with it. */
export const costsOf = (
  { explanation: { cost: own } }: Attribution,
  repeats: readonly Attribution[],
): SameCall['cost'] => {
  const costs = repeats.flatMap(({ explanation }) => explanation.cost ?? []);
  return costs
    .filter(
      ({ source, low, high }) =>
        source !== 'structure' && !(own && decimal(low).lte(own.low) && decimal(high).gte(own.high)),
    )
    .map(({ low, central, high }) => ({ low, central, high }))
    .reduce<SameCall['cost']>(
      (all, cost) =>
        all === undefined
          ? cost
          : {
              low: decimal(cost.low).lt(all.low) ? cost.low : all.low,
              central: all.central,
              high: decimal(cost.high).gt(all.high) ? cost.high : all.high,
            },
      undefined,
    );
};
