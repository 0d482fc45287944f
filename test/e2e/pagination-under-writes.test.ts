import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { findDeployment } from '../../tools/operator/deployment.ts';
import { tenantAdministration } from '../../tools/operator/tenants.ts';
import { call, someEvent } from '../support/client.ts';
import { type Instance, startInstance } from '../support/instance.ts';

const DAY = 24 * 60 * 60 * 1_000;
const RECORDS = 40;
const NOW = Date.now();
/** Records lie over about four months, several to a month, two of them at one instant. */
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

/** One page after another, with new events posted in between: now, late, and beside records that are there. */
const paginateWhileWriting = async (query: string): Promise<Listed[]> => {
  const found: Listed[] = [];
  let writes = 0;
  for (let cursor: string | null = ''; cursor !== null; ) {
    const following = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const answer = await call(instance.baseUrl, `/v1/attribution?${query}${following}`, { key });
    expect(answer.status).toBe(200);
    const { data, page } = Page.parse(answer.body);
    expect(data.length).toBeLessThanOrEqual(page.limit);
    expect(page.has_more).toBe(page.next_cursor !== null);
    found.push(...data);
    cursor = page.next_cursor;
    // One that never tired of writing just ahead would be followed for ever.
    writes += 1;
    if (writes > 5) continue;

    const beside = Date.parse(data.at(-1)?.occurred_at ?? new Date(NOW).toISOString());
    const arriving = [Date.now(), NOW - 300 * DAY, beside - 1, beside, Math.min(beside + 1, Date.now())];
    await write(arriving.map((at) => ({ event_id: randomUUID(), at })));
    await instance.runtime.idle();
  }
  return found;
};

beforeAll(async () => {
  instance = await startInstance();
  const { dataDir } = instance;
  const administration = await tenantAdministration(await findDeployment({ stack: undefined, dataDir }));
  await administration.open({ tenantId: 'walker', name: 'W', plan: 'enterprise', residency: [] });
  // More shards from the middle of the records on, as for a tenant that grew.
  const tenant = await administration.update('walker', (opened) => ({
    ...opened,
    shards: [...opened.shards, { from: NOW - 50 * DAY, count: 3 }],
  }));
  key = await administration.issueKey(tenant, 'walker');
  await write(existingEvents);
  await instance.runtime.idle();
});
afterAll(() => instance.stop());

describe('following cursors while others write', () => {
  const inside = (from: number, to: number) =>
    existingEvents.filter(({ at }) => at >= from && at < to).map(({ event_id }) => event_id);
  const [from, to] = [NOW - 70 * DAY, NOW - 12 * DAY];
  const period = `occurred_at[gte]=${new Date(from).toISOString()}&occurred_at[lt]=${new Date(to).toISOString()}`;

  it.each([
    ['the newest first', 'limit=7', -1, 0, Infinity],
    ['the oldest first', 'limit=9&sort=occurred_at', 1, 0, Infinity],
    ['a period', `limit=4&${period}`, -1, from, to],
    ['a period, one record a page', `limit=1&sort=occurred_at&${period}`, 1, from, to],
  ])('returns what was there once and in order: %s', async (_, query, direction, begin, end) => {
    const expected = inside(begin, end);

    const found = await paginateWhileWriting(query);

    const events = found.map(({ event_id }) => event_id);
    const times = found.map(({ occurred_at }) => occurred_at);
    const sorted = times.toSorted();
    expect(expected.length).toBeGreaterThan(10);
    expect(new Set(events).size).toBe(events.length);
    expect(expected.filter((event) => !events.includes(event))).toEqual([]);
    expect(times).toEqual(direction === 1 ? sorted : sorted.reverse());
    expect(times.map(Date.parse).filter((at) => at < begin || at >= end)).toEqual([]);
  });

  it('shows each record under its id as it was listed', async () => {
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
