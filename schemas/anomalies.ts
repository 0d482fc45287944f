import * as z from 'zod';
import { Between } from './budgets.ts';
import { Total } from './rollup.ts';

/** What cost is watched by: everything together, and each owner, service and model. */
export const AnomalyDimension = z.enum(['tenant', 'owner', 'service', 'served_model']);
export type AnomalyDimension = z.infer<typeof AnomalyDimension>;

export const AnomalyGrain = z.enum(['hour', 'day']);
export type AnomalyGrain = z.infer<typeof AnomalyGrain>;

const Driver = z
  .object({
    dimension: z.enum(['owner', 'service', 'provider', 'served_model']),
    value: z.string(),
    share: z.number().meta({ description: 'Of the excess, in steps of 0.05', example: 0.85 }),
  })
  .meta({ id: 'AnomalyDriver' });
export type Driver = z.infer<typeof Driver>;

export const Anomaly = z
  .object({
    id: z.string(),
    detected_at: z.iso.datetime(),
    updated_at: z.iso.datetime().meta({ description: 'When a further hour or day was last added to it' }),
    grain: AnomalyGrain.meta({ description: 'Whether hours or whole days of UTC were out of their range' }),
    dimension: AnomalyDimension,
    value: z
      .string()
      .nullable()
      .meta({ description: 'The owner, service or model; null for the whole tenant' }),
    residency: z
      .string()
      .nullable()
      .meta({ description: 'The lane the calls lie in; each is judged by itself' }),
    period: Between.meta({ description: 'Grows while the next hours or days are out of their range too' }),
    observed_usd: Total.meta({
      description: 'What the hours or days of it that were out of their range cost',
    }),
    expected_usd: z.object({ low: Total, central: Total, high: Total }).meta({
      description: 'What these were expected to cost, and the range that would have been no surprise',
    }),
    score: z.number().meta({
      description:
        'How many times as far from what was expected as the end of the range, of the worst hour or day: 1 is just outside',
    }),
    drivers: z.array(Driver).meta({
      description:
        'What most of the excess came from, the largest share first. Different dimensions look at the same excess from different sides. Groups of one to four persons are not named',
    }),
  })
  .meta({ id: 'Anomaly' });
export type Anomaly = z.infer<typeof Anomaly>;
