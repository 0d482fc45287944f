import { callRows, difference } from './consumption.ts';
import type { MeasuredService } from './service.ts';
import { benchEvent, measure, percentile, request } from './traffic.ts';

const REPEATS = 30;
/** A small ledger to compare a large one with. */
const SEED_EVENTS = 500;

interface Page {
  readonly data: readonly { readonly id: string }[];
  readonly page: { readonly next_cursor: string | null };
}

/** Fills a new ledger a little; resolves to its number of records. */
export const seed = async ({ runtime, credentials }: MeasuredService): Promise<number> => {
  const events = Array.from({ length: SEED_EVENTS }, benchEvent);
  const key = credentials.tenants[0]?.api_keys.ingest ?? '';
  await request(`${runtime.baseUrl}/api/v1/invocations/batch`, key, { events });
  await runtime.idle();
  return SEED_EVENTS;
};

/** How many records the ledger holds, by walking it. */
export const countRecords = async ({ runtime, credentials }: MeasuredService): Promise<number> => {
  const key = credentials.tenants[0]?.api_keys.read ?? '';
  let count = 0;
  let cursor = '';
  do {
    const url = `${runtime.baseUrl}/v1/attribution?limit=200${cursor}`;
    const page: Page = JSON.parse((await request(url, key)).text);
    count += page.data.length;
    cursor = page.page.next_cursor === null ? '' : `&cursor=${encodeURIComponent(page.page.next_cursor)}`;
  } while (cursor !== '');
  return count;
};

/** Reads and latency of a page at both ends and in the middle of the ledger as it stands, and of one record. */
export const benchPages = async ({ runtime, credentials }: MeasuredService, records: number) => {
  const key = credentials.tenants[0]?.api_keys.read ?? '';
  const list = `${runtime.baseUrl}/v1/attribution`;
  const read = async (url: string): Promise<Page> => JSON.parse((await request(url, key)).text);

  let middle = await read(`${list}?limit=200`);
  for (let walked = 200; walked < records / 2 && middle.page.next_cursor !== null; walked += 200) {
    middle = await read(`${list}?limit=200&cursor=${encodeURIComponent(middle.page.next_cursor)}`);
  }
  const cursor = encodeURIComponent(middle.page.next_cursor ?? '');
  const reads = {
    'newest first': `${list}?limit=50`,
    'oldest first': `${list}?limit=50&sort=occurred_at`,
    middle: `${list}?limit=50&cursor=${cursor}`,
    'one record': `${list}/${middle.data[0]?.id ?? ''}`,
  };
  const results = [];
  for (const [name, url] of Object.entries(reads)) {
    await request(url, key);
    const before = runtime.usage?.() ?? {};
    const { each } = await measure(REPEATS, 1, () => request(url, key));
    const calls = callRows(difference(before, runtime.usage?.() ?? {}), REPEATS);
    const ledger = calls.filter(({ operation }) => operation === 'dynamodb Query');
    results.push({
      page: name,
      records,
      queries: ledger.reduce((sum, row) => sum + row.calls, 0),
      'read units': ledger.reduce((sum, row) => sum + row.units, 0),
      p50: percentile(each, 0.5),
      p99: percentile(each, 0.99),
    });
  }
  return results;
};
