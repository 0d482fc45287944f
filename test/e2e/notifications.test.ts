import { once } from 'node:events';
import { createServer } from 'node:https';
import { text as textIn } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { portOf } from '../../local/engines/freePort.ts';
import { InboxNotification, Notification } from '../../schemas/delivery/notifications.ts';
import { LOOPBACK, trustedAuthority } from '../platform/egress/httpsReceiver.ts';
import { type Answer, call, someEvent } from '../support/client.ts';
import { mailIn } from '../support/mail.ts';
import { type AdminInstance, startAdminInstance } from './adminInstance.ts';

const SENDER = 'notifications@attribution.example';
const TENANT = '/api/v1/tenant';
const NOTIFICATIONS = '/api/v1/notifications';
const SECRET_PATH = '/services/T0/B0/very-secret';

const posted: { path: string; text: string }[] = [];
/** A chat webhook that fails on the first call. */
const chat = createServer(trustedAuthority.issue([LOOPBACK]), async (request, response) => {
  const { text } = JSON.parse(await textIn(request));
  posted.push({ path: request.url ?? '', text });
  response.writeHead(posted.length === 1 ? 500 : 200).end('ok');
});

let origin: string;
let api: AdminInstance;
beforeAll(async () => {
  chat.listen(0, LOOPBACK);
  await once(chat, 'listening');
  const host = `${LOOPBACK}:${portOf(chat)}`;
  origin = `https://${host}`;
  api = await startAdminInstance({
    settings: { notificationSender: SENDER },
    environment: {
      WEBHOOK_ALLOW_HOSTS: host,
      WEBHOOK_CA: trustedAuthority.cert,
      WEBHOOK_RETRY_SCALE: '0.02',
    },
  });
});
afterAll(async () => {
  await api?.stop();
  chat.close();
});

const listed = async (key: string, query = ''): Promise<Notification[]> => {
  const { body } = await call(api.baseUrl, `${NOTIFICATIONS}${query}`, { key });
  return Notification.array().parse(body['data']);
};
const setChannels = (key: string, notifications: object): Promise<Answer> =>
  api.send(TENANT, { key, method: 'PATCH', body: { notifications } });
const mailTo = (address: string) =>
  mailIn(api.instance.dataDir).filter(({ headers }) => headers['to'] === address);

it('sends a crossed budget to the list, by e-mail and to a chat that fails once', async () => {
  const { key } = await api.newTenant('notified', { name: 'Notified & Co' });
  const set = await setChannels(key, { email: ['finops@example.org'], chat: { url: origin + SECRET_PATH } });
  expect(set.status, set.text).toBe(200);

  const budget = await api.send('/api/v1/budgets', {
    key,
    body: { name: 'Zoë’s <search>', ceiling_usd: '0.000001', period: 'month', scope: {} },
  });
  await api.send('/api/v1/invocations', { key, body: someEvent() });
  await expect.poll(() => listed(key), { interval: 250 }).toHaveLength(3);
  await api.instance.runtime.idle({ delayed: true });

  const rows = await listed(key);
  expect(rows.map(({ type, severity, title, link }) => [type, severity, title, link]).sort()).toEqual(
    [
      ['warning', 75],
      ['warning', 100],
      ['critical', 150],
    ]
      .map(([severity, percent]) => [
        'budget.threshold.crossed',
        severity,
        `Budget "Zoë’s <search>" reached ${percent} % of its ceiling`,
        `/api/v1/budgets/${budget.body['id']}`,
      ])
      .sort(),
  );
  expect((await listed(key, '?severity=critical')).map(({ id }) => id)).toEqual(
    rows.filter(({ severity }) => severity === 'critical').map(({ id }) => id),
  );
  const raisedIds = (await api.events())
    .filter(({ tenant_id }) => tenant_id === 'notified')
    .map(({ id }) => id);
  expect(raisedIds).toEqual(expect.arrayContaining(rows.map(({ event_id }) => event_id)));

  const mails = mailTo('finops@example.org');
  expect(mails.map(({ headers }) => headers['subject']).sort()).toEqual(
    rows.map(({ severity, title }) => `[${severity}] ${title}`).sort(),
  );
  for (const { headers, text } of mails) {
    expect(headers['from']).toBe(`Inference Attribution <${SENDER}>`);
    expect(text).toContain(`${api.baseUrl}/console/budgets#${budget.body['id']}\n`);
    expect(text).toContain('Tenant: Notified & Co');
  }

  expect(posted).toHaveLength(4);
  expect(new Set(posted.map(({ path }) => path))).toEqual(new Set([SECRET_PATH]));
  expect(new Set(posted.map(({ text }) => text)).size).toBe(3);
  for (const { text } of posted) expect(text).toContain('Budget "Zoë’s &lt;search&gt;" reached');
});

