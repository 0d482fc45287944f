import type { AuditEntry } from '../../schemas/access/audit.ts';
import { type Page, toPage } from '../http/paging.ts';
import { ulidInId } from '../shared/ids.ts';
import { monthsBetween, startOfMonth, startOfNextMonth } from '../shared/month.ts';
import { timeOfUlid, ulidTime } from '../shared/ulid.ts';
import type { AuditReader } from './audit.store.ts';

export interface AuditPageQuery {
  readonly tenantId: string;
  /** The time range in epoch milliseconds, both ends inclusive. */
  readonly from: number;
  readonly to: number;
  readonly descending: boolean;
  /** The end of the previous page: the ULID of an entry, or a prefix of a ULID. */
  readonly after: string | undefined;
  readonly limit: number;
  readonly matches: (entry: AuditEntry) => boolean;
}

/** The maximum number of entries examined per requested entry. A rare filter must not make a page read the whole log. */
const EXAMINED_FACTOR = 4;
/** The maximum number of monthly partitions read per page. */
const MAX_MONTHS = 24;

/** Sorts after every ULID of the same millisecond. */
const AFTER_ULIDS = '~';

/** One page of matching entries in chronological order. The number of reads is bounded for all filters. */
export const readAuditPage = async (
  reader: AuditReader,
  query: AuditPageQuery,
): Promise<Page<AuditEntry>> => {
  const { tenantId, from, to, descending, limit } = query;
  if (from > to) return { items: [], resume: null };
  const start = query.after ?? (descending ? ulidTime(to) + AFTER_ULIDS : ulidTime(from));
  const at = Math.min(Math.max(timeOfUlid(start), from), to);
  const months = descending ? monthsBetween(from, at).reverse() : monthsBetween(at, to);
  // One entry more than requested shows whether another page follows.
  const readLimit = limit + 1;
  const matching: AuditEntry[] = [];
  let after = start;
  let examined = 0;
  for (const [index, month] of months.entries()) {
    if (index === MAX_MONTHS) return { items: matching.slice(0, limit), resume: after };
    for (;;) {
      const entries = await reader.month(tenantId, month, { after, descending, limit: readLimit });
      for (const entry of entries) {
        after = ulidInId(entry.id);
        const time = timeOfUlid(after);
        if (time < from || time > to) return toPage(matching, limit, (last) => ulidInId(last.id));
        if (query.matches(entry)) matching.push(entry);
        if (matching.length === readLimit) return toPage(matching, limit, (last) => ulidInId(last.id));
        examined += 1;
        if (examined >= EXAMINED_FACTOR * readLimit) return { items: matching, resume: after };
      }
      if (entries.length < readLimit) break;
    }
    after = ulidTime(descending ? startOfMonth(month) : startOfNextMonth(month));
  }
  return toPage(matching, limit, (last) => ulidInId(last.id));
};
