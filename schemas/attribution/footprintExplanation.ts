import * as z from 'zod';
import { DecimalString } from '../values.ts';

/** Carbon of electricity by the contracts of the operator, beside the figure by its grid (GHG Protocol, scope 2). */
export const MarketBasedCarbon = z.object({
  usage_gco2e: DecimalString.meta({ description: 'Of the electricity. It takes the place of usage_gco2e' }),
  low: DecimalString,
  high: DecimalString,
  intensity_gco2e_per_kwh: DecimalString,
  year: z.int(),
  source: z.string(),
});
export type MarketBasedCarbon = z.infer<typeof MarketBasedCarbon>;

/** Water that was consumed for a call, in millilitres. */
export const WaterExplanation = z.object({
  version: z.string().meta({ example: 'water-2026.11' }),
  low: DecimalString,
  central: DecimalString,
  high: DecimalString,
  on_site_ml: DecimalString.meta({ description: 'For cooling the data centre' }),
  electricity_ml: DecimalString.meta({ description: 'Where the electricity was generated' }),
  wue_l_per_kwh: DecimalString.meta({ description: 'Of the operator, for a kWh of its machines' }),
  electricity_l_per_kwh: DecimalString.meta({ description: 'Of the country, for a kWh of electricity' }),
});
export type WaterExplanation = z.infer<typeof WaterExplanation>;

/** Energy and carbon that a producer reports, far above what the usage explains. */
export const SetAsideFootprint = z
  .object({ energy_wh: DecimalString.optional(), carbon_gco2e: DecimalString.optional() })
  .meta({ description: 'Figures far above what the usage explains. The record has an estimate instead' });
export type SetAsideFootprint = z.infer<typeof SetAsideFootprint>;
