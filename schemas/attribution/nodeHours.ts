import * as z from 'zod';
import { DecimalString } from '../values.ts';

/** What the work of the calls of an hour is measured by. */
export const USE_MEASURES = ['tokens', 'seconds'] as const;

/** What the part of an hour that is charged to calls is measured by. */
export const BUSY_MEASURES = ['busy_time', 'whole_hour'] as const;

/** The energy of a node hour that became that of a call, in Wh. */
const NodeHourEnergy = z.object({
  hour_wh: DecimalString.meta({ description: 'Of all nodes of the pool in the hour' }),
  charged_wh: DecimalString.meta({ description: 'Its part that calls used' }),
  wh: DecimalString.meta({ description: 'Of this call' }),
  low: DecimalString,
  high: DecimalString,
});
export type NodeHourEnergy = z.infer<typeof NodeHourEnergy>;

/** How the cost of a node hour became the cost of a call. */
export const NodeHourShare = z.object({
  pool: z.string(),
  hour: z.iso.datetime(),
  hour_usd: DecimalString.meta({ description: 'Cost of all nodes of the pool in the hour' }),
  charged_usd: DecimalString.meta({ description: 'Its part that calls pay' }),
  busy: z.enum(BUSY_MEASURES).meta({
    description:
      'What charged_usd follows from. busy_time: the seconds in which calls ran. whole_hour: calls without a duration, so nothing says how long the nodes were idle',
  }),
  measure: z.enum(USE_MEASURES).meta({ description: 'What charged_usd is divided by' }),
  use: DecimalString.meta({ description: 'Of this call: weighted tokens, or seconds' }),
  whole_use: z.string().meta({ description: 'Of all calls of the hour' }),
  low: DecimalString,
  high: DecimalString,
  energy: NodeHourEnergy.optional().meta({ description: 'Only if the power of the nodes is stated' }),
});
export type NodeHourShare = z.infer<typeof NodeHourShare>;

/** The most credentials that a line names. */
export const LINE_CREDENTIALS_MAXIMUM = 10;

/** The cost of a pool in one hour: what its calls cost, and what nobody used. */
export const NodeHourLine = z
  .object({
    pool: z.string(),
    hour: z.iso.datetime(),
    cost_usd: DecimalString,
    charged_usd: DecimalString.meta({ description: 'The sum of the costs of the calls' }),
    idle_usd: DecimalString.meta({ description: 'cost_usd without charged_usd' }),
    energy_wh: DecimalString.optional().meta({ description: 'Only if the power of the nodes is stated' }),
    idle_wh: DecimalString.optional().meta({ description: 'energy_wh without that of the calls' }),
    busy: z.enum(BUSY_MEASURES),
    measure: z.enum(USE_MEASURES),
    calls: z.int(),
    unmeasured_calls: z.int().meta({ description: 'Calls whose use is unknown' }),
    credentials: z
      .array(z.object({ id: z.string(), calls: z.int(), charged_usd: DecimalString }))
      .optional()
      .meta({ description: `The ${LINE_CREDENTIALS_MAXIMUM} whose calls cost most` }),
    as_of: z.iso.datetime().meta({ description: 'With the calls recorded by then' }),
  })
  .meta({ id: 'NodeHourLine' });
export type NodeHourLine = z.infer<typeof NodeHourLine>;
