import type { EnergyExplanation } from '../../../schemas/attribution/explanation.ts';
import type { WaterExplanation } from '../../../schemas/attribution/footprintExplanation.ts';
import { type Decimal, decimal, toDecimalString } from '../../platform/shared/decimal.ts';
import { capFigure } from '../usage/largestFigure.ts';
import type { ModelIdentity } from '../usage/modelIdentity.ts';
import { dataCentre } from './dataCentre.ts';
import type { Grid } from './grid.ts';
import type { Range } from './modelSize.ts';

/** Changes with every edit of a figure below. */
const WATER_VERSION = 'water-2026.11';

const GOOGLE: Range = { min: '0.99', max: '1.15' };
const MICROSOFT: Range = { min: '0.27', max: '0.569' };
const SEVERAL: Range = { min: '0.13', max: '0.99' };

/**
 * Water that evaporates on site, in litres for a kWh of the machines (WUE), as providers publish it or EcoLogits assigns it
 * (doi:10.21105/joss.07471): AWS 2024 (https://aws.amazon.com/about-aws/sustainability/), Microsoft 2025
 * (https://datacenters.microsoft.com/sustainability/efficiency), Google 2024 (https://arxiv.org/abs/2508.15734). The range is that of
 * the figures. Others have none: systems without evaporation use nearly no water, and others several litres.
 */
const ON_SITE: ReadonlyMap<string, Range> = new Map([
  ['aws', { min: '0.13', max: '0.15' }],
  ['google', GOOGLE],
  ['cohere', GOOGLE],
  ['azure', MICROSOFT],
  ['openai', MICROSOFT],
  ['anthropic', SEVERAL],
  ['huggingface', SEVERAL],
  ['mistral', { min: '0.09', max: '0.09' }],
]);

/**
 * Water consumed for a kWh of electricity, in litres, by country: Reig et al. 2020, Guidance for Calculating Water Use Embedded in
 * Purchased Electricity (World Resources Institute), over the mixes that EcoLogits publishes. ISO codes of two and three letters,
 * because the sources of grids use either.
 */
const ELECTRICITY = `
AT/AUT 5.7222, AU/AUS 4.7293, BE/BEL 2.6198, BR/BRA 18.6033, CA/CAN 8.1662, CH/CHE 5.6641, CL/CHL 10.5226, CN/CHN 6.0065,
DE/DEU 1.947, DK/DNK 3.1935, ES/ESP 6.2088, FI/FIN 4.5289, FR/FRA 3.6737, GB/GBR 2.329, GR/GRC 5.1451, ID/IDN 2.2554,
IE/IRL 1.4769, IN/IND 3.4368, IT/ITA 4.8374, JP/JPN 2.3063, KR/KOR 1.8877, MX/MEX 5.3047, MY/MYS 1.6778, NL/NLD 3.433,
NO/NOR 6.6633, NZ/NZL 14.9681, PL/POL 2.5135, SE/SWE 6.0315, TH/THA 2.8902, TW/TWN 1.4886, US/USA 3.1321, WORLD/WOR 3.908`;

const LITRES_PER_KWH: ReadonlyMap<string, string> = new Map(
  ELECTRICITY.split(',').flatMap((entry) => {
    const [codes = '', litres = ''] = entry.trim().split(' ');
    return codes.split('/').map((code) => [code, litres] as const);
  }),
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
    version: WATER_VERSION,
    low: toDecimalString(bound(energy.low, onSite.min, COUNTRY.low)),
    central: toDecimalString(decimal(cooling).plus(generation)),
    high: toDecimalString(capFigure(bound(energy.high, onSite.max, COUNTRY.high))),
    on_site_ml: cooling,
    electricity_ml: generation,
    wue_l_per_kwh: toDecimalString(middle(onSite)),
    electricity_l_per_kwh: electricity,
  };
};
