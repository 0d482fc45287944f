import { UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SelectionStores } from '../../functions/ledger/query/selectRecords.ts';
import { invocationUlid } from '../../functions/shared/ids.ts';
import { type LiveTables, startTables } from '../shared/tables.ts';
import {
  expectedOf,
  type ListedRecord,
  type ListQuery,
  listingFixture,
  pagesOf,
  START,
} from './listingFixture.ts';

let live: LiveTables;
beforeAll(async () => {
  live = await startTables();
});
afterAll(() => live.stop());

const ALWAYS = { from: 0, to: Date.parse('9999-01-01') };
const DAY = 24 * 60 * 60 * 1_000;
const cause = { provider: 'openai', served_model: 'gpt-4o', trace_id: null, residency: null };
const changes = {
  owner: 'team-search',
  service: 'search',
  cost_usd: '0.1',
  confidence: 0.8,
  output_state: 'deterministically_resolved',
  stage_origin: 'stage_a',
} as const;
const newestFirst: ListQuery = {
  field: 'occurred_at',
  descending: true,
  filters: [],
  period: ALWAYS,
  residency: null,
};

/** A tenant with so many records of a minute each, every n-th of them of another owner. */
const tenantWith = async (records: number, every: number, members: { readonly trace_id?: string } = {}) => {
  const here = listingFixture([{ from: 0, count: 2 }]);
  const insert = (at: number) =>
    here.insert(
      START - 2 * DAY + at * 60_000,
      { ...cause, ...members },
      { ...changes, owner: at % every === 0 ? 'team-ads' : 'team-search' },
      START - 60_000,
    );
  const rows: ListedRecord[] = [];
  for (let at = 0; at < records; at += 20) {
    const some = Array.from({ length: Math.min(20, records - at) }, (_, index) => insert(at + index));
    rows.push(...(await Promise.all(some)));
  }
  return { here, rows };
};

/** The stores, and what was read of the ledger since the last time. */
const counted = (stores: SelectionStores) => {
  let counts = { listed: 0, reads: 0, examined: 0 };
  const { ledger } = stores;
  const counting: SelectionStores = {
    ...stores,
    ledger: {
      ...ledger,
      months: (tenantId) => {
        counts.listed += 1;
        return ledger.months(tenantId);
      },
      read: async (tenantId, stretch) => {
        const read = await ledger.read(tenantId, stretch);
        counts.reads += 1;
        counts.examined += read.examined ?? 0;
        return read;
      },
    },
  };
  return {
    stores: counting,
    take: () => {
      const taken = counts;
      counts = { listed: 0, reads: 0, examined: 0 };
      return taken;
    },
  };
};

describe('a page of a rare selection', () => {
  let here: Awaited<ReturnType<typeof tenantWith>>['here'];
  beforeAll(async () => {
    ({ here } = await tenantWith(2_600, 1_300));
  }, 120_000);

  it.each(['occurred_at', 'cost_usd', 'confidence'] as const)(
    'looks at a bounded number of versions, however few it finds: by %s',
    async (field) => {
      const asked: ListQuery = {
        ...newestFirst,
        field,
        filters: [{ field: 'owner', operator: 'eq', values: ['team-ads'] }],
      };
      const { stores, take } = counted(here.stores);

      const pages: number[] = [];
      const found = await pagesOf(stores, here.tenant, asked, [50], async () => {
        const { examined, reads } = take();
        pages.push(examined);
        expect(reads).toBeLessThanOrEqual(16);
      });

      expect(found).toEqual(expectedOf(here, here.events(), asked));
      expect(found).toHaveLength(2);
      expect(pages.length).toBeGreaterThan(2);
      // A thousand, and what the last reads of two partitions may look at beyond.
      expect(Math.max(...pages)).toBeLessThanOrEqual(2_000);
    },
  );
});

