import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { call, someEvent } from '../support/client.ts';
import type { Instance } from '../support/instance.ts';
import { administrationOf } from '../support/localService.ts';
import { sharedInstance } from '../support/sharedInstance.ts';

const DAY = 24 * 60 * 60 * 1_000;
const RECORDS = 40;
const NOW = Date.now();
/** Records span about four months, several per month, with two at each instant. */
const timeOf = (index: number): number => NOW - Math.floor(index / 2) * 6 * DAY;

const Page = z.object({
  data: z.array(z.looseObject({ id: z.string(), event_id: z.string(), occurred_at: z.string() })),
  page: z.object({ next_cursor: z.string().nullable(), limit: z.int(), has_more: z.boolean() }),
});
type Listed = z.infer<typeof Page>['data'][number];

let instance: Instance;
let key: string;
const existingEvents = Array.from({ length: RECORDS }, (_, index) => ({
  event_id: randomUUID(),
  at: timeOf(index),
}));

const write = async (events: readonly { event_id: string; at: number }[]): Promise<void> => {
  const body = {
    events: events.map(({ event_id, at }) =>
      someEvent({ event_id, occurred_at: new Date(at).toISOString() }),
    ),
  };
  const answer = await call(instance.baseUrl, '/api/v1/invocations/batch', { key, body });
  expect(answer.body).toMatchObject({ accepted: events.length, rejected: 0 });
};

/** Reads all pages and sends new events in between: current, late, and adjacent to existing records. */
const paginateWhileWriting = async (query: string): Promise<Listed[]> => {
  const listed: Listed[] = [];
  let writes = 0;
  for (let cursor: string | null = ''; cursor !== null; ) {
    const following = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const answer = await call(instance.baseUrl, `/v1/attribution?${query}${following}`, { key });
    expect(answer.status).toBe(200);
    const { data, page } = Page.parse(answer.body);
    expect(data.length).toBeLessThanOrEqual(page.limit);
    expect(page.has_more).toBe(page.next_cursor !== null);
    listed.push(...data);
    cursor = page.next_cursor;
    // Stop writing after five pages. Otherwise new events ahead of the cursor would make the pagination endless.
    writes += 1;
    if (writes > 5) continue;

    const beside = Date.parse(data.at(-1)?.occurred_at ?? new Date(NOW).toISOString());
    const arriving = [Date.now(), NOW - 300 * DAY, beside - 1, beside, Math.min(beside + 1, Date.now())];
    await write(arriving.map((at) => ({ event_id: randomUUID(), at })));
    await instance.runtime.idle();
  }
  return listed;
};

beforeAll(async () => {
  instance = await sharedInstance();
  const administration = await administrationOf(instance);
  const tenant = await administration.open({
    tenantId: 'paginating',
    name: 'Paginating',
    plan: 'enterprise',
    residency: [],
  });
  key = await administration.issueKey(tenant, 'reader');
  await write(existingEvents);
  await instance.runtime.idle();
});
afterAll(() => instance.stop());

describe('pagination of GET /v1/attribution during writes', () => {
  const inside = (from: number, to: number) =>
    existingEvents.filter(({ at }) => at >= from && at < to).map(({ event_id }) => event_id);
  const [from, to] = [NOW - 70 * DAY, NOW - 12 * DAY];
  const period = `occurred_at[gte]=${new Date(from).toISOString()}&occurred_at[lt]=${new Date(to).toISOString()}`;

  it.each([
    ['the newest first', 'limit=7', -1, 0, Infinity],
    ['the oldest first', 'limit=9&sort=occurred_at', 1, 0, Infinity],
    ['a period', `limit=4&${period}`, -1, from, to],
    ['a period, one record a page', `limit=1&sort=occurred_at&${period}`, 1, from, to],
  ])('returns each existing record once and in order: %s', async (_, query, direction, begin, end) => {
    const expected = inside(begin, end);

    const listed = await paginateWhileWriting(query);

    const events = listed.map(({ event_id }) => event_id);
    const times = listed.map(({ occurred_at }) => occurred_at);
    const sorted = times.toSorted();
    expect(expected.length).toBeGreaterThan(10);
    expect(new Set(events).size).toBe(events.length);
    expect(expected.filter((event) => !events.includes(event))).toEqual([]);
    expect(times).toEqual(direction === 1 ? sorted : sorted.reverse());
    expect(times.map(Date.parse).filter((at) => at < begin || at >= end)).toEqual([]);
  });

  it('returns each listed record unchanged by its id', async () => {
    const answer = await call(instance.baseUrl, '/v1/attribution?limit=40&sort=occurred_at', { key });
    const { data } = Page.parse(answer.body);

    const details = await Promise.all(
      data.map(async ({ id }) => (await call(instance.baseUrl, `/v1/attribution/${id}`, { key })).body),
    );

    expect(data).toHaveLength(40);
    expect(details.map(({ explanation: _reasons, ...record }) => record)).toEqual(data);
    expect(details.every((detail) => detail['explanation'] !== undefined)).toBe(true);
  });
});
