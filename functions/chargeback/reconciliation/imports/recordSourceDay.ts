import { DAY_MS } from '../../../../schemas/durations.ts';
import { commit } from '../../../platform/shared/aws/document.store.ts';
import { toIso } from '../../../platform/shared/time/toIso.ts';
import type { KeyedRow } from '../bill.ts';
import type { BillImportWriter } from './billImport.store.ts';
import { toStoredImport } from './billImport.ts';

/** A report of one UTC day, which a source requested at `at` (epoch milliseconds). */
export interface SourceDay {
  readonly sourceId: string;
  readonly account: string | null;
  readonly day: string;
  readonly at: number;
}

/**
 * Lists the day of a bill source, or replaces its entry when the provider restated the day. Does nothing if the entry
 * already shows these amounts, so it can be repeated after a crash. A day without charges is listed only once it had some.
 */
export const recordSourceDay = async (
  imports: BillImportWriter,
  tenantId: string,
  { sourceId, account, day, at }: SourceDay,
  rows: readonly KeyedRow[],
): Promise<void> => {
  const to = toIso(Date.parse(day) + DAY_MS).slice(0, 10);
  const listed = await imports.find(tenantId, { to, ref: sourceId });
  const provider = rows[0]?.line.provider ?? listed?.provider;
  if (provider === undefined) return;
  const days = { first: day, last: day };
  const entry = toStoredImport(sourceId, { provider, account }, rows, days, { at, by: null, sourceId });
  const isListed =
    listed !== null &&
    listed.rows === entry.rows &&
    listed.billed_usd === entry.billed_usd &&
    listed.other_charges_usd === entry.other_charges_usd;
  if (!isListed) await commit([imports.put(tenantId, entry)]);
};
