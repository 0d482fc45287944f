import type { BillRow } from '../../schemas/reconciliation.ts';
import { withoutArea } from '../impact/bedrockId.ts';
import { type ModelIdentity, modelIdentity } from '../impact/modelIdentity.ts';
import { KNOWN_ALIASES, withoutSnapshot } from '../impact/price/priceMatch.ts';

/** A SKU that names a model's meter: `openai/gpt-4o/input`, or the model with the meter behind a comma. */
const METER =
  /(?:\/|,\s*)(?:input|cached[ _]input|cache[ _]write|output|reasoning|requests?|tokens?)(?:[ _]tokens?)?$/i;

/**
 * The spelling of a provider and model that bills and records share: of a snapshot its model, of a regional profile the
 * model it routes to, of an alias what it stands for.
 */
export const normalizeModel = (provider: string, model: string): ModelIdentity => {
  const identity = modelIdentity(provider, model);
  const line = withoutSnapshot(withoutArea(identity.model));
  return { provider: identity.provider, model: KNOWN_ALIASES.get(line) ?? line };
};

/** A line, or a charge of a provider that names no model. */
export interface BilledModel {
  readonly provider: string;
  readonly model: string | null;
}

/** What a row of a bill charges for. */
export const billedModelOf = (row: BillRow): BilledModel => {
  const provider = row.ServiceProviderName ?? row.ProviderName ?? '';
  const model = row.x_Model ?? row.x_ServedModelId ?? row.SkuId?.replace(METER, '') ?? row.ResourceId ?? null;
  return model === null
    ? { provider: modelIdentity(provider, '').provider, model: null }
    : normalizeModel(provider, model);
};
