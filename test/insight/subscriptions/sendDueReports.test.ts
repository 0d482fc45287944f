import { expect, it } from 'vitest';
import type { ReportContent } from '../../../functions/delivery/notifications/text/reportContent.ts';
import { lastPeriod, reportIdOf } from '../../../functions/insight/subscriptions/reportPeriods.ts';
import { dueReportSender } from '../../../functions/insight/subscriptions/sendDueReports.ts';
import type { StoredSubscription } from '../../../functions/insight/subscriptions/subscription.store.ts';
import type { Follower } from '../../../functions/ledger/freshness/followPeriods.ts';
import { calendarIn } from '../../../functions/platform/shared/time/calendar.ts';
import type { Interval } from '../../../functions/platform/shared/time/interval.ts';
import type { Role } from '../../../schemas/identity/roles.ts';
import { aTenant } from '../../attribution/engine/events.ts';
import { publishedPrices } from '../reports/prices.ts';

const NOW = Date.parse('2026-05-13T09:00:00Z');
const iso = ({ from, to }: Interval) => [from, to].map((at) => new Date(at).toISOString().slice(0, 16));

it.each([
  ['week', 'UTC', '2026-05-04T00:00', '2026-05-11T00:00'],
  ['month', 'UTC', '2026-04-01T00:00', '2026-05-01T00:00'],
  ['week', 'Europe/Berlin', '2026-05-03T22:00', '2026-05-10T22:00'],
] as const)('reports the last whole %s in %s', (every, zone, from, to) => {
  expect(iso(lastPeriod(every, calendarIn(zone), NOW))).toEqual([from, to]);
});

const subscriptionOf = (name: string, members: Partial<StoredSubscription> = {}): StoredSubscription => ({
  id: `rps_${name}`,
  every: 'week',
  channel: 'email',
  owner: name,
  recipient: name,
  residency: null,
  created_at: '2026-05-01T00:00:00.000Z',
  created_by: name,
  authorized_by: {
    kind: 'user',
    id: name,
    email: `${name}@acme.example`,
    scopes: ['read:reporting', 'read:attribution'],
    at: '2026-05-01T00:00:00.000Z',
  },
  ...members,
});

/** Runs what is due. The users have these roles; null: the user was removed. */
const run = async (
  subscriptions: readonly StoredSubscription[],
  users: Readonly<Record<string, Role | null>>,
  failing: readonly string[] = [],
) => {
  const sent: { readonly id: string; readonly report: ReportContent }[] = [];
  const followers: Follower[] = [];
  const send = dueReportSender({
    subscriptions: { list: async () => [...subscriptions] },
    credentials: {
      apiKey: async () => null,
      client: async () => null,
      user: async (_tag, email) => {
        const [user_id = ''] = email.split('@');
        const role = users[user_id];
        const removed_at = role === null ? '2026-05-02T00:00:00.000Z' : null;
        const common = { user_id, tenant_id: 'acme', email, created_at: '2026-05-01T00:00:00.000Z' };
        return role === undefined ? null : { ...common, role: role ?? 'viewer', removed_at };
      },
    },
    stores: {
      ...publishedPrices,
      rollups: { read: async () => [] },
      indexLag: { totalsLag: async () => ({ isStale: false, incompleteSince: null }) },
      dismissals: { list: async () => [] },
      nodeHourLines: { list: async () => [] },
    },
    loadReader:
      async () =>
      async (_stores, { scopes }, { owner }) => {
        if (failing.includes(owner ?? '')) throw new Error('the table does not answer');
        return { title: [...scopes].toSorted().join(' '), sections: [], page: 'explore' };
      },
    send: async (_tenantId, id, report) => {
      sent.push({ id, report });
    },
    follow: async (_tenantId, follower, periods, _now, serve) => {
      followers.push(follower);
      for (const period of periods) await serve({ ...period, digest: null, isAgain: false });
    },
  });
  const failed = await send(aTenant(), NOW).then(
    () => false,
    () => true,
  );
  return { sent, followers, failed };
};

it('makes a report from what the role of its recipient reads now', async () => {
  const { sent } = await run([subscriptionOf('ann'), subscriptionOf('bob')], { ann: 'admin', bob: 'viewer' });

  expect(sent.map(({ report }) => [report.to, report.title, report.authorized_by.scopes])).toEqual([
    ['ann@acme.example', 'read:attribution read:reporting', ['read:reporting', 'read:attribution']],
    ['bob@acme.example', 'read:reporting', ['read:reporting']],
  ]);
});

it('makes none for a removed user, a period before the subscription, or a lane that the tenant has no more', async () => {
  const { sent } = await run(
    [
      subscriptionOf('gone'),
      subscriptionOf('new', { created_at: '2026-05-12T00:00:00.000Z' }),
      subscriptionOf('lane', { residency: 'eu' }),
    ],
    { gone: null, new: 'viewer', lane: 'viewer' },
  );

  expect(sent).toEqual([]);
});

it('sends the others when one fails, and fails, so that the run is repeated with the same ids', async () => {
  const all = ['ann', 'bob', 'cy'].map((name) => subscriptionOf(name));
  const users = { ann: 'viewer', bob: 'viewer', cy: 'viewer' } as const;
  const first = await run(all, users, ['ann']);
  const second = await run(all, users);

  expect([first.failed, second.failed]).toEqual([true, false]);
  expect(first.sent).toHaveLength(2);
  expect(second.sent.map(({ id }) => id)).toEqual(expect.arrayContaining(first.sent.map(({ id }) => id)));
  expect(new Set(second.sent.map(({ id }) => id)).size).toBe(3);
});

it('gives a report of another period another id', () => {
  const periods = [calendarIn('UTC')].flatMap((calendar) =>
    [NOW, NOW + 7 * 86_400_000].map((now) => lastPeriod('week', calendar, now)),
  );

  expect(new Set(periods.map((period) => reportIdOf(subscriptionOf('ann'), period))).size).toBe(2);
});

it('reports a period once, whatever changes later', async () => {
  const { followers } = await run([subscriptionOf('ann'), subscriptionOf('bob', { every: 'month' })], {
    ann: 'viewer',
    bob: 'viewer',
  });

  expect(followers.map(({ againAfterMs, beginsWith }) => [againAfterMs, beginsWith])).toEqual([
    [Number.POSITIVE_INFINITY, 'all'],
    [Number.POSITIVE_INFINITY, 'all'],
  ]);
  expect(new Set(followers.map(({ name }) => name)).size).toBe(2);
});
