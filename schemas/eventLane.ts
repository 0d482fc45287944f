import * as z from 'zod';

/** The lane in which a budget or an export counts calls. Events of earlier versions do not state it. */
export const EventLane = z
  .string()
  .nullable()
  .default(null)
  .meta({ description: 'The data-residency lane that it concerns. Null: all lanes' });
