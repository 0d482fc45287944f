import * as z from 'zod';
import { readCell } from './cells.ts';
import { lettersOf } from './nativeCells.ts';

/** Credits of a row of Google's billing export. A member that is null can be left out. */
const Credits = z.array(z.looseObject({ amount: z.unknown().optional() }));

/** No amount, so the row with it is refused. */
const UNREADABLE = { amount: 'credits that are no list' };

/** The credits of a cell. Text files have a nested column as JSON. */
const creditsIn = (cell: unknown): readonly { readonly amount?: unknown }[] => {
  const read = readCell(cell);
  if (read === null || read === undefined) return [];
  try {
    return Credits.safeParse(typeof read === 'string' ? JSON.parse(read) : read).data ?? [UNREADABLE];
  } catch {
    return [UNREADABLE];
  }
};

/** Only Google's export names the time of a charge so. */
const TIME = 'usagestarttime';

/**
 * A row of Google's billing export and, as rows of their own, its credits: FOCUS has each charge once, with its category. The
 * cost of the row is without them, and their amounts are negative. Any other row is returned alone.
 * https://docs.cloud.google.com/billing/docs/how-to/export-data-bigquery-tables/standard-usage
 */
export const withCredits = (sent: unknown): readonly unknown[] => {
  const cells = new Map(Object.entries(Object(sent)).map(([name, cell]) => [lettersOf(name), cell]));
  if (!cells.has(TIME)) return [sent];
  return [
    sent,
    ...creditsIn(cells.get('credits')).map(({ amount, ...credit }) => ({
      ...Object(sent),
      cost: amount,
      cost_type: 'credit',
      credit,
    })),
  ];
};