describe('a page in an order', () => {
  it.each(['cost_usd', 'confidence'] as const)(
    'by %s reads as much of a full month as of a nearly empty one',
    async (field) => {
      const reads: number[] = [];
      for (const records of [2, 400]) {
        const { here } = await tenantWith(records, 10);
        const { stores, take } = counted(here.stores);
        const stop = new Error('one page is enough');

        const walk = pagesOf(stores, here.tenant, { ...newestFirst, field }, [1], () => Promise.reject(stop));

        await expect(walk).rejects.toThrow(stop);
        reads.push(take().reads);
      }

      // Two partitions of each range of values that is visited; only the nearly empty ledger is read to its end.
      expect(reads[1]).toBeLessThanOrEqual(2);
      expect(reads[0]).toBeLessThanOrEqual(4);
    },
  );
});

describe('certain invocations', () => {
  const asking = (
    here: Awaited<ReturnType<typeof tenantWith>>['here'],
    rows: readonly ListedRecord[],
  ): ListQuery => ({
    ...newestFirst,
    filters: [
      {
        field: 'invocation_id',
        operator: 'in',
        values: rows.map(
          ({ eventId }) => `inv_${here.tenant.tag}${invocationUlid(here.tenant.tenant_id, eventId)}`,
        ),
      },
    ],
  });
  const unknown = { eventId: '00000000-0000-4000-8000-999999999999', occurredAt: START };

  it('are read under their own keys, one read each', async () => {
    const { here, rows } = await tenantWith(30, 10);
    const chosen = [3, 17, 29].flatMap((at) => rows[at] ?? []);
    const asked = asking(here, [...chosen, unknown]);
    const { stores, take } = counted(here.stores);

    const found = await pagesOf(stores, here.tenant, asked, [2]);

    expect(found).toEqual(expectedOf(here, here.events(), asked));
    expect(found).toHaveLength(3);
    expect(take()).toMatchObject({ listed: 0, reads: 3 });
  });

  it('that other filters contradict are none', async () => {
    const { here, rows } = await tenantWith(3, 10);
    const { filters, ...asked } = asking(here, rows.slice(1, 2));
    const other = asking(here, rows.slice(2, 3)).filters;

    const ads = { field: 'owner', operator: 'eq', values: ['team-ads'] } as const;

    expect(
      await pagesOf(here.stores, here.tenant, { ...asked, filters: [...filters, ...other] }, [5]),
    ).toEqual([]);
    expect(await pagesOf(here.stores, here.tenant, { ...asked, filters: [...filters, ads] }, [5])).toEqual(
      [],
    );
  });

  it('whose claim does not tell are found by a walk', async () => {
    const { here, rows } = await tenantWith(30, 10);
    const asked = asking(here, rows.slice(4, 6));
    const pk = {
      S: `${here.tenant.tenant_id}#${invocationUlid(here.tenant.tenant_id, rows[4]?.eventId ?? '')}`,
    };
    const UpdateExpression = 'REMOVE #record';
    const ExpressionAttributeNames = { '#record': 'record' };
    await live.client.send(
      new UpdateItemCommand({ TableName: 'claims', Key: { pk }, UpdateExpression, ExpressionAttributeNames }),
    );

    const found = await pagesOf(here.stores, here.tenant, asked, [2]);

    expect(found).toEqual(expectedOf(here, here.events(), asked));
    expect(found).toHaveLength(2);
  });
});

describe('a trace', () => {
  const asked: ListQuery = {
    ...newestFirst,
    filters: [{ field: 'trace_id', operator: 'eq', values: ['long'] }],
  };

  it('of few spans is read a page at a time under its own keys', async () => {
    const { here } = await tenantWith(30, 10, { trace_id: 'long' });
    await here.insert(START - DAY, cause, changes, START - 60_000);
    const { stores, take } = counted(here.stores);

    const found = await pagesOf(stores, here.tenant, asked, [7]);

    expect(found).toEqual(expectedOf(here, here.events(), asked));
    expect(take()).toMatchObject({ listed: 0, reads: 30 });
  });

  it.each(['occurred_at', 'cost_usd'] as const)('of very many is walked over, by %s', async (field) => {
    const { here } = await tenantWith(260, 10, { trace_id: 'long' });
    await here.insert(START - DAY, cause, changes, START - 60_000);
    const { stores, take } = counted(here.stores);

    const found = await pagesOf(stores, here.tenant, { ...asked, field }, [100]);

    expect(found).toEqual(expectedOf(here, here.events(), { ...asked, field }));
    expect(found).toHaveLength(260);
    expect(take().reads).toBeLessThan(30);
  });
});
