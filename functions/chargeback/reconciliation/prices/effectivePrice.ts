import { ContractPrice, type ContractPrices } from '../../../../schemas/attribution/contractPrices.ts';
import { type SuggestedPrice, tokenKinds } from '../../../../schemas/chargeback/suggestedPrices.ts';
import { DAY_MS } from '../../../../schemas/durations.ts';
import { contractPriceFinder } from '../../../impact/price/contractPrices.ts';
import { modelIdentity } from '../../../impact/usage/modelIdentity.ts';
import { regionName } from '../../../impact/usage/regionName.ts';
import { decimal } from '../../../platform/shared/decimal.ts';

/** The calls to which a suggested price must apply. */
interface PricedCalls {
  /** The models as the records name them. */
  readonly models: readonly string[];
  /** UTC dates. */
  readonly days: readonly string[];
  /** The regions of the bill rows. Null where a row names none. */
  readonly regions: readonly (string | null)[];
}

const hasSamePrices = (one: ContractPrice, other: ContractPrice): boolean =>
  tokenKinds.every((kind) => {
    const [first, second] = [one[kind], other[kind]];
    return first === undefined || second === undefined
      ? first === second
      : decimal(first).eq(decimal(second));
  });

/** Whether a price applies to the calls of all these models, if it is the only one. */
const appliesTo = (price: ContractPrice, models: readonly string[]): boolean => {
  const find = contractPriceFinder([price]);
  return models.every((name) => {
    const { provider, model } = modelIdentity(price.provider, name);
    return find(provider, model, Date.parse(price.from), null) !== null;
  });
};

/** The regions of these calls in which an existing entry with other prices applies instead of the new one. */
const overriddenRegions = (
  price: ContractPrice,
  { models, days }: PricedCalls,
  regions: readonly string[],
  existing: ContractPrices,
): string[] => {
  const find = contractPriceFinder([...existing, price]);
  const isOverridden = (region: string): boolean =>
    models.some((name) => {
      const { provider, model } = modelIdentity(price.provider, name);
      return days.some((day) => {
        const applied = find(provider, model, Date.parse(day) + DAY_MS - 1, region);
        return applied?.region !== undefined && !hasSamePrices(applied, price);
      });
    });
  return regions.filter(isOverridden).sort();
};

/**
 * The entry, if it is a valid contract price that applies to the calls of all these models, and of no others. An entry of a
 * region wins against one without. So the price gets the region of the bill, if the bill has one region and an entry of
 * it would win. Other regions whose entries win are returned, unless the caller may not read the existing entries (null).
 */
export const effectivePrice = (
  entry: object,
  calls: PricedCalls,
  existing: ContractPrices | null,
): Pick<SuggestedPrice, 'price' | 'overridden_in'> | null => {
  const { data: price } = ContractPrice.safeParse(entry);
  if (price === undefined || price.model.endsWith('*') || !appliesTo(price, calls.models)) return null;
  if (existing === null) return { price };
  const named = [...new Set(calls.regions.flatMap((region) => region ?? []))];
  const isKnown = !calls.regions.includes(null);
  const ofEntries = existing.flatMap(({ region }) => (region === undefined ? [] : regionName(region)));
  const regions = isKnown ? named : [...new Set(ofEntries)];
  const overridden = overriddenRegions(price, calls, regions, existing);
  const [region, ...others] = named;
  if (overridden.length > 0 && isKnown && region !== undefined && others.length === 0) {
    const regional = { ...price, region };
    if (overriddenRegions(regional, calls, regions, existing).length === 0) {
      return { price: regional, overridden_in: [] };
    }
  }
  return { price, overridden_in: overridden };
};
