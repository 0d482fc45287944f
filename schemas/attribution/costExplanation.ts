import * as z from 'zod';
import { BillingMode } from '../ingest/invocationEvent.ts';
import { DecimalString } from '../values.ts';
import { NodeHourShare } from './nodeHours.ts';
import { pricedKinds } from './unitPrices.ts';

/** Cost of one kind of token in USD. If quantity and unit price are known, their product is exactly the cost. */
export const CostComponent = z.object({
  kind: z.enum([...pricedKinds, 'total']).meta({
    description:
      'A kind other than input, cached_input, cache_write and output: only if the model prices it apart. total: the producer stated only the total, or parts with another sum',
  }),
  quantity: z.int().nullable().meta({
    description:
      'Tokens, or for other kinds what their name says, such as requests and seconds; null if only the cost is known',
  }),
  unit_price_usd_per_million: DecimalString.nullable(),
  list_unit_price_usd_per_million: DecimalString.optional().meta({
    description: 'Published price beside a contract price, if known',
  }),
  cost_usd: DecimalString,
});
export type CostComponent = z.infer<typeof CostComponent>;

export const CostExplanation = z.object({
  source: z
    .enum(['producer', 'contract', 'override', 'catalogue', 'structure', 'unmetered', 'node_hours'])
    .meta({
      description:
        'structure: the span repeats the usage of its child spans and has no own cost. unmetered: the call is paid by a subscription or in advance. node_hours: its part of what own nodes cost in the hour',
    }),
  catalogue: z
    .string()
    .meta({ description: 'Price list with version, or the producer', example: 'genai-prices@0.1.8' }),
  price_match: z.enum(['exact', 'alias', 'family']).nullable().meta({
    description: 'How the model was matched: exact id, a known alias, or only its family',
  }),
  priced_model: z.string().nullable(),
  service_tier_multiplier: DecimalString.nullable().meta({
    description: 'Null if it is unknown, or if the tier has prices of its own for each kind',
  }),
  differing_sources: z.array(z.string()).optional().meta({
    description:
      'Price tables that state another price for this call, with their day. The range contains their prices too. Absent if none does',
  }),
  uncertain: z
    .array(
      z.enum([
        'counting_convention',
        'client_estimate',
        'unpriced_usage',
        'unread_usage',
        'contradicting_statements',
        'possible_repeat',
      ]),
    )
    .optional()
    .meta({
      description:
        'Why the cost is a range, besides unknown cache use, regions and tiers. counting_convention: counts may or may not include cached or reasoning tokens. client_estimate: a client computed it; contains the list price. unpriced_usage: a part of the usage has no known price. unread_usage: the source names usage that an event cannot hold, or leaves tokens out; contains the most that it can be. contradicting_statements: contains what two credentials state. possible_repeat: spans below that are not read may report its usage, so it begins at 0',
    }),
  reported_usd: DecimalString.optional().meta({
    description: 'Cost that the producer reported, where it is not the cost of the call',
  }),
  unread_cost: z.string().optional().meta({ description: 'Name of a reported cost that may not be USD' }),
  billing_mode: BillingMode.optional().meta({ description: 'Absent if the call is paid by use' }),
  node_hours: NodeHourShare.optional().meta({ description: 'Only if source is node_hours' }),
  list_price_usd: DecimalString.optional().meta({
    description: 'What the call would cost by use. Only if it is not paid by use and a price is known',
  }),
  low: DecimalString,
  central: DecimalString,
  high: DecimalString,
  components: z.array(CostComponent).meta({
    description: 'Their sum is exactly central; empty if source is structure',
  }),
});
export type CostExplanation = z.infer<typeof CostExplanation>;
