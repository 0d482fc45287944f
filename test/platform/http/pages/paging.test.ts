import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { type PageStart, respondWithPage, toPage } from '../../../../functions/platform/http/pages/paging.ts';
import type { Caller } from '../../../../functions/platform/tenancy/caller.ts';
import { pageOf } from '../../../../schemas/page.ts';
import { outage } from '../../../support/outage.ts';
import { caller, NOW, testRoute } from '../harness.ts';

const Page = pageOf(z.string(), 'Letters');
const letters = [...'abcdefghij'];
const cursorKey = async () => new Uint8Array(32).fill(7);

/** A sorted collection that records the start of each page request. */
const collection = (items: readonly string[] = letters) => {
  const starts: PageStart[] = [];
  const readPage = async (start: PageStart, limit: number) => {
    starts.push(start);
    const following = items.filter((item) => start.after === undefined || item > start.after);
    return toPage(following.slice(0, limit + 1), limit, (item) => item);
  };
  return { starts, readPage };
};

const pageWith = async (
  options: {
    readonly query?: Readonly<Record<string, unknown>> & { cursor?: string; limit?: number };
    readonly by?: Caller;
    readonly at?: number;
    readonly operation?: string;
    readonly of?: ReturnType<typeof collection>;
    readonly key?: () => Promise<Uint8Array>;
  } = {},
) => {
  const { body } = await respondWithPage(
    testRoute({ operation: options.operation ?? 'listThings' }),
    {
      query: options.query ?? {},
      caller: options.by ?? caller,
      receivedAt: options.at ?? NOW,
      stores: { cursorKey: options.key ?? cursorKey },
    },
    (options.of ?? collection()).readPage,
  );
  return Page.parse(body);
};

/** A cursor to the page after the first three letters. */
const someCursor = async (): Promise<string> => {
  const { page } = await pageWith({ query: { limit: 3, owner: 'a', sort: 'b' } });
  return z.string().parse(page.next_cursor);
};
const here = { limit: 3, owner: 'a', sort: 'b' };
const refusal = (code: string) => expect.objectContaining({ code });

describe('respondWithPage', () => {
  it('returns 50 items by default, and as many as requested', async () => {
    const all = collection(Array.from({ length: 60 }, (_, index) => String(index).padStart(2, '0')));

    const sizes = [await pageWith({ of: all }), await pageWith({ of: all, query: { limit: 60 } })];

    expect(sizes.map(({ data, page }) => [data.length, page.limit, page.has_more])).toEqual([
      [50, 50, true],
      [60, 60, false],
    ]);
  });

  it('returns no cursor for an empty collection', async () => {
    expect(await pageWith({ of: collection([]) })).toEqual({
      data: [],
      page: { next_cursor: null, limit: 50, has_more: false },
    });
  });

  it('returns no cursor for a full page without further items', async () => {
    expect((await pageWith({ query: { limit: 10 } })).page).toMatchObject({
      next_cursor: null,
      has_more: false,
    });
  });

  it('returns a cursor with an empty page when more items follow', async () => {
    const { data, page } = await pageWith({
      of: { starts: [], readPage: async () => ({ items: [], resume: 'k' }) },
    });

    expect([data, page.has_more]).toEqual([[], true]);
    expect(page.next_cursor).toBeTypeOf('string');
  });

  it('returns every item once and in order across pages', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.stringMatching(/^[a-z]{2}$/)),
        fc.integer({ min: 1, max: 5 }),
        async (items, limit) => {
          const sorted = items.toSorted();
          const of = collection(sorted);
          const found: string[] = [];
          let cursor: string | null | undefined;
          do {
            const query: { limit: number; cursor?: string } = { limit, ...(cursor && { cursor }) };
            const { data, page } = await pageWith({ of, query });
            expect(data.length).toBeLessThanOrEqual(limit);
            expect(page.has_more).toBe(page.next_cursor !== null);
            found.push(...data);
            cursor = page.next_cursor;
          } while (cursor !== null);

          expect(found).toEqual(sorted);
        },
      ),
      { numRuns: 30 },
    );
  });

  it('reads all pages as of the start of the query', async () => {
    const of = collection();
    const first = await pageWith({ of, query: { limit: 3 } });
    const second = await pageWith({
      of,
      query: { limit: 3, cursor: first.page.next_cursor ?? '' },
      at: NOW + 60_000,
    });
    await pageWith({ of, query: { limit: 3, cursor: second.page.next_cursor ?? '' }, at: NOW + 120_000 });

    expect(of.starts).toEqual([
      { after: undefined, asOf: NOW },
      { after: 'c', asOf: NOW },
      { after: 'f', asOf: NOW },
    ]);
  });
});

describe('a cursor', () => {
  it('is accepted with another limit, and with its filters in another order', async () => {
    const cursor = await someCursor();

    const { data } = await pageWith({ query: { cursor, sort: 'b', owner: 'a', limit: 2 } });

    expect(data).toEqual(['d', 'e']);
  });

  it('is accepted from another credential of the tenant, such as the successor of a rotated key', async () => {
    const cursor = await someCursor();

    const { data } = await pageWith({
      query: { ...here, cursor },
      by: { ...caller, principal: 'key_2', kind: 'api_key' },
    });

    expect(data).toEqual(['d', 'e', 'f']);
  });

  const otherLane: Caller = { ...caller, residency: 'eu' };
  const partner: Caller = {
    ...caller,
    connector: { name: 'gateway', sourceSystems: [], layer: 'gateway', fillsOtherSources: false },
  };
  const otherTenant: Caller = {
    ...caller,
    tenant: { ...caller.tenant, tenant_id: 'globex', tag: 'zzzzzzzz' },
  };
  const HOUR = 3_600_000;

  it.each<[string, Parameters<typeof pageWith>[0], string]>([
    ['with another filter', { query: { ...here, owner: 'x' } }, 'INVALID_CURSOR'],
    ['with an additional filter', { query: { ...here, service: 'x' } }, 'INVALID_CURSOR'],
    ['without one of its filters', { query: { limit: 3, sort: 'b' } }, 'INVALID_CURSOR'],
    ['at another route', { query: here, operation: 'listOthers' }, 'INVALID_CURSOR'],
    ['in another lane', { query: here, by: otherLane }, 'INVALID_CURSOR'],
    ['for a partner', { query: here, by: partner }, 'INVALID_CURSOR'],
    ['for another tenant', { query: here, by: otherTenant }, 'TENANT_MISMATCH'],
    ['an hour later', { query: here, at: NOW + HOUR }, 'INVALID_CURSOR'],
    [
      'with the key of another stack',
      { query: here, key: async () => new Uint8Array(32).fill(8) },
      'INVALID_CURSOR',
    ],
  ])('is refused %s', async (_, options, code) => {
    const cursor = await someCursor();

    await expect(pageWith({ ...options, query: { ...options?.query, cursor } })).rejects.toEqual(
      refusal(code),
    );
  });

  it('is valid until it expires', async () => {
    const cursor = await someCursor();

    expect(await pageWith({ query: { ...here, cursor }, at: NOW + HOUR - 1 })).toMatchObject({
      data: ['d', 'e', 'f'],
    });
  });

  it('throws the outage when the cursor key cannot be derived', async () => {
    const key = async () => {
      throw outage();
    };

    await expect(pageWith({ key })).rejects.toThrow('ECONNREFUSED');
  });
});
