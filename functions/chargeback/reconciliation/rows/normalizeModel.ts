import { KNOWN_ALIASES, normalizeSeparators, withoutSnapshot } from '../../../impact/price/priceMatch.ts';
import { isBedrockId, withoutArea } from '../../../impact/usage/bedrockId.ts';
import { type ModelIdentity, modelIdentity } from '../../../impact/usage/modelIdentity.ts';
import { bedrockModelOf } from '../meters/bedrockModels.ts';

/** Meter suffix of a SKU: `openai/gpt-4o/input`, or the meter after a comma. */
const METER =
  /(?:\/|,\s*)(?:input|cached[ _]input|cache[ _]write|output|reasoning|requests?|tokens?)(?:[ _]tokens?)?$/i;

/** A SKU without the meter at its end. */
export const withoutMeter = (sku: string): string => sku.replace(METER, '');

/** The meter at the end of a SKU; null if it has none. */
export const meterOfSku = (sku: string): string | null =>
  METER.exec(sku)?.[0].replace(/^[/,\s]+/, '') ?? null;

/**
 * The model of a Bedrock id without what its bills do not name: the date and a first version (`-20250929-v1:0`). A second
 * version stays, because it can be another model: `titan-embed-text-v2`.
 */
const bedrockLine = (id: string): string =>
  normalizeSeparators(id.replace(/(?:-v?1)?:0(?::\w+)?$|-v1$/, '').replace(/-20\d{6}(?=-v\d+$|$)/, ''));

/** The id of a name that the pages of a provider show: `Claude Sonnet 4.5`. */
const idOfName = (name: string): string =>
  name.trim().includes(' ')
    ? (bedrockModelOf(name)?.replace(/^anthropic\./, '') ?? name.trim().replaceAll(/\s+/g, '-'))
    : name;

/** Bills of Google leave out that a model is a preview. */
const PREVIEW = /-preview$/;

/**
 * Normalizes provider and model so that bills and records match. A snapshot becomes its model, a regional profile the model
 * it routes to, and an alias its target.
 */
export const normalizeModel = (provider: string, rawModel: string): ModelIdentity => {
  const identity = modelIdentity(provider, idOfName(rawModel));
  const model = withoutArea(identity.model);
  const line = isBedrockId(identity.provider, model) ? bedrockLine(model) : withoutSnapshot(model);
  const bare = identity.provider === 'google' ? line.replace(PREVIEW, '') : line;
  return { provider: identity.provider, model: KNOWN_ALIASES.get(bare) ?? bare };
};