it('marks notifications as read for one caller, never back and never into the future', async () => {
  const { key } = await api.newTenant('reading');
  const body = { name: 'reader', scopes: ['read:reporting', 'read:attribution'] };
  const other = String((await api.send('/api/v1/api-keys', { key, body })).body['secret']);
  await api.send('/api/v1/budgets', {
    key,
    body: { name: 'Tiny', ceiling_usd: '0.000001', period: 'month', scope: {} },
  });
  await api.send('/api/v1/invocations', { key, body: someEvent() });
  await expect.poll(() => listed(key), { interval: 250 }).toHaveLength(3);
  const mark = (until: string) => api.send(`${NOTIFICATIONS}/read`, { key, method: 'PUT', body: { until } });
  const readBy = async (caller: string): Promise<boolean[]> =>
    InboxNotification.array()
      .parse((await call(api.baseUrl, NOTIFICATIONS, { key: caller })).body['data'])
      .map(({ is_read: isRead }) => isRead);

  expect(await readBy(key)).toEqual([false, false, false]);
  const [newest] = await listed(key);
  const until = newest?.created_at ?? '';
  expect((await mark(until)).body).toEqual({ until });

  expect(await readBy(key)).toEqual([true, true, true]);
  expect(await readBy(other)).toEqual([false, false, false]);
  expect((await mark('2020-01-01T00:00:00.000Z')).body).toEqual({ until });
  const { body: future } = await mark('2100-01-01T00:00:00.000Z');
  expect(Date.parse(String(future['until']))).toBeLessThanOrEqual(Date.now());
});

it('masks the chat URL in responses and tables', async () => {
  const { tenant, key } = await api.newTenant('discreet');

  const set = await setChannels(key, { chat: { url: origin + SECRET_PATH } });
  const back = await setChannels(key, { chat: Object(set.body['notifications']).chat });
  const read = await api.send(TENANT, { key });
  const rows = JSON.stringify([await api.engines.rows('tenants'), await api.engines.rows('idempotency')]);

  for (const { status, text, body } of [set, back, read]) {
    expect([status, body['notifications']]).toEqual([
      200,
      {
        email: [],
        chat: { url: `${origin}/…` },
        minimum_severity: 'warning',
        authorized_by: expect.stringMatching(/^key_/),
      },
    ]);
    expect(text).not.toContain('very-secret');
  }
  expect(rows).toContain(tenant.tag);
  expect(rows).not.toContain('very-secret');
});

it.each([
  ['plain http', { chat: { url: 'http://hooks.example.com/services/secret' } }, '/notifications/chat/url'],
  ['a private address', { chat: { url: 'https://10.0.0.1/secret' } }, '/notifications/chat/url'],
  [
    'a masked URL of another host',
    { chat: { url: 'https://hooks.example.com/…' } },
    '/notifications/chat/url',
  ],
  ['an invalid e-mail address', { email: ['a@example.org\r\nBcc: b@example.org'] }, '/notifications/email/0'],
  ['an unknown severity', { minimum_severity: 'info' }, '/notifications/minimum_severity'],
])('returns 422 for %s without echoing the value', async (_, change, pointer) => {
  const { key } = await api.newTenant(`refused-${pointer.length}-${JSON.stringify(change).length}`);

  const { status, body, text } = await setChannels(key, change);

  expect([status, Object(body['errors'])[0]?.pointer]).toEqual([422, pointer]);
  expect(text).not.toContain('secret');
  expect(text).not.toContain('Bcc');
});
