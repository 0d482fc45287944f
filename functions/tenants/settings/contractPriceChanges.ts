import type { ContractPrice, ContractPrices } from '../../../schemas/attribution/contractPrices.ts';
import { contractPriceKey, type PriceChange } from '../../../schemas/routes/chargeback/contractPrices.ts';

/** Compares entries without the order of their members. */
const termsOf = (price: ContractPrice): string => JSON.stringify(Object.entries(price).toSorted());

/** The entries that differ between two lists: those of the new list in its order, then removed ones. */
export const contractPriceChanges = (before: ContractPrices, after: ContractPrices): PriceChange[] => {
  const earlier = new Map(before.map((price) => [contractPriceKey(price), price]));
  const keys = new Set(after.map(contractPriceKey));
  return [
    ...after.flatMap((price): PriceChange[] => {
      const known = earlier.get(contractPriceKey(price));
      if (known === undefined) return [{ kind: 'added', before: null, after: price }];
      return termsOf(known) === termsOf(price) ? [] : [{ kind: 'changed', before: known, after: price }];
    }),
    ...[...earlier]
      .filter(([key]) => !keys.has(key))
      .map(([, price]): PriceChange => ({ kind: 'removed', before: price, after: null })),
  ];
};
