import { DAY_MS } from '../../../../../schemas/durations.ts';
import { commit, type Revision } from '../../../../platform/shared/aws/document.store.ts';
import { sha256Of } from '../../../../platform/shared/hash.ts';
import { CONFLICT, retryOnConflict } from '../../../../platform/shared/retry/retryOnConflict.ts';
import { utcDateOf } from '../../../../platform/shared/time/toIso.ts';
import type { BillWriter } from '../../deliveries/bill.store.ts';
import { contentOf, pageOf, type StoredDelivery } from '../../deliveries/delivery.ts';
import { deliveryWrites, findDelivery } from '../../deliveries/storeDelivery.ts';
import type { BillLine } from '../../rows/bill.ts';

/** Writers of the watermark of a tenant: the imports of its sources, and calls that send bills. */
const MAX_ATTEMPTS = 30;
const ID_LENGTH = 22;

/** A report of one UTC day, which a source requested at `at` (epoch milliseconds). */
export interface SourceDay {
  readonly sourceId: string;
  readonly provider: string;
  /** As the provider reports it. */
  readonly account: string | null;
  /** The start of the day in epoch milliseconds. */
  readonly day: number;
  readonly at: number;
}

/** The delivery of a day follows from what it describes, so every source of the account writes the same. */
const idOf = ({ provider, account, day }: SourceDay): string =>
  `import-${sha256Of('imported bill', JSON.stringify([provider, account, day]))
    .toString('base64url')
    .slice(0, ID_LENGTH)}`;

/**
 * Stores the report of a day as the bill of its account, unless the source reported the same before. A day without charges
 * is stored only once it had some. Idempotent: a repetition after a crash writes what is missing, and nothing twice.
 */
export const recordDay = async (
  bills: BillWriter,
  tenantId: string,
  report: SourceDay,
  lines: readonly BillLine[],
  by: Revision,
): Promise<void> => {
  const { sourceId, provider, account, day, at } = report;
  const page = contentOf(lines);
  const next: StoredDelivery = {
    id: idOf(report),
    mode: 'replace',
    provider,
    account,
    from: utcDateOf(day),
    to: utcDateOf(day + DAY_MS),
    state: 'complete',
    pages: { [page]: pageOf(lines, 0) },
    at,
    by: null,
    source_id: sourceId,
  };
  const record = async (): Promise<undefined | typeof CONFLICT> => {
    const found = await findDelivery(bills, tenantId, next.id);
    const stored = found.current?.document;
    if (stored === undefined && lines.length === 0) return undefined;
    // A day that was taken back stays so until it is restated, too.
    const isReported = stored?.pages[page] !== undefined && stored.source_id === sourceId;
    if (isReported || (stored !== undefined && stored.at > at)) return undefined;
    await bills.putLines(tenantId, next, page, lines);
    const writes = await deliveryWrites(bills, tenantId, found, next, by);
    return (await commit(writes)) ? undefined : CONFLICT;
  };
  await retryOnConflict(record, { maxAttempts: MAX_ATTEMPTS, subject: 'the bill of a day' });
};
