import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SelectionStores } from '../../../functions/ledger/records/query/selectRecords.ts';
import { invocationUlid } from '../../../functions/platform/shared/ids.ts';
import { startTables } from '../../support/tables.ts';
import {
  expectedOf,
  type ListedRecord,
  type ListQuery,
  listingFixture,
  pagesOf,
  START,
} from './listingFixture.ts';

const live = await startTables();
afterAll(() => live.stop());

const ALWAYS = { from: 0, to: Date.parse('9999-01-01') };
const DAY = 24 * 60 * 60 * 1_000;
const fixed = { provider: 'openai', served_model: 'gpt-4o', trace_id: null, end_user: null, residency: null };
const changes = {
  owner: 'team-search',
  service: 'search',
  cost_usd: '0.1',
  confidence: 0.8,
  output_state: 'deterministically_resolved',
  stage_origin: 'stage_a',
  status: 'ok',
} as const;
const newestFirst: ListQuery = {
  field: 'occurred_at',
  descending: true,
  filters: [],
  period: ALWAYS,
  residency: null,
};

/** A tenant with the given number of records, one per minute. Every n-th has another owner. */
const tenantWith = async (records: number, every: number, members: { readonly trace_id?: string } = {}) => {
  const fixture = listingFixture(1);
  const insert = (at: number) =>
    fixture.insert(
      START - 2 * DAY + at * 60_000,
      { ...fixed, ...members },
      { ...changes, owner: at % every === 0 ? 'team-ads' : 'team-search' },
      START - 60_000,
    );
  const rows: ListedRecord[] = [];
  for (let at = 0; at < records; at += 20) {
    const some = Array.from({ length: Math.min(20, records - at) }, (_, index) => insert(at + index));
    rows.push(...(await Promise.all(some)));
  }
  return { fixture, rows };
};

/** `fetched`: the records of each batch read. */
const noReads = (): { listed: number; reads: number; examined: number; fetched: number[] } => ({
  listed: 0,
  reads: 0,
  examined: 0,
  fetched: [],
});

/** The stores with a counter of ledger reads. `take` returns the counts since the previous call. */
const countReads = (stores: SelectionStores) => {
  let counts = noReads();
  const { ledger } = stores;
  const counting: SelectionStores = {
    ...stores,
    ledger: {
      ...ledger,
      months: (tenantId) => {
        counts.listed += 1;
        return ledger.months(tenantId);
      },
      read: async (tenantId, range) => {
        const read = await ledger.read(tenantId, range);
        counts.reads += 1;
        counts.examined += read.examined ?? 0;
        return read;
      },
    },
    versions: {
      read: (tenant, keys) => {
        counts.fetched.push(keys.length);
        return stores.versions.read(tenant, keys);
      },
    },
  };
  return {
    stores: counting,
    take: () => {
      const taken = counts;
      counts = noReads();
      return taken;
    },
  };
};

describe('a page of a filter with few matches', () => {
  let fixture: Awaited<ReturnType<typeof tenantWith>>['fixture'];
  beforeAll(async () => {
    ({ fixture } = await tenantWith(2_600, 1_300));
  });

  const rareFilter = [{ field: 'owner', operator: 'eq', values: ['team-ads'] }] as const;

  it('examines a bounded number of versions in order of time', async () => {
    const query: ListQuery = { ...newestFirst, filters: rareFilter };
    const { stores, take } = countReads(fixture.stores);

    const pages: number[] = [];
    const found = await pagesOf(stores, fixture.tenant, query, [50], async () => {
      const { examined, reads } = take();
      pages.push(examined);
      expect(reads).toBeLessThanOrEqual(16);
    });

    expect(found).toEqual(expectedOf(fixture, fixture.events(), query));
    expect(found).toHaveLength(2);
    expect(pages.length).toBeGreaterThan(2);
    // 1,000, plus what the last reads of two partitions may examine beyond it.
    expect(Math.max(...pages)).toBeLessThanOrEqual(2_000);
  });

  it.each(['cost_usd', 'confidence'] as const)(
    'finds them on the first page by %s, and fetches only them',
    async (field) => {
      const query: ListQuery = { ...newestFirst, field, filters: rareFilter };
      const { stores, take } = countReads(fixture.stores);

      let pages = 0;
      const found = await pagesOf(stores, fixture.tenant, query, [50], async () => {
        pages += 1;
      });

      expect(found).toEqual(expectedOf(fixture, fixture.events(), query));
      expect(pages).toBe(1);
      expect(take()).toEqual({ listed: 1, reads: 0, examined: 0, fetched: [2] });
    },
  );
});

