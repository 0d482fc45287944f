import * as z from 'zod';
import { Difference } from '../ledger/rollup.ts';

/** Sums of a set of records, or of its changes, which can be negative. Unknown quantities are not included. */
export const ExportSums = z
  .object({
    records: z.int(),
    cost_usd: Difference,
    energy_wh: Difference,
    carbon_gco2e: Difference,
  })
  .meta({ id: 'ExportSums' });
export type ExportSums = z.infer<typeof ExportSums>;
