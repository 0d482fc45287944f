import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { FAULTS_MAXIMUM } from '../../../functions/delivery/notifications/channels/channelMessage.ts';
import { ulidInId } from '../../../functions/platform/shared/ids.ts';
import type { Tenant } from '../../../functions/platform/tenancy/tenant.ts';
import type { Fault } from '../../identity/credentials/faultInjection.ts';
import { storeKey } from '../webhooks/authorizing.ts';
import { answered } from '../webhooks/egressOutcomes.ts';
import { CHAT, startNotificationHarness } from './notificationHarness.ts';

const MINUTE = 60_000;

const at = await startNotificationHarness();
afterAll(() => at.stop());
beforeEach(() => {
  at.mailed.length = 0;
  at.posted.length = 0;
  at.dead.length = 0;
  at.faults.restart();
  at.answers(() => answered(200));
  at.mailFailing(() => false);
  // One minute after the start of a new window.
  at.time.now = Math.ceil(at.time.now / (5 * MINUTE)) * 5 * MINUTE + MINUTE;
});

const idsOf = async (tenant: Tenant): Promise<string[]> => (await at.rowsOf(tenant)).map(({ id }) => id);

describe('an event', () => {
  it('becomes one notification, one mail and one chat message when it is received three times', async () => {
    const tenant = await at.newTenant();
    const event = at.raise(tenant, 3);
    await at.settle({ together: true });
    at.time.now += 1_000;
    at.raise(tenant);
    await at.settle();

    const [, row] = await at.rowsOf(tenant);
    expect(row).toMatchObject({ event_id: event.id, severity: 'warning' });
    expect(ulidInId(row?.id ?? '')).toBe(ulidInId(event.id));
    expect(at.mailed.map(({ to }) => to)).toEqual(['a@example.org', 'a@example.org']);
    expect(at.posted.map(({ url }) => url)).toEqual([CHAT, CHAT]);
    expect(at.posted[0]?.text).toContain('An export failed: internal');
  });

  it.each([
    ['has no channels', {}],
    ['has a higher minimum severity', { email: ['a@example.org'], minimum_severity: 'critical' as const }],
  ])('becomes a notification without messages when the tenant %s', async (_, channels) => {
    const tenant = await at.newTenant(channels);
    at.raise(tenant);
    await at.settle();

    expect(await idsOf(tenant)).toHaveLength(1);
    expect([at.mailed, at.posted]).toEqual([[], []]);
  });

  it('is sent when it reaches the minimum severity of the tenant', async () => {
    const tenant = await at.newTenant({ email: ['a@example.org'], minimum_severity: 'critical' });
    at.raise(tenant, 1, 'inconsistent');
    await at.settle();

    expect(at.mailed.map(({ headers }) => headers['subject'])).toEqual([
      '[critical] An export failed: inconsistent',
    ]);
  });

  it('is not sent to a channel that was removed before the attempt', async () => {
    const tenant = await at.newTenant();
    at.raise(tenant);
    await at.step();
    expect(at.waiting()).toBe(2);
    await at.setTenant({ ...tenant, notifications: undefined });
    await at.settle();

    expect([at.mailed, at.posted, at.dead]).toEqual([[], [], []]);
  });
});

describe('channels whose authorization has ended', () => {
  it.each<[string, Parameters<typeof storeKey>[1]]>([
    ['the key that set them was revoked', { revoked_at: '2026-11-21T10:00:00.000Z' }],
    ['it lost the scope of one kind of notification', { scopes: ['admin:config', 'read:reporting'] }],
  ])('receive nothing when %s, and the notification is listed', async (_, members) => {
    const tenant = await at.newTenant();
    at.raise(tenant);
    await at.step();
    await storeKey(tenant, members);
    await at.settle();

    expect([at.mailed, at.posted, at.dead]).toEqual([[], [], []]);
    expect(await idsOf(tenant)).toHaveLength(1);
  });
});

