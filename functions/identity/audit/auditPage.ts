import type { AuditEntry } from '../../../schemas/identity/audit.ts';
import { type FilteredQuery, positionAt, readFilteredPage } from '../../platform/http/pages/filteredPage.ts';
import type { Page } from '../../platform/http/pages/paging.ts';
import { ulidInId } from '../../platform/shared/ids.ts';
import { monthOf, startOfMonth, startOfNextMonth } from '../../platform/shared/time/month.ts';
import { timeOfUlid } from '../../platform/shared/ulid.ts';
import type { AuditReader } from './audit.store.ts';

export interface AuditPageQuery extends FilteredQuery<AuditEntry> {
  readonly tenantId: string;
}

/** One page of matching entries in chronological order, over the monthly partitions of the log. */
export const readAuditPage = (reader: AuditReader, query: AuditPageQuery): Promise<Page<AuditEntry>> => {
  const { tenantId, from, to, descending } = query;
  return readFilteredPage(async (range) => {
    const month = monthOf(timeOfUlid(range.after));
    const rows = await reader.month(tenantId, month, range);
    const last = rows.at(-1);
    if (last !== undefined && rows.length === range.limit) return { rows, next: ulidInId(last.id) };
    const nextMonth = descending ? startOfMonth(month) - 1 : startOfNextMonth(month);
    const isInRange = nextMonth >= from && nextMonth <= to;
    return { rows, next: isInRange ? positionAt(nextMonth, descending) : null };
  }, query);
};
