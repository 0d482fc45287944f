import { randomUUID } from 'node:crypto';
import { DeleteItemCommand } from '@aws-sdk/client-dynamodb';
import * as fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { type Result, resultStore } from '../../../../functions/platform/http/pages/result.store.ts';
import {
  RESULT_ROWS_MAXIMUM,
  respondWithResult,
} from '../../../../functions/platform/http/pages/resultPages.ts';
import type { Caller } from '../../../../functions/platform/tenancy/caller.ts';
import { HOUR_MS } from '../../../../schemas/durations.ts';
import { pageOf } from '../../../../schemas/page.ts';
import { startTables } from '../../../support/tables.ts';
import { caller, NOW, testRoute } from '../harness.ts';

const Page = pageOf(z.object({ name: z.string() }), 'Things').extend({ total: z.int() });
const ID = 'a5cf7b5e-0000-4000-8000-000000000001';

const live = await startTables();
afterAll(() => live.stop());

const resultOf = (size: number, state = 0): Result => ({
  rows: Array.from({ length: size }, (_, index) => ({ name: `${state}/${index}` })),
  envelope: { total: size },
});

interface Asked {
  readonly size?: number;
  readonly limit?: number;
  readonly cursor?: string | null;
  readonly by?: Caller;
  readonly at?: number;
  readonly id?: string;
}

/** One page of a result that is computed in another state each time. */
const pageOfResult = async ({
  size = 5,
  limit = 2,
  cursor,
  by = caller,
  at = NOW,
  id = randomUUID(),
}: Asked) => {
  const { body } = await respondWithResult(
    testRoute({ operation: 'reportThings' }),
    {
      query: { limit, ...(typeof cursor === 'string' && { cursor }) },
      caller: by,
      receivedAt: at,
      stores: { cursorKey: async () => new Uint8Array(32), results: resultStore('results', () => id) },
    },
    async () => resultOf(cursor == null ? size : size + 1, cursor == null ? 0 : 1),
  );
  return Page.parse(body);
};

describe('respondWithResult', () => {
  // About a second.
  it('returns each row of the first state once, on pages of any size', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: 450 }),
        fc.array(fc.integer({ min: 1, max: 200 }), { minLength: 1, maxLength: 5 }),
        async (size, limits) => {
          const names: string[] = [];
          let cursor: string | null = null;
          for (let page = 0; page === 0 || cursor !== null; page += 1) {
            const limit = limits[page % limits.length];
            const answer: z.infer<typeof Page> = await pageOfResult({
              size,
              cursor,
              ...(limit !== undefined && { limit }),
            });
            expect(answer.total).toBe(size);
            names.push(...answer.data.map(({ name }) => name));
            cursor = answer.page.next_cursor;
          }

          expect(names).toEqual(resultOf(size).rows.map((row) => Object(row).name));
        },
      ),
      { numRuns: 20 },
    );
  });

  it('stores nothing that fits on one page', async () => {
    const { page } = await pageOfResult({ size: 2, id: 'not-stored' });

    expect(page.has_more).toBe(false);
    expect(await live.everything('results')).not.toContain('not-stored');
  });

  it('returns the same page again for the same cursor', async () => {
    const { page } = await pageOfResult({});

    const again = [
      await pageOfResult({ cursor: page.next_cursor }),
      await pageOfResult({ cursor: page.next_cursor }),
    ];

    expect(again[0]).toMatchObject({ data: [{ name: '0/2' }, { name: '0/3' }] });
    expect(again[1]?.data).toEqual(again[0]?.data);
  });

  it.each<[string, Asked]>([
    ['an hour after the first page', { at: NOW + HOUR_MS }],
    ['by a credential with other scopes', { by: { ...caller, scopes: new Set(['read:reporting']) } }],
    ['by a credential that is bound to a lane', { by: { ...caller, residency: 'eu' } }],
  ])('refuses the second page %s', async (_, asked) => {
    const { page } = await pageOfResult({});

    const second = pageOfResult({ cursor: page.next_cursor, ...asked });

    await expect(second).rejects.toMatchObject({ code: 'INVALID_CURSOR' });
  });

  it('refuses a page of which rows were erased', async () => {
    const { page } = await pageOfResult({ id: ID });
    const Key = { pk: { S: `${caller.tenant.tenant_id}#${ID}` }, sk: { S: '000000' } };
    await live.client.send(new DeleteItemCommand({ TableName: 'results', Key }));

    await expect(pageOfResult({ cursor: page.next_cursor })).rejects.toMatchObject({
      code: 'INVALID_CURSOR',
    });
  });

  it('refuses more rows than pages are kept of', async () => {
    await expect(pageOfResult({ size: RESULT_ROWS_MAXIMUM + 1 })).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
      message: expect.stringContaining('100001 rows'),
    });
  });
});
