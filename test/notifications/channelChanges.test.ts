import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { prepareChannelsChange } from '../../functions/notifications/channelChanges.ts';
import { channelsFor, toChannels, unsealChatUrl } from '../../functions/notifications/channels.ts';
import type { Tenant } from '../../functions/tenancy/tenant.ts';
import type { ChannelsChange } from '../../schemas/notifications.ts';
import { aTenant } from '../attribution/events.ts';

const KEY = new Uint8Array(32).fill(5);
const CHAT = 'https://hooks.example.com/services/T0/secret';

const after = async (
  tenant: Tenant,
  change: ChannelsChange | undefined,
  using: { residency?: string; sendsMail?: boolean; refused?: boolean } = {},
): Promise<Tenant> => {
  const { residency = null, sendsMail = true, refused = false } = using;
  const apply = await prepareChannelsChange({ residency }, change, {
    vet: async (href) => (refused ? { kind: 'rejected', reason: 'address' } : { kind: 'accepted', href }),
    key: async () => KEY,
    random: randomBytes,
    sendsMail,
  });
  return apply(tenant);
};

it('changes the given members and keeps the others', async () => {
  const first = await after(aTenant(), { email: ['a@example.org'], chat: { url: CHAT } });
  const second = await after(first, { minimum_severity: 'critical' });
  const third = await after(second, { chat: null, email: [] });

  expect(toChannels(first)).toEqual({
    email: ['a@example.org'],
    chat: { url: 'https://hooks.example.com/…' },
    minimum_severity: 'warning',
  });
  expect(toChannels(second)).toEqual({ ...toChannels(first), minimum_severity: 'critical' });
  expect([channelsFor(first, 'warning'), channelsFor(second, 'warning')]).toEqual([['email', 'chat'], []]);
  expect(channelsFor(second, 'critical')).toEqual(['email', 'chat']);
  expect(toChannels(third)).toEqual({ email: [], chat: null, minimum_severity: 'critical' });
});

it('stores the chat URL encrypted, bound to its tenant', async () => {
  const tenant = await after(aTenant(), { chat: { url: CHAT } });

  expect(JSON.stringify(tenant)).not.toContain('secret');
  expect(unsealChatUrl(tenant, KEY)).toBe(CHAT);
  expect(() => unsealChatUrl({ ...tenant, tenant_id: 'globex' }, KEY)).toThrow();
  expect(() => unsealChatUrl(tenant, new Uint8Array(32))).toThrow();
});

it('keeps the stored URL when its masked form is sent back, and rejects any other masked URL', async () => {
  const tenant = await after(aTenant(), { chat: { url: CHAT } });

  expect(await after(tenant, { chat: { url: 'https://hooks.example.com/…' } })).toEqual(tenant);
  await expect(after(aTenant(), { chat: { url: 'https://hooks.example.com/…' } })).rejects.toMatchObject({
    code: 'WEBHOOK_URL_REJECTED',
  });
});

it.each([
  ['a credential bound to a lane', { email: [] }, { residency: 'eu' }, 'RESIDENCY_BLOCKED'],
  [
    'addresses when no mail sender is configured',
    { email: ['a@example.org'] },
    { sendsMail: false },
    'VALIDATION_FAILED',
  ],
  [
    'a chat URL that resolves to a private address',
    { chat: { url: CHAT } },
    { refused: true },
    'WEBHOOK_URL_REJECTED',
  ],
])('rejects %s', async (_, change, using, code) => {
  await expect(after(aTenant(), change, using)).rejects.toMatchObject({ code });
});

it('allows other settings to a lane-bound credential, and removing addresses without a mail sender', async () => {
  const tenant = aTenant();

  expect(await after(tenant, undefined, { residency: 'eu' })).toEqual(tenant);
  expect(toChannels(await after(tenant, { email: [] }, { sendsMail: false })).email).toEqual([]);
});
