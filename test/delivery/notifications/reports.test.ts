import { afterAll, beforeEach, expect, it } from 'vitest';
import { newChannelMessage } from '../../../functions/delivery/notifications/channels/channelMessage.ts';
import { composeMail } from '../../../functions/delivery/notifications/channels/mailTransport.ts';
import type { ReportContent } from '../../../functions/delivery/notifications/text/reportContent.ts';
import { ulidOf } from '../../../functions/platform/shared/ulid.ts';
import { aTenant } from '../../attribution/engine/events.ts';
import { byUser, storeUser } from '../webhooks/authorizing.ts';
import { SENDER, startNotificationHarness } from './notificationHarness.ts';

const ID = ulidOf(Date.parse('2026-11-16'), new Uint8Array(10));
const EMAIL = byUser.kind === 'user' ? byUser.email : '';

const aReport = (members: Partial<ReportContent> = {}): ReportContent => ({
  title: 'team-a, week of 2026-11-09: inference spend',
  sections: [{ title: 'Spend', rows: [{ name: 'Spend', value: 'USD 12.30' }] }],
  page: 'explore?from=2026-11-09',
  to: EMAIL,
  authorized_by: { ...byUser, scopes: ['read:reporting'] },
  ...members,
});

const world = await startNotificationHarness();
afterAll(() => world.stop());
beforeEach(() => {
  world.mailed.length = 0;
  world.posted.length = 0;
  world.mailFailing(() => false);
});

it('sends a report once to its recipient only, however often it is made', async () => {
  const tenant = await world.newTenant();
  await storeUser(tenant, { role: 'viewer' });
  await world.report(tenant, ID, aReport());
  await world.settle();
  await world.report(tenant, ID, aReport({ title: 'made again' }));
  await world.settle();

  expect(world.mailed.map(({ to, headers }) => [to, headers['subject']])).toEqual([
    [EMAIL, 'team-a, week of 2026-11-09: inference spend'],
  ]);
  expect(world.posted).toEqual([]);
});

it('sends a report again after a failure', async () => {
  const tenant = await world.newTenant();
  await storeUser(tenant, { role: 'viewer' });
  let failures = 2;
  world.mailFailing(() => failures-- > 0);
  await world.report(tenant, ID, aReport());
  await world.settle();

  expect(world.mailed).toHaveLength(1);
});

it.each([
  ['was removed', { removed_at: '2026-11-15T00:00:00.000Z' }, ['read:reporting']],
  ['lost the role that reads what it contains', { role: 'viewer' }, ['read:attribution', 'read:reporting']],
] as const)('sends nothing to a user who %s', async (_case, user, scopes) => {
  const tenant = await world.newTenant();
  await storeUser(tenant, user);
  await world.report(tenant, ID, aReport({ authorized_by: { ...byUser, scopes: [...scopes] } }));
  await world.settle();

  expect(world.mailed).toEqual([]);
});

it('posts a report for the chat of the tenant, and mails it to nobody', async () => {
  const tenant = await world.newTenant();
  await storeUser(tenant, { role: 'admin' });
  await world.report(tenant, ID, aReport({ to: null }));
  await world.settle();

  expect(world.mailed).toEqual([]);
  expect(world.posted.map(({ text }) => text)).toEqual([
    expect.stringContaining(
      `Spend\n  Spend: USD 12.30\n\nDetails: ${SENDER.consoleUrl}/explore?from=2026-11-09`,
    ),
  ]);
});

const mailOf = async (report: ReportContent): Promise<string> => {
  const message = { ...newChannelMessage({ id: ID, channel: 'email', named: [], count: 1 }, 0), report };
  const { raw } = await composeMail({ tenant: aTenant(), notifications: [], message }, EMAIL, SENDER);
  return Buffer.from(raw).toString().replaceAll('=\r\n', '').replaceAll('=3D', '=');
};

it('mails text and HTML with the way to unsubscribe', async () => {
  const mail = await mailOf(aReport());

  expect(mail).toContain(`List-Unsubscribe: <${SENDER.consoleUrl}/notifications#reports>`);
  expect(mail).toContain('Content-Type: text/plain');
  expect(mail).toContain('Spend: USD 12.30');
  expect(mail).toContain('Content-Type: text/html');
  expect(mail).toContain('<b>USD 12.30</b>');
});

it.each([
  '<img src=x onerror=alert(1)>',
  '"><script>alert(1)</script>',
  'see https://evil.example/a',
  '&lt;b&gt;',
])('shows the name %s of a producer as text in HTML', async (name) => {
  const mail = await mailOf(aReport({ sections: [{ title: 'Spend', rows: [{ name, value: '1' }] }] }));
  const html = mail.slice(mail.indexOf('<!doctype html>'));

  expect(html).not.toMatch(/<img|<script|https:\/\/evil/);
  expect(html).not.toContain(`>${name}<`);
});
