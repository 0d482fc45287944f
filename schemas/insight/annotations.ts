import * as z from 'zod';
import { freeText, IsoDate } from '../values.ts';

/** Most annotations of a tenant. A chart reads all of them. */
export const ANNOTATIONS_MAXIMUM = 200;

const members = {
  date: IsoDate.meta({ description: 'The day, in UTC', example: '2026-11-12' }),
  text: freeText(200).meta({ description: 'What happened', example: 'Release 2.4 with longer prompts' }),
};

export const AnnotationRequest = z.strictObject(members).meta({
  id: 'AnnotationRequest',
  example: { date: '2026-11-12', text: 'Release 2.4 with longer prompts' },
});

export const Annotation = z
  .object({
    id: z.string(),
    ...members,
    residency: z.string().nullable().meta({ description: 'The lane of who wrote it. Null: all' }),
    created_by: z.string(),
    created_at: z.iso.datetime(),
  })
  .meta({ id: 'Annotation' });
export type Annotation = z.infer<typeof Annotation>;
