import * as z from 'zod';
import { DecimalString } from '../values.ts';

/** Why the cost of a call is unknown. */
export const CostUnknown = z
  .enum([
    'price_not_found',
    'usage_missing',
    'usage_inconsistent',
    'unsupported_modality',
    'out_of_range',
    'implausible_cost',
    'node_hour_open',
  ])
  .meta({
    id: 'CostUnknown',
    description:
      'implausible_cost: the cost waits for a confirmation. node_hour_open: the cost of the own nodes in that hour is not divided yet, or by a use that this call does not report',
  });
export type CostUnknown = z.infer<typeof CostUnknown>;

/** The data of an event about a cost that is implausible. The record may not be written yet. */
export const ImplausibleCost = z
  .object({
    attribution_id: z.string(),
    occurred_at: z.iso.datetime(),
    reported_cost_usd: DecimalString.nullable(),
    residency: z.string().nullable(),
  })
  .meta({
    id: 'CostImplausible',
    description: 'A cost is not counted until it is confirmed. At most one event an hour',
  });
