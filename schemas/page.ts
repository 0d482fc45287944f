import * as z from 'zod';

export const PAGE_SIZE_DEFAULT = 50;
export const PAGE_SIZE_MAXIMUM = 200;

/** A cursor expires after this time. */
export const CURSOR_LIFETIME_SECONDS = 3_600;

/** The schema of one page of a collection. `id` names it in the OpenAPI document. */
export const pageOf = <Item extends z.ZodType>(item: Item, id: string) =>
  z
    .object({
      data: z.array(item),
      page: z.object({
        next_cursor: z.string().nullable().meta({ description: 'Opaque. Null on the last page' }),
        limit: z.int(),
        has_more: z.boolean(),
      }),
    })
    .meta({ id });

export const Cursor = z
  .string()
  .min(1)
  // The position of a report row holds up to four names of 256 characters.
  .max(8_192)
  .meta({ description: 'The next_cursor of the previous page. Expires after one hour' });

export const PageLimit = z
  .string()
  .regex(/^[1-9]\d{0,2}$/, `must be a whole number from 1 to ${PAGE_SIZE_MAXIMUM}`)
  .transform(Number)
  .refine((limit) => limit <= PAGE_SIZE_MAXIMUM, `must be at most ${PAGE_SIZE_MAXIMUM}`)
  .meta({
    description: `Page size, 1 to ${PAGE_SIZE_MAXIMUM}. Default: ${PAGE_SIZE_DEFAULT}`,
    example: '50',
  });
