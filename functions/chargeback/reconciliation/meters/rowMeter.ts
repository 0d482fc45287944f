import type { BillRow } from '../../../../schemas/chargeback/reconciliation.ts';
import { modelIdentity } from '../../../impact/usage/modelIdentity.ts';
import { meterOfSku } from '../rows/normalizeModel.ts';
import { bedrockModelOf, isBedrockEdition } from './bedrockModels.ts';
import { readBedrockUsage, unitOfMarketplace } from './bedrockUsage.ts';
import { readCloudMeter } from './cloudMeter.ts';
import type { MeterReading } from './meterReading.ts';
import { readMeter } from './tokenMeter.ts';

const providerOf = ({ ServiceProviderName, ProviderName }: BillRow): string =>
  modelIdentity(ServiceProviderName ?? ProviderName ?? '', '').provider;

/** Reads a meter in the words of the provider. Null for providers whose meters only name tokens. */
const readerOf = (provider: string, row: BillRow): ((meter: string) => MeterReading) | null => {
  if (provider === 'azure' || provider === 'google')
    return (meter) => readCloudMeter(provider, meter, row.x_SkuMeterSubcategory ?? null);
  if (provider !== 'aws') return null;
  const product = row.ServiceName ?? '';
  if (!isBedrockEdition(product)) return (meter) => readBedrockUsage(meter, null);
  return (meter) => ({ ...readBedrockUsage(meter, product), model: bedrockModelOf(product) });
};

/** Columns of FOCUS, and of its versions by Azure (`x_SkuMeterName`) and AWS (`x_UsageType`), that name the meter. */
const metersOf = (provider: string, row: BillRow): string[] => {
  // FOCUS 1.0 has no column of the meter. Google describes a charge by it.
  const described = provider === 'google' ? row.ChargeDescription : null;
  const meters = [row.SkuMeter, row.x_SkuMeterName, row.x_UsageType, described].flatMap((text) => text ?? []);
  // A product of AWS Marketplace names its model itself.
  return meters.length === 0 ? [''] : meters;
};

/** What the meter of a bill row charges for: a column, or the end of the SKU. */
export const meterOfRow = (row: BillRow): MeterReading => {
  const provider = providerOf(row);
  const read = readerOf(provider, row);
  const readings = read === null ? [] : metersOf(provider, row).map(read);
  const named = readMeter(row.SkuMeter ?? meterOfSku(row.SkuId ?? '') ?? '');
  const { kind, tier } = [named, ...readings].find((reading) => reading.kind !== null) ?? {
    kind: null,
    tier: readings.find((reading) => reading.tier !== null)?.tier ?? null,
  };
  return { model: readings.find(({ model }) => model !== null)?.model ?? null, kind, tier };
};

/**
 * The unit of the quantity. Azure and Google measure tokens in `Units` and `count`, and a block of them is the unit of the price;
 * AWS Marketplace calls a block of tokens `Units`.
 */
export const unitOfRow = (row: BillRow): string => {
  const unit = row.ConsumedUnit ?? '';
  if (!/^(?:units?|count)$/i.test(unit)) return unit;
  const provider = providerOf(row);
  if (provider !== 'aws') return ['azure', 'google'].includes(provider) ? 'tokens' : unit;
  const meters = metersOf(provider, row).map((meter) =>
    unitOfMarketplace(meter, row.ChargeDescription ?? null),
  );
  return meters.find((known) => known !== null) ?? unit;
};
