import * as z from 'zod';
import { confidentialReason } from '../labels/confidentialText.ts';
import { freeText } from '../values.ts';

/** Most saved views of a tenant. A page lists all of them. */
export const SAVED_VIEWS_MAXIMUM = 200;

/** The pages of the console whose address holds what they show. */
export const VIEW_PAGES = ['explore', 'records', 'savings'] as const;

/** What the console writes into the address of a page. */
const QUERY = /^[\w.~!*'()%&=+,:;@/?-]*$/;

const members = {
  page: z.enum(VIEW_PAGES).meta({ description: 'The page of the console' }),
  name: freeText(100).meta({ description: 'What people call it', example: 'Search, by model' }),
  search: z
    .string()
    .max(2_000)
    .regex(QUERY, 'must be the query of an address, without the question mark')
    .refine((text) => confidentialReason(text) === null, 'must hold no secret')
    .optional()
    .meta({
      description:
        'The query of the address of the page, without the question mark. Absent: the page as it opens',
      example: 'owner=team-search&group=served_model',
    }),
};

export const SavedViewRequest = z.strictObject(members).meta({
  id: 'SavedViewRequest',
  example: { page: 'explore', name: 'Search, by model', search: 'owner=team-search&group=served_model' },
});

export const SavedView = z
  .object({
    id: z.string(),
    ...members,
    residency: z.string().nullable().meta({ description: 'The lane of who saved it. Null: all' }),
    created_by: z.string(),
    created_at: z.iso.datetime(),
  })
  .meta({ id: 'SavedView' });
export type SavedView = z.infer<typeof SavedView>;
