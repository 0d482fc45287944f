import { expect, it } from 'vitest';
import type { StoredNotification } from '../../../functions/delivery/notifications/notification.store.ts';
import {
  type NotificationPageQuery,
  readNotificationPage,
} from '../../../functions/delivery/notifications/notificationPage.ts';
import { ulidInId } from '../../../functions/platform/shared/ids.ts';
import { ulidOf } from '../../../functions/platform/shared/ulid.ts';
import { type Notification, notifiableEventTypes } from '../../../schemas/delivery/notifications.ts';
import { type Scope, scopeNames } from '../../../schemas/identity/scopes.ts';

const NOW = Date.parse('2026-11-21T12:00:00Z');
const EVERY_SCOPE: ReadonlySet<Scope> = new Set(scopeNames);
const DAY = 24 * 60 * 60 * 1_000;

/** A row that is `days` days old. */
const aRow = (days: number, members: Partial<StoredNotification> = {}): StoredNotification => ({
  id: `ntf_abcdefgh${ulidOf(NOW - days * DAY, new Uint8Array(10))}`,
  created_at: new Date(NOW - days * DAY).toISOString(),
  type: 'export.failed',
  severity: 'warning',
  title: `${days} days ago`,
  text: '',
  link: '/api/v1/jobs',
  event_id: 'evt_1',
  residency: null,
  sent: null,
  ...members,
});

const readAll = async (
  rows: StoredNotification[],
  request: Partial<NotificationPageQuery> = {},
  limit = 3,
) => {
  const sorted = rows.toSorted((one, other) => (ulidInId(one.id) < ulidInId(other.id) ? 1 : -1));
  const reads: number[] = [];
  const reader = {
    notifications: async (_: string, range: { after?: string | undefined; limit: number }) => {
      const { after } = range;
      const found = sorted
        .filter(({ id }) => after === undefined || ulidInId(id) < after)
        .slice(0, range.limit);
      reads.push(found.length);
      return found;
    },
  };
  const found: Notification[] = [];
  let after: string | undefined;
  for (;;) {
    const options = {
      tenantId: 'acme',
      lane: null,
      scopes: EVERY_SCOPE,
      query: {},
      after,
      limit,
      now: NOW,
      ...request,
    };
    const { items, resume } = await readNotificationPage(reader, options);
    expect(items.length).toBeLessThanOrEqual(limit);
    expect(reads.splice(0).reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(4 * (limit + 1));
    found.push(...items);
    if (resume === null) return found.map(({ title }) => title);
    after = resume;
  }
};

it('returns the last thirty days across pages, newest first', async () => {
  const rows = Array.from({ length: 40 }, (_, days) => aRow(days));

  expect(await readAll(rows)).toEqual(Array.from({ length: 31 }, (_, days) => `${days} days ago`));
});

it('returns what a clock that was ahead has stored', async () => {
  expect(await readAll([aRow(-1), aRow(0)])).toEqual(['-1 days ago', '0 days ago']);
});

it('returns all rows that match a filter, however far apart', async () => {
  const rows = Array.from({ length: 30 }, (_, days) =>
    aRow(days, days === 27 ? { severity: 'critical', type: 'webhook.disabled' } : {}),
  );

  expect(await readAll(rows, { query: { severity: 'critical' } })).toEqual(['27 days ago']);
  expect(await readAll(rows, { query: { type: 'webhook.disabled' } })).toEqual(['27 days ago']);
  expect(await readAll(rows, { query: { type: 'webhook.disabled', severity: 'warning' } })).toEqual([]);
});

it('returns only rows of its lane to a lane-bound credential', async () => {
  const rows = [aRow(1), aRow(2, { residency: 'eu' }), aRow(3, { residency: 'us' })];

  expect(await readAll(rows, { lane: 'eu' })).toEqual(['2 days ago']);
  expect(await readAll(rows)).toHaveLength(3);
});

it.each<[Scope, string[]]>([
  [
    'read:reporting',
    ['budget.threshold.crossed', 'budget.forecast.crossed', 'anomaly.detected', 'bill_source.health.changed'],
  ],
  ['read:attribution', ['coverage.degraded', 'degradation.state.changed', 'cost.implausible']],
  ['export:create', ['export.delivery.failed', 'export.failed']],
  ['webhooks:manage', ['webhook.disabled']],
  ['admin:config', []],
])('returns to a caller with %s only the notifications that it reads', async (scope, types) => {
  const rows = notifiableEventTypes.map((type, index) => aRow(index + 1, { type, title: type }));

  const read = await readAll(rows, { scopes: new Set([scope]) });

  expect(read.toSorted()).toEqual(types.toSorted());
});

it.each<[Scope[], string[]]>([
  [['read:reporting'], ['cohorts']],
  [['read:attribution'], []],
  [
    ['read:reporting', 'read:attribution'],
    ['cohorts', 'records'],
  ],
])('shows a caller with %j crossings of budgets with a basis of %j', async (scopes, expected) => {
  const type = 'budget.threshold.crossed';
  const rows = [aRow(1, { type, title: 'cohorts' }), aRow(2, { type, title: 'records', of_records: true })];

  expect(await readAll(rows, { scopes: new Set(scopes) })).toEqual(expected);
});

it('omits how a notification is sent, and what decides who reads it', async () => {
  const sent: StoredNotification['sent'] = { how: 'alone', window: 0, channels: ['email'] };
  const stored = aRow(1, { sent, of_records: true });
  const reader = { notifications: async () => [stored] };
  const request = {
    tenantId: 'acme',
    lane: null,
    scopes: EVERY_SCOPE,
    query: {},
    after: undefined,
    limit: 3,
    now: NOW,
  };

  const { items } = await readNotificationPage(reader, request);

  expect(Object.keys(items[0] ?? {})).not.toContain('sent');
  expect(Object.keys(items[0] ?? {})).not.toContain('of_records');
});
