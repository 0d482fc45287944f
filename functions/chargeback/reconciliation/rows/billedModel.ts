import type { BillRow } from '../../../../schemas/chargeback/reconciliation.ts';
import { isBedrockId, withoutArn } from '../../../impact/usage/bedrockId.ts';
import { modelIdentity } from '../../../impact/usage/modelIdentity.ts';
import { isBedrockEdition } from '../meters/bedrockModels.ts';
import { meterOfRow } from '../meters/rowMeter.ts';
import { normalizeModel, withoutMeter } from './normalizeModel.ts';

/** A provider and model on a bill; `model` is null for charges that name no model. */
export interface BilledModel {
  readonly provider: string;
  readonly model: string | null;
}

/**
 * An id of a cloud, which names nothing: of AWS (`QJ4MKZV6YQ8RD3TS.JRTCKXETXF`), Azure (`DZH318Z09V7F/0020`, `/subscriptions/…`, a
 * UUID), Google (`F3A6-D7B7-9BDA`) or Oracle (`B108077`).
 */
const OPAQUE =
  /^(?:(?=.*\d)(?:[A-Z0-9]{12,}|[A-Za-z0-9]{20,})(?:[./][A-Z0-9]+)*|[0-9A-F]{4}(?:-[0-9A-F]{4}){2}|B\d{5,}|[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4,12}){4}|\/(?:providers|subscriptions)\/.*)$/;

const named = (id: string | null | undefined): string | null => (id && !OPAQUE.test(id) ? id : null);

/** The model in the ARN of a resource, when the SKU has an opaque id. */
const bedrockResource = (provider: string, { ResourceId, ServiceName }: BillRow): string | null => {
  const model = provider === 'aws' ? withoutArn((ResourceId ?? '').toLowerCase()) : '';
  return isBedrockId('aws', model) && !isBedrockEdition(ServiceName ?? '') ? model : null;
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
    bedrockResource(provider, row) ??
    meterOfRow(row).model ??
    (row.SkuId ? null : named(row.ResourceId));
  return model === null ? { provider, model: null } : normalizeModel(name, model);
};
