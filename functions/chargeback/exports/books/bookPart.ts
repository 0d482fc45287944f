import * as z from 'zod';
import { copiedTotals, copyNameOf } from '../../../insight/periods/monthCopies.ts';
import type { RollupReader } from '../../../ledger/rollups/rollup.store.ts';

/** The state of a month that a partition reads, where that is not the one of the export's request. */
export const BookPart = z.object({
  /** The month that is read. A correction belongs to the files of a later one. */
  month: z.string(),
  /** Epoch milliseconds. */
  asOf: z.int(),
  /** The copy of its totals; null: those of today. */
  copy: z.string().nullable(),
  /** Set for a correction: whether this state is charged (1) or taken back (-1), and the copy of the totals of the other state. */
  correction: z
    .object({ sign: z.union([z.literal(1), z.literal(-1)]), other: z.string().nullable() })
    .nullable(),
});
export type BookPart = z.infer<typeof BookPart>;

/** The totals with which the records of a partition are named. */
export const totalsFor = (rollups: RollupReader, copy: string | null | undefined): RollupReader =>
  copy == null ? rollups : copiedTotals(rollups, copy);

/** The name under which the node hours of a partition are stored. */
export const nodeHoursFor = (tenantId: string, copy: string | null | undefined): string =>
  copy == null ? tenantId : copyNameOf(tenantId, copy);
