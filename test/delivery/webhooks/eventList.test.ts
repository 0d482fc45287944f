import { afterAll, afterEach, beforeEach, expect, it, vi } from 'vitest';
import { sampleEvent } from '../../../functions/delivery/webhooks/streams/sampleEvents.ts';
import { sha256Of } from '../../../functions/platform/shared/hash.ts';
import { ulidOf } from '../../../functions/platform/shared/ulid.ts';
import type { Tenant } from '../../../functions/platform/tenancy/tenant.ts';
import type { RaisedEvent } from '../../../schemas/delivery/events.ts';
import type { SubscribableEvent } from '../../../schemas/delivery/webhooks.ts';
import { type Scope, scopeNames } from '../../../schemas/identity/scopes.ts';
import { newTenant } from '../../support/tenants.ts';
import { startWebhooksHarness } from './harness.ts';

const MINUTE = 60_000;

let tenant: Tenant;
const world = await startWebhooksHarness();
afterAll(() => world.live.stop());
beforeEach(() => {
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  tenant = newTenant();
});
afterEach(() => vi.restoreAllMocks());

let events = 0;
const anEvent = (ago: number, type: SubscribableEvent = 'anomaly.detected', of: Tenant = tenant) => {
  events += 1;
  const at = world.time.now - ago;
  return sampleEvent(type, { ulid: ulidOf(at, sha256Of(String(events))), at, tenant: of });
};
const raise = async (raised: readonly RaisedEvent[]) => {
  for (let index = 0; index < raised.length; index += 100)
    await world.raise(raised.slice(index, index + 100));
};
const sorted = (raised: readonly RaisedEvent[]): string[] => raised.map(({ id }) => id).toSorted();

const list = (query: Record<string, string> = {}, scopes?: readonly Scope[], residency?: string) =>
  world.call('events', { tenant, query, ...(residency !== undefined && { residency }) }, scopes);
const at = (ago: number): string => new Date(world.time.now - ago).toISOString();

interface EventList {
  readonly data: readonly RaisedEvent[];
  readonly page: { readonly next_cursor: string | null };
}
const pagesOf = async (query: Record<string, string>): Promise<EventList[]> => {
  const pages: EventList[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const { status, text } = await list({ ...query, ...(cursor && { cursor }) });
    expect(status).toBe(200);
    const page: EventList = JSON.parse(text);
    pages.push(page);
    cursor = page.page.next_cursor;
  }
  return pages;
};
const idsIn = (pages: readonly EventList[]): string[] =>
  pages.flatMap(({ data }) => data.map(({ id }) => id));

it('lists the events of the last minute, oldest first, with their data', async () => {
  const [old, first, second] = [anEvent(2 * MINUTE), anEvent(30_000), anEvent(10_000)];
  await raise([second, old, first]);

  const [page] = await pagesOf({});
  expect(page?.data).toEqual([first, second]);
});

it('lists the events of the last seconds before to', async () => {
  const raised = [300, 200, 100].map((seconds) => anEvent(seconds * 1_000));
  await raise(raised);

  expect(idsIn(await pagesOf({ last_seconds: '200' }))).toEqual(sorted(raised.slice(1)));
  expect(idsIn(await pagesOf({ last_seconds: '200', to: at(150_000) }))).toEqual(sorted(raised.slice(0, 2)));
});

it('lists a range, from inclusive and to exclusive, of the requested types', async () => {
  const raised = [3, 2, 1].map((minutes) => anEvent(minutes * MINUTE));
  await raise([...raised, anEvent(2 * MINUTE, 'export.failed')]);

  const query = { from: at(3 * MINUTE), to: at(MINUTE), types: 'anomaly.detected,export.completed' };
  expect(idsIn(await pagesOf(query))).toEqual(sorted(raised.slice(0, 2)));
});

it('returns each event once across pages, also when a page is smaller than one millisecond', async () => {
  const together = Array.from({ length: 9 }, () => anEvent(5_000));
  const raised = [...[9, 8, 7].map((seconds) => anEvent(seconds * 1_000)), ...together, anEvent(1_000)];
  await raise([...raised, anEvent(5_000, 'export.failed')]);

  const pages = await pagesOf({ limit: '2', types: 'anomaly.detected' });
  expect(idsIn(pages)).toEqual(sorted(raised));
  expect(pages.every(({ data }) => data.length <= 2)).toBe(true);
});

it('does not list events that were raised after the first page was requested', async () => {
  const raised = [3, 2].map((seconds) => anEvent(seconds * 1_000));
  await raise(raised);
  const first: EventList = JSON.parse((await list({ limit: '1' })).text);

  world.time.now += 1_000;
  await raise([anEvent(0)]);
  const { text } = await list({ limit: '1', cursor: first.page.next_cursor ?? '' });
  expect(idsIn([first, JSON.parse(text)])).toEqual(sorted(raised));
});

it('refuses a cursor with other types, and one of another tenant', async () => {
  await raise([anEvent(3_000), anEvent(2_000)]);
  const { page }: EventList = JSON.parse((await list({ limit: '1' })).text);
  const cursor = page.next_cursor ?? '';

  const other = await list({ cursor, types: 'anomaly.detected' });
  const foreign = await world.call('events', { tenant: newTenant(), query: { cursor } });

  expect(other.body['error_code']).toBe('INVALID_CURSOR');
  expect(foreign.body['error_code']).toBe('TENANT_MISMATCH');
});

it('never lists the events of another tenant', async () => {
  await raise([anEvent(1_000, 'anomaly.detected', newTenant())]);

  expect(idsIn(await pagesOf({}))).toEqual([]);
});

it('omits events that the caller has no scope to read, and refuses to list them by type', async () => {
  const [hidden, shown] = [anEvent(2_000, 'apikey.rotated'), anEvent(1_000)];
  await raise([hidden, shown]);
  const scopes = scopeNames.filter((scope) => scope !== 'admin:config');

  const { text } = await list({}, scopes);
  const refused = await list({ types: 'apikey.rotated' }, scopes);

  expect(idsIn([JSON.parse(text)])).toEqual([shown.id]);
  expect([refused.status, refused.body['error_code']]).toEqual([403, 'INSUFFICIENT_SCOPE']);
});

it.each(['webhooks:manage', 'read:attribution'] as const)('needs %s', async (missing) => {
  const { status } = await list(
    {},
    scopeNames.filter((scope) => scope !== missing),
  );

  expect(status).toBe(403);
});

it('is closed to a credential that is bound to a residency lane', async () => {
  const { body } = await list({}, undefined, 'eu');

  expect(body['error_code']).toBe('RESIDENCY_BLOCKED');
});

it.each([
  [{ from: '2026-05-02T00:00:00Z', to: '2026-05-01T00:00:00Z' }, 'from'],
  [{ types: 'webhook.verification' }, 'types'],
  [{ types: 'anomaly.missed' }, 'types'],
  [{ from: 'yesterday' }, 'from'],
  [{ from: '2026-05-01T00:00:00Z', last_seconds: '60' }, 'last_seconds'],
  [{ last_seconds: '0' }, 'last_seconds'],
])('refuses %j, and names the parameter %s', async (query, parameter) => {
  const { status, text } = await list(query);

  expect(status).toBe(400);
  expect(text).toContain(`"parameter":"${parameter}"`);
});
