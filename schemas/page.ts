import * as z from 'zod';
import { HOUR_SECONDS } from './durations.ts';
import { queryInteger } from './values.ts';

export const PAGE_SIZE_DEFAULT = 50;
export const PAGE_SIZE_MAXIMUM = 200;

/** A cursor expires after this time. */
export const CURSOR_LIFETIME_SECONDS = HOUR_SECONDS;

const PageInfo = z
  .object({
    next_cursor: z.string().nullable().meta({ description: 'Opaque. Null on the last page' }),
    limit: z.int(),
    has_more: z.boolean(),
  })
  .meta({ id: 'PageInfo' });

/** The schema of one page of a collection. `id` names it in the OpenAPI document. */
export const pageOf = <Item extends z.ZodType>(item: Item, id: string) =>
  z
    .object({
      data: z.array(item),
      page: PageInfo,
    })
    .meta({ id });

export const Cursor = z
  .string()
  .min(1)
  // A position can hold a name of 256 characters, which is longer in JSON and Base64.
  .max(8_192)
  .meta({
    description:
      'The next_cursor of the previous page. Expires after one hour. Every credential of the tenant with the same residency lane may use it',
  });

export const PageLimit = queryInteger(1, PAGE_SIZE_MAXIMUM, PAGE_SIZE_DEFAULT).meta({
  description: `Page size. Default: ${PAGE_SIZE_DEFAULT}`,
});
