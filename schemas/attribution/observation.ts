import * as z from 'zod';
import { StatedBy } from './statedBy.ts';

/** A part of a call, as an observer states it against the credential that first reported it. */
export const Contradiction = z.object({
  part: z.string().meta({ example: 'cost' }),
  stated: z.record(z.string(), z.unknown()).meta({ description: 'The members of the part' }),
});
export type Contradiction = z.infer<typeof Contradiction>;

/** Who observed a call, and which parts of the record come from that observation. */
export const ObservationTrace = z.object({
  ingestion_layer: z.string(),
  source_system: z.string().nullable(),
  stated_by: StatedBy.optional(),
  supplied: z.array(z.string()).meta({
    description: 'Parts of the record that come from this observation, the richest of all observations',
    example: ['usage', 'cost', 'api_key_name'],
  }),
  rejected: z.array(z.string()).optional().meta({
    description: 'Parts that a connector stated without authority. Absent if there are none',
  }),
  contradicts: z.array(Contradiction).optional().meta({
    description:
      'What this credential states of cost, usage, model, owner or time that differs from the record. The record keeps the statement of the credential that reported the call first. Its ranges contain both costs, and the other name is a candidate. Absent if there is none',
  }),
});
export type ObservationTrace = z.infer<typeof ObservationTrace>;

/** A statement about a record by someone without authority over the parts that it has. */
export const RejectedStatement = z.object({
  stated_by: StatedBy,
  ingestion_layer: z.string(),
  source_system: z.string().nullable(),
});
export type RejectedStatement = z.infer<typeof RejectedStatement>;
