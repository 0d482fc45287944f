import type { CarbonExplanation, EnergyExplanation } from '../../../schemas/attribution/explanation.ts';
import type { InvocationEvent } from '../../../schemas/ingest/invocationEvent.ts';
import { decimal, toDecimalString } from '../../platform/shared/decimal.ts';
import type { ModelIdentity } from '../usage/modelIdentity.ts';
import type { ModelledCall } from './energy.ts';
import { gridOf } from './grid.ts';
import { marketBasedCarbon } from './marketBased.ts';
import { CARBON_UNCERTAINTY, classOfDeviation, rangeAround } from './uncertainty.ts';

export type CarbonUnknown = 'energy_unknown';

/** Method of carbon that the producer reports. */
export const PRODUCER = 'producer';

const WH_TO_KWH = decimal('0.001');

/**
 * Carbon of a call in gCO2e, location-based as ISO/IEC 21031 (SCI) requires: energy times the yearly average of the grid,
 * plus the call's share of the embodied carbon of the hardware. Metered energy of a model of unknown size has no embodied
 * share. The market-based figure of the electricity is beside it where the operator publishes a factor.
 */
export const assessCarbon = (
  event: InvocationEvent,
  identity: ModelIdentity,
  energy: EnergyExplanation | null,
  call: ModelledCall | null,
): CarbonExplanation | CarbonUnknown => {
  if (event.carbon_gco2e !== undefined) {
    // A producer's figure also depends on a grid factor, so it is at best as precise as metered energy in a known region.
    const stated = rangeAround(decimal(event.carbon_gco2e), CARBON_UNCERTAINTY.A.region);
    return {
      method: PRODUCER,
      version: 'producer',
      zone: null,
      zone_basis: null,
      year: null,
      intensity_gco2e_per_kwh: null,
      ...stated,
      components: null,
    };
  }
  if (energy === null) return 'energy_unknown';

  const grid = gridOf(identity, event.region, event.inference_region);
  const usage = toDecimalString(decimal(energy.central).times(WH_TO_KWH).times(grid.intensity));
  const marketBased = marketBasedCarbon(identity.provider, energy);
  const embodied = call === null ? '0' : toDecimalString(call.generation.embodiedG.central);
  return {
    method: 'location-based',
    version: grid.version,
    zone: grid.zone,
    zone_basis: grid.basis,
    year: grid.year,
    intensity_gco2e_per_kwh: toDecimalString(grid.intensity),
    ...rangeAround(
      decimal(usage).plus(embodied),
      CARBON_UNCERTAINTY[classOfDeviation(energy.gsd)][grid.place],
    ),
    components: { usage_gco2e: usage, embodied_gco2e: embodied },
    ...(marketBased !== null && { market_based: marketBased }),
  };
};
