import * as z from 'zod';
import { Difference, Total } from '../ledger/rollup.ts';
import { AdoptionTotals } from './adoption.ts';
import { rowHeader, Sum, suppressed, UsageTotals } from './reports.ts';

/** Kinds of tokens that have a price each. The first three are the whole input. */
export const TOKEN_COST_KINDS = ['uncached_input', 'cached_input', 'cache_write', 'output'] as const;
export type TokenCostKind = (typeof TOKEN_COST_KINDS)[number];

const TokenCost = z
  .object({
    tokens: z.int(),
    cost_usd: Total,
    usd_per_million: Sum.meta({ description: 'Null without such tokens' }),
  })
  .meta({ id: 'TokenCost' });
export type TokenCost = z.infer<typeof TokenCost>;

const TokenCosts = z
  .object({
    uncached_input: TokenCost,
    cached_input: TokenCost,
    cache_write: TokenCost,
    output: TokenCost,
    undivided_usd: Total.meta({
      description:
        'Cost of calls whose model is hidden or has no price, without tokens, or only shown with calls of unknown cost',
    }),
  })
  .meta({
    id: 'TokenCosts',
    description:
      'The cost, divided among tokens in the proportion of the prices of the model. The parts sum exactly to `cost_usd`',
  });
export type TokenCosts = z.infer<typeof TokenCosts>;

const CacheUse = z
  .object({
    share: Sum.meta({
      description: 'Of the input tokens, that was read from a cache, 0 to 1. Null without input',
    }),
    saving_usd: Difference.nullable().meta({
      description:
        'What that saved, less the surcharge of cache writes, at the prices of `token_costs`. Null if no call is divided',
    }),
  })
  .meta({ id: 'CacheUse' });

const PersonCosts = z
  .object({
    ...AdoptionTotals.pick({ persons: true, persons_estimated: true }).shape,
    low_usd: Sum,
    high_usd: Sum,
  })
  .meta({
    id: 'PersonCosts',
    description:
      'The known cost of the groups of calls that name persons, for each person. A range, because persons are rounded down or estimated. Null without persons or a known cost',
  });
export type PersonCosts = z.infer<typeof PersonCosts>;

const OutcomeCosts = z
  .object({
    invocations: z.int().nullable().meta({ description: 'Null if the status of no call is known' }),
    paid_invocations: z.int().nullable().meta({ description: 'Those with a known cost above 0' }),
    ...UsageTotals.pick({
      unpriced_invocations: true,
      cost_usd: true,
      cost_usd_low: true,
      cost_usd_high: true,
    }).shape,
  })
  .meta({ id: 'OutcomeCosts' });
export type OutcomeCosts = z.infer<typeof OutcomeCosts>;

const OutcomesCosts = z
  .object({
    error: OutcomeCosts,
    incomplete: OutcomeCosts,
    unexamined_invocations: z.int().meta({
      description:
        'Further calls that can have such a status: hidden ones of `invocations_maximum`, and those of sums that were stored before it was counted',
    }),
  })
  .meta({
    id: 'OutcomesCosts',
    description:
      'Calls with the status `error` or `incomplete`, which a provider can charge. A call of which no producer reports a status counts as `ok`. Only with read:attribution',
  });
export type OutcomesCosts = z.infer<typeof OutcomesCosts>;

const unitCosts = {
  ...UsageTotals.pick({ invocations: true, cost_usd: true, unpriced_invocations: true }).shape,
  invocations_maximum: z.int().meta({
    description: 'With hidden calls that can be of the group. Ratios are those of the shown calls',
  }),
  cost_per_invocation_usd: Sum.meta({ description: 'Of calls whose cost is known. Null without one' }),
  person_costs: PersonCosts,
  token_costs: TokenCosts,
  cache: CacheUse,
  outcomes: OutcomesCosts.optional(),
  ...suppressed,
};

export const UnitCosts = z.object(unitCosts).meta({ id: 'UnitCosts' });
export type UnitCosts = z.infer<typeof UnitCosts>;

export const UnitCostRow = z
  .object(rowHeader)
  .omit({ day: true, hour: true })
  .extend(unitCosts)
  .meta({ id: 'UnitCostRow' });
