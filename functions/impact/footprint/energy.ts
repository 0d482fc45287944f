import type { EnergyExplanation } from '../../../schemas/attribution/explanation.ts';
import type { InvocationEvent } from '../../../schemas/ingest/invocationEvent.ts';
import { memoize, memoKey } from '../../platform/shared/caches/memoize.ts';
import { type Decimal, decimal, toDecimalString, wholeNumber } from '../../platform/shared/decimal.ts';
import { routingArea } from '../usage/bedrockId.ts';
import { isRerank, type Modality, modalityOf } from '../usage/modality.ts';
import { type ModelIdentity, priceRegion } from '../usage/modelIdentity.ts';
import { regionName } from '../usage/regionName.ts';
import { readUsage, type Usage } from '../usage/usage.ts';
import { pueOf } from './dataCentre.ts';
import { type Generation, generate } from './generation.ts';
import { ENERGY_METHOD, type InferenceRates, inferenceRates } from './inferenceRates.ts';
import { type ModelParameters, modelParameters, PARAMETERS_VERSION } from './modelParameters.ts';
import { ENERGY_UNCERTAINTY, estimateClass, rangeAround } from './uncertainty.ts';

export type EnergyUnknown = 'usage_missing' | 'usage_inconsistent' | 'unsupported_modality' | 'model_unknown';

/** The input of the energy model, or the reason why it cannot be applied. */
export interface ModelledCall {
  readonly class: ModelParameters['class'];
  readonly inputWh: Decimal;
  /** Tokens that were read and generated. */
  readonly read: Decimal;
  readonly generated: Decimal;
  readonly generation: Generation;
}

/** Reading a cached token moves memory but computes next to nothing: a tenth of an uncached one (judgement). */
const CACHED_SHARE = decimal('0.1');

/** Method of energy that the producer measured. */
export const METERED = 'metered';

/** Method of calls that generated no tokens: the figure contains only the prefill term of this service. */
const PREFILL_METHOD = 'prefill-flops';

const ratesOf = memoize((key): { class: ModelParameters['class']; rates: InferenceRates } | null => {
  const [provider = '', model = '', modality = '', region = ''] = key.split('\u0000');
  const parameters = modelParameters(model, modality === 'embedding' ? 'embedding' : 'text');
  if (parameters === null) return null;
  return { class: parameters.class, rates: inferenceRates(parameters, pueOf(provider, region)) };
});

/** Output tokens. Embeddings generate none, so a missing count is zero. */
const outputOf = (usage: Usage, modality: Modality): number | null =>
  usage.output ?? (modality === 'embedding' ? 0 : null);

/** Models the energy and hardware of a call from its token counts, for the model that its id named at that time. */
export const modelCall = (event: InvocationEvent, identity: ModelIdentity): ModelledCall | EnergyUnknown => {
  const modality = modalityOf(event.operation, identity.model);
  if (modality === 'other' || isRerank(event.operation, identity.model)) return 'unsupported_modality';
  const usage = readUsage(event);
  if (typeof usage === 'string') return usage;
  const output = outputOf(usage, modality);
  if (output === null) return 'usage_missing';
  // The region of a call through a routing area is the caller's, not the one that served the call.
  const served = event.inference_region === undefined ? null : regionName(event.inference_region);
  const region =
    served ?? (routingArea(identity.model) === null ? priceRegion(identity, event.region) : null);
  const known = ratesOf(memoKey(identity.provider, identity.model, modality, region ?? ''));
  if (known === null) return 'model_unknown';

  const read = wholeNumber(usage.uncached + usage.cacheWrite).plus(
    wholeNumber(usage.cached).times(CACHED_SHARE),
  );
  return {
    class: known.class,
    inputWh: read.times(known.rates.inputWhPerToken),
    read,
    generated: wholeNumber(output),
    generation: generate(known.rates, output, event.latency_ms),
  };
};

/** Energy of a call in Wh: the measurement of the producer if there is one, else the modelled value. */
export const assessEnergy = (
  event: InvocationEvent,
  call: ModelledCall | EnergyUnknown,
): EnergyExplanation | EnergyUnknown => {
  if (event.energy_wh !== undefined) {
    const metered = rangeAround(decimal(event.energy_wh), ENERGY_UNCERTAINTY.A);
    return { method: METERED, version: 'producer', class: 'A', ...metered, components: null };
  }
  if (typeof call === 'string') return call;
  const output = toDecimalString(call.generation.energyWh.central);
  const input = toDecimalString(call.inputWh);
  const components = { output_wh: output, input_wh: input };
  const evidence = estimateClass(call.class, {
    ...call,
    inputWh: decimal(input),
    outputWh: decimal(output),
  });
  return {
    method: output === '0' ? PREFILL_METHOD : ENERGY_METHOD,
    version: PARAMETERS_VERSION,
    class: call.class,
    ...rangeAround(decimal(output).plus(input), ENERGY_UNCERTAINTY[evidence]),
    components,
  };
};