describe('many events', () => {
  it('give five individual messages and one digest of the others at the end of the window', async () => {
    const tenant = await at.newTenant();
    const began = at.time.now;
    for (let index = 0; index < 12; index += 1) at.raise(tenant, 2);
    await at.settle({ together: true });

    expect(await idsOf(tenant)).toHaveLength(12);
    expect(at.mailed).toHaveLength(6);
    expect(at.posted).toHaveLength(6);
    const digest = at.mailed.at(-1);
    expect(digest?.at).toBe(began + 4 * MINUTE);
    expect(digest?.headers['subject']).toMatch(/^7 more notifications: An export failed/);
    expect(digest?.text.match(/\[warning\] An export failed/g)).toHaveLength(7);
    const jobs = [
      ...at.mailed
        .map(({ text }) => text)
        .join()
        .matchAll(/console\/exports#(job_\d+)/g),
    ];
    expect(new Set(jobs.map(([, job]) => job)).size).toBe(12);
    expect(jobs).toHaveLength(12);
  });

  it('are counted in the digest beyond the 50 that it lists', async () => {
    const tenant = await at.newTenant();
    for (let index = 0; index < 5 + 53; index += 1) at.raise(tenant);
    await at.settle();

    const text = at.posted.at(-1)?.text ?? '';
    expect(text).toContain('53 more notifications');
    expect(text.match(/\[warning\]/g)).toHaveLength(50);
    expect(text).toContain('3 others are listed at https://api.example.com/console/notifications');
  });

  it('are all in messages within 30 seconds when they are critical, however many others there are', async () => {
    const tenant = await at.newTenant();
    const began = at.time.now;
    for (let index = 0; index < 12; index += 1) at.raise(tenant);
    for (let index = 0; index < 12; index += 1) at.raise(tenant, 1, 'inconsistent');
    await at.settle({ together: true });

    const critical = at.mailed.filter(({ text }) => text.includes('[critical]'));
    expect(critical.flatMap(({ text }) => text.match(/\[critical\]/g) ?? [])).toHaveLength(12);
    expect(critical.every((mail) => mail.at <= began + 30_000)).toBe(true);
    expect(critical.some(({ text }) => text.includes('[warning]'))).toBe(false);
  });

  it('are counted per window and per tenant', async () => {
    const tenants = [await at.newTenant(), await at.newTenant()];
    for (let index = 0; index < 3; index += 1) tenants.map((tenant) => at.raise(tenant));
    await at.settle();
    at.time.now += 5 * MINUTE;
    for (let index = 0; index < 3; index += 1) tenants.map((tenant) => at.raise(tenant));
    await at.settle();

    expect(at.mailed).toHaveLength(12);
    expect(at.mailed.filter(({ text }) => text.includes('more notification'))).toEqual([]);
  });
});

describe('a failing channel', () => {
  it('is retried until it succeeds, without affecting the other channel', async () => {
    const tenant = await at.newTenant();
    let failures = 3;
    at.mailFailing(() => {
      failures -= 1;
      return failures >= 0;
    });
    at.raise(tenant);
    await at.settle();

    expect([at.mailed.length, at.posted.length]).toEqual([1, 1]);
    expect(at.dead).toEqual([]);
  });

  it('stops no other address when one is not accepted, and sends each address one mail', async () => {
    const addresses = ['a@example.org', 'bad@example.org', 'c@example.org'];
    const tenant = await at.newTenant({ email: addresses });
    at.mailFailing((to) => to === 'bad@example.org');
    at.raise(tenant);
    await at.settle();
    const before = at.mailed.map(({ to }) => to);
    expect(at.dead).toHaveLength(1);
    at.mailFailing(() => false);
    at.redrive();
    await at.settle();

    expect(before).toEqual(['a@example.org', 'c@example.org']);
    expect(at.mailed.map(({ to }) => to).toSorted()).toEqual(addresses);
  });

  it('dead-letters mail after some attempts, and sends it after a redrive', async () => {
    const tenant = await at.newTenant({ email: ['a@example.org'] });
    const began = at.time.now;
    at.mailFailing(() => true);
    at.raise(tenant);
    await at.settle();

    expect(at.dead).toHaveLength(1);
    expect(at.time.now - began).toBeGreaterThan(10 * MINUTE);

    at.mailFailing(() => false);
    at.time.now += 10 * MINUTE;
    at.redrive();
    await at.settle();
    expect(at.mailed).toHaveLength(1);
  });

  it.each<[string, (fails: () => boolean) => void, () => unknown[]]>([
    ['mail that the mail service refuses', (fails) => at.mailFailing(fails), () => at.mailed],
    ['a chat message whose key does not answer', (fails) => at.keyFailing(fails), () => at.posted],
  ])(
    'ends %s after ten attempts: failed, with one dead letter, sent once after a redrive',
    async (_, failing, sent) => {
      const tenant = await at.newTenant();
      let attempts = 0;
      failing(() => {
        attempts += 1;
        return true;
      });
      at.raise(tenant);
      await at.settle();

      expect(attempts).toBe(FAULTS_MAXIMUM);
      expect(at.dead).toHaveLength(1);
      expect(await at.statesOf(tenant)).toEqual(['acknowledged', 'dead_lettered']);

      failing(() => false);
      at.redrive();
      await at.settle();
      expect(sent()).toHaveLength(1);
      expect(at.dead).toEqual([]);
      expect(await at.statesOf(tenant)).toEqual(['acknowledged', 'acknowledged']);
    },
  );

  it.each([410, 500])(
    'gives up a chat message that is answered %d after a day, without a dead letter',
    async (status) => {
      const tenant = await at.newTenant({ chat: { url: CHAT } });
      const began = at.time.now;
      at.answers(() => answered(status));
      at.raise(tenant);
      await at.settle();

      expect(at.time.now - began).toBeGreaterThanOrEqual(24 * 60 * MINUTE);
      expect(at.posted.length).toBeGreaterThan(5);
      expect(at.dead).toEqual([]);
    },
  );
});

describe('a crash', () => {
  /** One transaction for the notification, and for each of two channels the claim and the result. */
  const WRITES = 5;
  const faults = (['fails', 'dies', 'repeats'] as const).flatMap((kind) =>
    Array.from({ length: WRITES }, (_, write) =>
      (['before', 'after'] as const).map((moment): Fault => ({ write, moment, kind })),
    ).flat(),
  );
  /** Whether the fault happens after a message was sent and before its result is saved. */
  const isBetween = ({ write, moment, kind }: Fault): boolean =>
    (write === 2 || write === 4) && moment === 'before' && kind !== 'repeats';

  it.each(faults)(
    'loses no message, and repeats only a message whose result was not saved: %o',
    async (fault) => {
      const tenant = await at.newTenant();
      const event = at.raise(tenant);
      void at.faults.arm(fault);
      await at.settle();

      expect((await at.rowsOf(tenant)).map(({ event_id }) => event_id)).toEqual([event.id]);
      expect(at.mailed.length + at.posted.length).toBe(isBetween(fault) ? 3 : 2);
      expect([at.mailed.length, at.posted.length].every((count) => count >= 1)).toBe(true);
      expect(at.dead).toEqual([]);
    },
  );

  it.each(faults)('keeps digests complete: %o', async (fault) => {
    const tenant = await at.newTenant({ email: ['a@example.org'] });
    for (let index = 0; index < 5; index += 1) at.raise(tenant);
    await at.settle();
    at.mailed.length = 0;
    at.raise(tenant);
    at.raise(tenant);
    void at.faults.arm(fault);
    await at.settle();

    expect(await idsOf(tenant)).toHaveLength(7);
    expect(at.mailed.length).toBeGreaterThanOrEqual(1);
    expect(at.mailed.length).toBeLessThanOrEqual(2);
    for (const { text } of at.mailed) expect(text).toContain('2 more notifications');
  });
});
