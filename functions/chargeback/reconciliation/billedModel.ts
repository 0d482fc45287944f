import type { BillRow } from '../../../schemas/chargeback/reconciliation.ts';
import { isBedrockId, withoutArn } from '../../impact/usage/bedrockId.ts';
import { modelIdentity } from '../../impact/usage/modelIdentity.ts';
import { bedrockModelOf, isBedrockEdition } from './meters/bedrockModels.ts';
import { readBedrockUsage } from './meters/bedrockUsage.ts';
import { modelOfMeter } from './meters/meterModel.ts';
import { normalizeModel, withoutMeter } from './normalizeModel.ts';

/** A provider and model on a bill; `model` is null for charges that name no model. */
export interface BilledModel {
  readonly provider: string;
  readonly model: string | null;
}

/**
 * An id of a cloud, which names nothing: of AWS (`QJ4MKZV6YQ8RD3TS.JRTCKXETXF`), Azure (`DZH318Z09V7F/0020`, `/subscriptions/…`),
 * Google (`F3A6-D7B7-9BDA`) or Oracle (`B108077`).
 */
const OPAQUE =
  /^(?:(?=.*\d)(?:[A-Z0-9]{12,}|[A-Za-z0-9]{20,})(?:[./][A-Z0-9]+)*|[0-9A-F]{4}(?:-[0-9A-F]{4}){2}|B\d{5,}|\/(?:providers|subscriptions)\/.*)$/;

const named = (id: string | null | undefined): string | null => (id && !OPAQUE.test(id) ? id : null);

/** The model in the ARN of a resource, when the SKU has an opaque id. */
const bedrockResource = (id: string | null | undefined): string | null => {
  const model = withoutArn((id ?? '').toLowerCase());
  return isBedrockId('aws', model) ? model : null;
};

/** Columns of FOCUS, and of its versions by Azure (`x_SkuMeterName`) and AWS (`x_UsageType`), that name the meter. */
const meterNamesOf = (row: BillRow): string[] =>
  [row.SkuMeter, row.x_SkuMeterName, row.x_UsageType].flatMap((text) => text ?? []);

const firstOf = (texts: readonly string[], read: (text: string) => string | null): string | null =>
  texts.reduce<string | null>((found, text) => found ?? read(text), null);

/** The model that the meter of a cloud names. Null for other providers, whose SKUs have names. */
const meteredModel = (provider: string, row: BillRow): string | null => {
  const names = meterNamesOf(row);
  if (provider === 'azure') return firstOf(names, (name) => modelOfMeter(provider, name));
  // FOCUS 1.0 has no column of the meter. Google describes a charge by it.
  if (provider === 'google')
    return firstOf([...names, row.ChargeDescription ?? ''], (name) => modelOfMeter(provider, name));
  if (provider !== 'aws') return null;
  const product = row.ServiceName ?? '';
  if (isBedrockEdition(product)) return bedrockModelOf(product);
  return bedrockResource(row.ResourceId) ?? firstOf(names, (name) => readBedrockUsage(name, null).model);
};

/** The provider and model of a bill row. */
export const billedModelOf = (row: BillRow): BilledModel => {
  const name = row.ServiceProviderName ?? row.ProviderName ?? '';
  const { provider } = modelIdentity(name, '');
  const sku = named(row.SkuId);
  const model =
    row.x_Model ??
    row.x_ServedModelId ??
    (sku && withoutMeter(sku)) ??
    meteredModel(provider, row) ??
    (row.SkuId ? null : named(row.ResourceId));
  return model === null ? { provider, model: null } : normalizeModel(name, model);
};
