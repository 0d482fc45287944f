import type { AuditEntry } from '../../schemas/access/audit.ts';
import { type Page, toPage } from '../http/paging.ts';
import { ulidInId } from '../shared/ids.ts';
import { monthsBetween, startOfMonth, startOfNextMonth } from '../shared/month.ts';
import { timeOfUlid, ulidTime } from '../shared/ulid.ts';
import type { AuditReader } from './audit.store.ts';

export interface AuditPageQuery {
  readonly tenantId: string;
  /** Epoch milliseconds, both included: nothing is looked for outside. */
  readonly from: number;
  readonly to: number;
  readonly descending: boolean;
  /** Where the last page ended: an entry's ULID, or the beginning of one. */
  readonly after: string | undefined;
  readonly limit: number;
  readonly matches: (entry: AuditEntry) => boolean;
}

/** Entries examined for each one asked for, and months looked into, at most: a filter must not make a page read the whole log. */
const EXAMINED_FACTOR = 4;
const MONTHS_MAXIMUM = 24;

/** Sorts behind every ULID of the same millisecond. */
const LAST = '~';

/** Entries in order of time that match, and where the walk goes on; reads are bounded by the page, whatever the filters. */
export const readAuditPage = async (
  reader: AuditReader,
  query: AuditPageQuery,
): Promise<Page<AuditEntry>> => {
  const { tenantId, from, to, descending, limit } = query;
  if (from > to) return { items: [], resume: null };
  const start = query.after ?? (descending ? ulidTime(to) + LAST : ulidTime(from));
  const at = Math.min(Math.max(timeOfUlid(start), from), to);
  const months = descending ? monthsBetween(from, at).reverse() : monthsBetween(at, to);
  // One more than asked for tells whether the log goes on.
  const wanted = limit + 1;
  const found: AuditEntry[] = [];
  let after = start;
  let examined = 0;
  for (const [index, month] of months.entries()) {
    if (index === MONTHS_MAXIMUM) return { items: found.slice(0, limit), resume: after };
    for (;;) {
      const entries = await reader.month(tenantId, month, { after, descending, limit: wanted });
      for (const entry of entries) {
        after = ulidInId(entry.id);
        const time = timeOfUlid(after);
        if (time < from || time > to) return toPage(found, limit, (last) => ulidInId(last.id));
        if (query.matches(entry)) found.push(entry);
        if (found.length === wanted) return toPage(found, limit, (last) => ulidInId(last.id));
        examined += 1;
        if (examined >= EXAMINED_FACTOR * wanted) return { items: found, resume: after };
      }
      if (entries.length < wanted) break;
    }
    after = ulidTime(descending ? startOfMonth(month) : startOfNextMonth(month));
  }
  return toPage(found, limit, (last) => ulidInId(last.id));
};
