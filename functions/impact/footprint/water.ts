import type { EnergyExplanation } from '../../../schemas/attribution/explanation.ts';
import type { WaterExplanation } from '../../../schemas/attribution/footprintExplanation.ts';
import { type Decimal, decimal, toDecimalString } from '../../platform/shared/decimal.ts';
import { capFigure } from '../usage/largestFigure.ts';
import type { ModelIdentity } from '../usage/modelIdentity.ts';
import { dataCentre } from './dataCentre.ts';
import type { Grid } from './grid.ts';
import type { Range } from './modelSize.ts';
import factors from './water.json' with { type: 'json' };

/**
 * Water that evaporates on site, in litres for a kWh of the machines (WUE), as operators publish it or EcoLogits assigns it. The
 * range is that of the figures. Others have none: systems without evaporation use nearly no water, and others several litres.
 */
const ON_SITE: ReadonlyMap<string, Range> = new Map(
  factors.on_site.flatMap(({ providers, min, max }) =>
    providers.map((provider) => [provider, { min, max }] as const),
  ),
);

/** Water consumed for a kWh of electricity, in litres, by ISO codes of two and three letters: sources of grids use either. */
const LITRES_PER_KWH: ReadonlyMap<string, string> = new Map(
  Object.entries(factors.electricity.litres_per_kwh).flatMap(([codes, litres]) =>
    codes.split('/').map((code) => [code, litres] as const),
  ),
);

/** How far the mix of a region can be from that of its country (judgement): hydropower evaporates most, and differs most. */
const COUNTRY = { low: '0.5', high: '2' } as const;

const middle = ({ min, max }: Range): Decimal => decimal(min).plus(max).times('0.5');

/**
 * Water that a call consumed, in millilitres: on site for cooling, and for its electricity. A litre for a kWh is a millilitre for
 * a Wh. Null where either part is unknown: a part of the water is no lower bound that anyone would read as such.
 */
export const assessWater = (
  { provider }: ModelIdentity,
  energy: EnergyExplanation | null,
  { zone }: Pick<Grid, 'zone'>,
): WaterExplanation | null => {
  const onSite = ON_SITE.get(provider.startsWith('huggingface') ? 'huggingface' : provider);
  // A zone of a grid begins with the code of its country, such as US-MIDA-PJM.
  const electricity = LITRES_PER_KWH.get(zone.split('-')[0] ?? '');
  if (energy === null || onSite === undefined || electricity === undefined) return null;
  const { pue } = dataCentre(provider);
  const onSiteMl = decimal(energy.central).div(middle(pue)).times(middle(onSite));
  const electricityMl = decimal(energy.central).times(electricity);
  const bound = (wh: string, litres: string, share: string): Decimal =>
    decimal(wh).div(middle(pue)).times(litres).plus(decimal(wh).times(electricity).times(share));
  const [cooling, generation] = [toDecimalString(onSiteMl), toDecimalString(electricityMl)];
  return {
    version: factors.version,
    low: toDecimalString(bound(energy.low, onSite.min, COUNTRY.low)),
    central: toDecimalString(decimal(cooling).plus(generation)),
    high: toDecimalString(capFigure(bound(energy.high, onSite.max, COUNTRY.high))),
    on_site_ml: cooling,
    electricity_ml: generation,
    wue_l_per_kwh: toDecimalString(middle(onSite)),
    electricity_l_per_kwh: electricity,
  };
};
