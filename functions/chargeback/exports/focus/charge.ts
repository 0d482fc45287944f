import type { AttributionRecord } from '../../../../schemas/attribution/attributionRecord.ts';
import type { CostComponent, CostExplanation } from '../../../../schemas/attribution/costExplanation.ts';
import { isFeeKind } from '../../../../schemas/attribution/unitPrices.ts';
import { formatFixedPoint, parseFixedPoint } from '../../../../schemas/fixedPoint.ts';
import type { LineKey, Price } from './line.ts';
import { type MeterKind, meters } from './meter.ts';

/** The number 1 in fixed point (units of 1e-12). */
export const ONE = parseFixedPoint('1');
const MILLION = 1_000_000n;

/** The charge for one meter of one call, in units of 1e-12. `priced` times the unit price equals `cost` exactly. */
export interface Charge {
  readonly price: Price;
  readonly consumed: bigint;
  readonly unit: LineKey['consumed'];
  readonly priced: bigint;
  readonly cost: bigint;
  /** `priced` times the published price, or the cost where none is known. */
  readonly listCost: bigint;
}

type Counts = Pick<
  AttributionRecord,
  'input_tokens' | 'cached_input_tokens' | 'cache_write_tokens' | 'output_tokens' | 'reasoning_tokens'
>;

/** Tokens of a meter when the cost component has no quantity. Null means unknown, not zero. */
const tokensOf = (kind: MeterKind, counts: Counts): number | null => {
  const { input_tokens: input, output_tokens: output } = counts;
  const cached = counts.cached_input_tokens ?? 0;
  const written = counts.cache_write_tokens ?? 0;
  switch (kind) {
    case 'input':
      return input === null || input < cached + written ? null : input - cached - written;
    case 'cached_input':
      return counts.cached_input_tokens;
    case 'cache_write':
      return counts.cache_write_tokens;
    case 'output':
      return output;
    case 'reasoning':
      return counts.reasoning_tokens;
    case 'request':
    case 'search':
    case 'file_search':
    case 'code_execution':
    case 'rerank_search':
    case 'audio_second':
    case 'video_second':
    case 'image':
    case 'page':
    case 'character':
    case 'cache_write_1h':
    case 'audio_input':
    case 'cached_audio_input':
    case 'audio_output':
    case 'image_input':
    case 'cached_image_input':
    case 'image_output':
      return null;
    case 'total':
      return input === null || output === null ? null : input + output;
  }
};

/** Consumed quantity in tokens, or one request when the token count is unknown. */
export const consumptionOf = (tokens: number | null): Pick<Charge, 'consumed' | 'unit'> =>
  tokens === null ? { consumed: ONE, unit: 'Requests' } : { consumed: BigInt(tokens) * ONE, unit: 'Tokens' };

/**
 * A cost without a unit price, expressed as the price of one request. Dividing it by tokens would round, and quantity times
 * price would no longer equal the cost.
 */
const statedCharge = (kind: MeterKind, cost: bigint, list: string, tokens: number | null): Charge => ({
  price: { meter: kind, per: 'each', unit: formatFixedPoint(cost), listUnit: null, list, terms: 'stated' },
  ...consumptionOf(tokens),
  priced: ONE,
  cost,
  listCost: cost,
});

/** `on-demand` only when the service tier has the list price. A tier with another or an unknown multiplier is `other`. */
const termsOf = ({ source, service_tier_multiplier: multiplier }: CostExplanation): Price['terms'] => {
  if (source === 'producer') return 'stated';
  return multiplier === '1' ? 'on-demand' : 'other';
};

/** A price per million. Null if its unit or its product with the quantity has more digits than an amount. */
const exactPrice = (perMillion: string, count: bigint, isFee: boolean) => {
  const million = parseFixedPoint(perMillion);
  if ((count * million) % MILLION !== 0n || (isFee && million % MILLION !== 0n)) return null;
  return { unit: formatFixedPoint(isFee ? million / MILLION : million), cost: (count * million) / MILLION };
};

/** The published price of a component. A contract price has one beside it, and that of a list is one itself. */
const publishedPrice = (
  { source, price_match }: CostExplanation,
  component: CostComponent,
): string | null => {
  if (source === 'contract') return component.list_unit_price_usd_per_million ?? null;
  const isListed = source === 'catalogue' || source === 'override';
  // The price of another model of the family is a guess.
  return isListed && price_match !== 'family' ? component.unit_price_usd_per_million : null;
};

const pricedCharge = (component: CostComponent, explained: CostExplanation): Charge | null => {
  const { kind, quantity, unit_price_usd_per_million: perMillion } = component;
  if (quantity === null || perMillion === null) return null;
  const count = BigInt(quantity);
  const isFee = isFeeKind(kind);
  const price = exactPrice(perMillion, count, isFee);
  if (price === null || price.cost !== parseFixedPoint(component.cost_usd)) return null;
  const published = publishedPrice(explained, component);
  const listed = published === null ? null : exactPrice(published, count, isFee);
  return {
    price: {
      meter: kind,
      per: isFee ? 'each' : 'millions',
      unit: price.unit,
      listUnit: listed?.unit ?? null,
      list: explained.catalogue,
      terms: termsOf(explained),
    },
    consumed: count * ONE,
    unit: isFee ? 'Requests' : 'Tokens',
    priced: isFee ? count * ONE : (count * ONE) / MILLION,
    cost: price.cost,
    listCost: listed?.cost ?? price.cost,
  };
};

/**
 * The charges of a call by meter. Each quantity times its price equals the cost of the meter, and the costs sum to the cost
 * of the record, exactly. Meters with neither quantity nor cost are left out, except when all are empty. When the components
 * do not sum to the record's cost, the result is one charge for the whole call.
 */
export const chargesOf = (
  record: Counts & { readonly cost_usd: string },
  cost: CostExplanation,
): readonly Charge[] => {
  const whole = parseFixedPoint(record.cost_usd);
  const { catalogue: list, components } = cost;
  const counted = components.filter(
    ({ quantity, cost_usd }) => quantity !== 0 || parseFixedPoint(cost_usd) !== 0n,
  );
  const charged = counted.length > 0 ? counted : components.slice(0, 1);
  const charges = charged.map(
    (component) =>
      pricedCharge(component, cost) ??
      statedCharge(
        component.kind,
        parseFixedPoint(component.cost_usd),
        list,
        tokensOf(component.kind, record),
      ),
  );
  const sum = charges.reduce((total, charge) => total + charge.cost, 0n);
  return charges.length > 0 && sum === whole
    ? charges
    : [statedCharge('total', whole, list, tokensOf('total', record))];
};

/** Whether the tokens of a charge were read or generated; null when the charge is not one of them alone. */
export const sideOf = ({ price, unit }: Charge) => (unit === 'Tokens' ? meters[price.meter].side : null);
