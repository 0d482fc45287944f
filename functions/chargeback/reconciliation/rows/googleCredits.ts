import * as z from 'zod';

/**
 * Credits of a row of Google's billing export, each with an amount that is negative. The cost of the row is without them.
 * https://docs.cloud.google.com/billing/docs/how-to/export-data-bigquery-tables/standard-usage
 */
const CreditedRow = z.looseObject({
  usage_start_time: z.unknown(),
  credits: z.array(z.looseObject({ amount: z.unknown(), id: z.unknown(), name: z.unknown() })),
});

/** A row and, as rows of their own, its credits: FOCUS has each charge once, with its category. */
export const withCredits = (sent: unknown): readonly unknown[] => {
  const { data: row } = CreditedRow.safeParse(sent);
  if (row === undefined) return [sent];
  const { credits, ...charge } = row;
  return [
    charge,
    ...credits.map(({ amount, ...credit }) => ({ ...charge, cost: amount, cost_type: 'credit', credit })),
  ];
};
