import * as z from 'zod';

/** A positive or negative sum as a decimal string. */
const Part = z.string().regex(/^-?(?:0|[1-9]\d*)(?:\.\d+)?$/);

/**
 * What explains the difference between billed and recorded cost. A part is positive if the bill is higher. They sum to
 * `billed − recorded` exactly.
 */
export const DifferenceParts = z
  .object({
    uncaptured_calls_usd: Part.meta({
      description:
        'Uncaptured calls: everything that is billed for a model on a day without a record of it, and tokens that are billed beyond the recorded ones, at the average price of the bill',
    }),
    unbilled_calls_usd: Part.meta({
      description:
        'Calls that are not on the bill: everything recorded for a model on a day without a bill row, and recorded tokens beyond the billed ones, at the average price of the bill. Never positive',
    }),
    token_kinds_usd: Part.meta({
      description:
        'As many tokens, of other kinds than recorded, for example billed as cache reads and recorded as input',
    }),
    batch_usd: Part.meta({
      description:
        'Tokens that are billed at a batch price: their charge, compared with the standard price. Only as much as the records differ by',
    }),
    tier_usd: Part.meta({
      description:
        'Tokens that are billed at the price of another tier, such as flex, priority, a long context or a cache write for one hour. Only as much as the records differ by',
    }),
    price_usd: Part.meta({
      description:
        'The recorded tokens at another price, or recorded without a known price, or with a cost that waits for a confirmation (implausible_invocations)',
    }),
    rounding_usd: Part.meta({
      description:
        'Rounding of the bill: at most half a unit of its last digit for each row (a digit is a cent or less)',
    }),
    unexplained_usd: Part.meta({
      description:
        'The bill does not show it: rows without a model, without numbers of tokens, or with a tier whose standard price is unknown, and rows of kind folded, whose models are compared together',
    }),
  })
  .meta({
    id: 'DifferenceParts',
    description:
      'What explains the difference. Positive: billed above the records. The parts sum exactly to not_seen + under_recorded − over_attributed − not_billed. So billed − attributed = unattributed + mixed + the sum of the parts',
  });
export type DifferenceParts = z.infer<typeof DifferenceParts>;
