import * as z from 'zod';
import { ContractPrice } from '../attribution/contractPrices.ts';

/** Most suggestions of a comparison. A tenant has some dozens of models. */
export const SUGGESTED_PRICES_MAXIMUM = 50;

/** Kinds of tokens that a bill can charge for and a contract price can name. */
export const tokenKinds = ['input', 'cached_input', 'cache_write', 'output', 'reasoning'] as const;
export type TokenKind = (typeof tokenKinds)[number];

const Usd = z.string().regex(/^-?(?:0|[1-9]\d*)(?:\.\d+)?$/);

export const SuggestedPrice = z
  .object({
    price: ContractPrice.meta({
      description:
        'An element of `prices` of PUT /api/v1/contract-prices. Add it to the prices that GET returns, and send all of them. It has each kind of tokens that the bill names',
    }),
    overridden_in: z.array(z.string()).optional().meta({
      description:
        'Regions whose own contract price applies to calls there instead of this price. Correct those prices too. Only with the scope admin:config or finance:config',
    }),
    evidence: z.object({
      from: z.iso.date().meta({ description: 'The first day of the evidence' }),
      to: z.iso.date().meta({ description: 'Exclusive' }),
      days: z.int().meta({
        description:
          'Days on which the bill has exactly the recorded tokens of each kind, and another cost. Only they are summed here',
      }),
      tokens: z.array(
        z.object({
          kind: z.enum(tokenKinds),
          count: z.int().meta({ description: 'Billed tokens. The records have as many' }),
          billed_usd: Usd,
        }),
      ),
      billed_usd: Usd,
      recorded_usd: Usd.meta({ description: 'Known cost of the records of these days' }),
      unpriced_invocations: z.int().meta({ description: 'Records of these days whose cost is unknown' }),
    }),
  })
  .meta({ id: 'SuggestedPrice' });
export type SuggestedPrice = z.infer<typeof SuggestedPrice>;
