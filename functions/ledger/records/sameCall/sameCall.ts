import * as z from 'zod';
import { SAME_CALL_BASES, SAME_CALL_STATES } from '../../../../schemas/attribution/attributionRecord.ts';
import { CarbonExplanation, EnergyExplanation } from '../../../../schemas/attribution/explanation.ts';
import { Evidence } from '../trace/evidence.ts';

/** Other records of the same call, or of what may be the same call. It is stored with the record, so that it can be undone. */
export const SameCall = z.object({
  state: z.enum(SAME_CALL_STATES),
  basis: z.enum(SAME_CALL_BASES),
  confidence: z.number(),
  /** ULIDs of the other records. */
  records: z.array(z.string()),
  /** Of the record that counts: who called, as the others say, and the bounds of what they say that it cost. */
  evidence: Evidence.optional(),
  end_user: z.string().optional(),
  cost: z.object({ low: z.string(), central: z.string(), high: z.string() }).optional(),
  /** Of the record that counts: what another credential reports above it. */
  energy: EnergyExplanation.optional(),
  carbon: CarbonExplanation.optional(),
});
export type SameCall = z.infer<typeof SameCall>;