describe('a sorted page', () => {
  it.each(['cost_usd', 'confidence'] as const)(
    'by %s fetches few more records than it returns',
    async (field) => {
      const { fixture } = await tenantWith(400, 10);
      const { stores, take } = countReads(fixture.stores);
      const stop = new Error('one page is enough');

      const listing = pagesOf(stores, fixture.tenant, { ...newestFirst, field }, [20], () =>
        Promise.reject(stop),
      );

      await expect(listing).rejects.toThrow(stop);
      expect(take()).toEqual({ listed: 1, reads: 0, examined: 0, fetched: [31] });
    },
  );
});

describe('a filter by invocations', () => {
  const queryFor = (
    fixture: Awaited<ReturnType<typeof tenantWith>>['fixture'],
    rows: readonly ListedRecord[],
  ): ListQuery => ({
    ...newestFirst,
    filters: [
      {
        field: 'invocation_id',
        operator: 'in',
        values: rows.map(
          ({ eventId }) => `inv_${fixture.tenant.tag}${invocationUlid(fixture.tenant.tenant_id, eventId)}`,
        ),
      },
    ],
  });
  const unknown = { eventId: '00000000-0000-4000-8000-999999999999', occurredAt: START, ulid: '' };

  it('reads each record under its own key', async () => {
    const { fixture, rows } = await tenantWith(30, 10);
    const chosen = [3, 17, 29].flatMap((at) => rows[at] ?? []);
    const query = queryFor(fixture, [...chosen, unknown]);
    const { stores, take } = countReads(fixture.stores);

    const found = await pagesOf(stores, fixture.tenant, query, [2]);

    expect(found).toEqual(expectedOf(fixture, fixture.events(), query));
    expect(found).toHaveLength(3);
    expect(take()).toMatchObject({ listed: 0, reads: 3 });
  });

  it('returns nothing when other filters contradict', async () => {
    const { fixture, rows } = await tenantWith(3, 10);
    const { filters, ...query } = queryFor(fixture, rows.slice(1, 2));
    const other = queryFor(fixture, rows.slice(2, 3)).filters;

    const ads = { field: 'owner', operator: 'eq', values: ['team-ads'] } as const;

    expect(
      await pagesOf(fixture.stores, fixture.tenant, { ...query, filters: [...filters, ...other] }, [5]),
    ).toEqual([]);
    expect(
      await pagesOf(fixture.stores, fixture.tenant, { ...query, filters: [...filters, ads] }, [5]),
    ).toEqual([]);
  });
});

describe('a filter by trace', () => {
  const query: ListQuery = {
    ...newestFirst,
    filters: [{ field: 'trace_id', operator: 'eq', values: ['long'] }],
  };

  it('reads the records of a short trace under their own keys', async () => {
    const { fixture } = await tenantWith(30, 10, { trace_id: 'long' });
    await fixture.insert(START - DAY, fixed, changes, START - 60_000);
    const { stores, take } = countReads(fixture.stores);

    const found = await pagesOf(stores, fixture.tenant, query, [7]);

    expect(found).toEqual(expectedOf(fixture, fixture.events(), query));
    expect(take()).toMatchObject({ listed: 0, reads: 30 });
  });

  it.each(['occurred_at', 'cost_usd'] as const)(
    'lists the time range of a long trace, by %s',
    async (field) => {
      const { fixture } = await tenantWith(260, 10, { trace_id: 'long' });
      await fixture.insert(START - DAY, fixed, changes, START - 60_000);
      const { stores, take } = countReads(fixture.stores);

      const found = await pagesOf(stores, fixture.tenant, { ...query, field }, [100]);

      expect(found).toEqual(expectedOf(fixture, fixture.events(), { ...query, field }));
      expect(found).toHaveLength(260);
      expect(take().reads).toBeLessThan(30);
    },
  );
});
