import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AuditReader } from '../../../functions/identity/audit/audit.store.ts';
import { type AuditPageQuery, readAuditPage } from '../../../functions/identity/audit/auditPage.ts';
import { idOf, ulidInId } from '../../../functions/platform/shared/ids.ts';
import type { Month } from '../../../functions/platform/shared/time/month.ts';
import { timeOfUlid, ulidOf } from '../../../functions/platform/shared/ulid.ts';
import type { AuditEntry } from '../../../schemas/identity/audit.ts';

const TENANT_CREATED_AT = Date.parse('2025-11-20T00:00:00Z');
const NOW = Date.parse('2026-05-03T12:00:00Z');

const entryAt = (at: number, index: number): AuditEntry => ({
  id: idOf(
    'aud',
    'k3vcq2mc',
    ulidOf(
      at,
      Uint8Array.from({ length: 10 }, () => index % 256),
    ),
  ),
  at: new Date(at).toISOString(),
  action: index % 3 === 0 ? 'api_key.create' : 'api_key.revoke',
  actor: { type: 'api_key', id: 'key_1' },
  resource: null,
  outcome: 'succeeded',
  error_code: null,
  refused_host: null,
  source_ip: null,
  trace_id: null,
  changes: [],
  more_changes: 0,
});

/** A fake of the audit table: partitioned by month, sorted by ULID. Counts reads. */
const logOf = (entries: readonly AuditEntry[]) => {
  const reads = { entries: 0, requests: 0 };
  const monthOfEntry = (entry: AuditEntry): Month => entry.at.slice(0, 7);
  const reader: AuditReader = {
    month: async (_tenant, month, { after = '', descending, limit }) => {
      const inOrder = entries
        .filter((entry) => monthOfEntry(entry) === month)
        .sort((one, other) => (ulidInId(one.id) < ulidInId(other.id) !== descending ? -1 : 1))
        .filter((entry) => (descending ? ulidInId(entry.id) < after : ulidInId(entry.id) > after))
        .slice(0, limit);
      reads.requests += 1;
      reads.entries += inOrder.length;
      return inOrder;
    },
  };
  return { reader, reads };
};

const queryOf = (change: Partial<AuditPageQuery> = {}): AuditPageQuery => ({
  tenantId: 'acme',
  from: TENANT_CREATED_AT,
  to: NOW,
  descending: true,
  after: undefined,
  limit: 3,
  matches: () => true,
  ...change,
});

const readAllPages = async (reader: AuditReader, query: AuditPageQuery) => {
  const pages: (readonly AuditEntry[])[] = [];
  let after: string | undefined;
  for (;;) {
    const { items, resume } = await readAuditPage(reader, { ...query, after });
    pages.push(items);
    if (resume === null) return pages;
    after = resume;
  }
};

const instants = fc.uniqueArray(fc.integer({ min: TENANT_CREATED_AT, max: NOW }), { maxLength: 40 });

describe('readAuditPage', () => {
  it('returns every matching entry exactly once and in order, for any page size', async () => {
    await fc.assert(
      fc.asyncProperty(
        instants,
        fc.boolean(),
        fc.integer({ min: 1, max: 7 }),
        fc.integer({ min: TENANT_CREATED_AT, max: NOW }),
        fc.integer({ min: TENANT_CREATED_AT, max: NOW }),
        async (times, descending, limit, from, to) => {
          const entries = times.map(entryAt);
          const matches = (entry: AuditEntry) => entry.action === 'api_key.create';

          const pages = await readAllPages(
            logOf(entries).reader,
            queryOf({ from, to, descending, limit, matches }),
          );

          const found = pages.flat().map(({ id }) => id);
          const expected = entries
            .filter((entry) => matches(entry) && Date.parse(entry.at) >= from && Date.parse(entry.at) <= to)
            .map(({ id }) => id)
            .sort();
          expect(found).toEqual(descending ? expected.reverse() : expected);
          expect(pages.every((items) => items.length <= limit)).toBe(true);
        },
      ),
      { numRuns: 150 },
    );
  });

  it('reads a bounded number of entries per page when nothing matches', async () => {
    const { reader, reads } = logOf(Array.from({ length: 5_000 }, (_, index) => entryAt(NOW - index, index)));

    const { items, resume } = await readAuditPage(reader, queryOf({ matches: () => false }));

    expect(items).toEqual([]);
    expect(resume).not.toBeNull();
    expect(reads.entries).toBeLessThanOrEqual(5 * 4);
  });

  it('skips a bounded number of empty months per page and always makes progress', async () => {
    const decadesAgo = Date.parse('1999-01-15T00:00:00Z');
    const { reader, reads } = logOf([entryAt(decadesAgo, 0)]);

    const first = await readAuditPage(reader, queryOf({ from: decadesAgo }));
    expect(reads.requests).toBeLessThanOrEqual(24);
    expect(timeOfUlid(first.resume ?? '')).toBeLessThan(NOW);
    expect((await readAllPages(reader, queryOf({ from: decadesAgo }))).flat()).toHaveLength(1);
  });
});
