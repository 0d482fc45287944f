import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { prepareChannelsChange } from '../../../../functions/delivery/notifications/channels/channelChanges.ts';
import {
  channelsFor,
  toChannels,
  unsealChatUrl,
} from '../../../../functions/delivery/notifications/channels/channels.ts';
import type { Authorization } from '../../../../functions/platform/tenancy/authorization.ts';
import type { Tenant } from '../../../../functions/platform/tenancy/tenant.ts';
import { type ChannelsChange, channelScopes } from '../../../../schemas/delivery/notifications.ts';
import { type Scope, scopeNames } from '../../../../schemas/identity/scopes.ts';
import type { ErrorCode } from '../../../../schemas/problems.ts';
import { aTenant } from '../../../attribution/engine/events.ts';

const KEY = new Uint8Array(32).fill(5);
const ADMIN: Authorization = {
  kind: 'api_key',
  id: 'key_admin',
  scopes: [...scopeNames],
  at: '2026-11-21T10:00:00.000Z',
};
const CHAT = 'https://hooks.example.com/services/T0/secret';

const after = async (
  tenant: Tenant,
  change: ChannelsChange | undefined,
  using: { scopes?: readonly Scope[]; sendsMail?: boolean; refused?: boolean } = {},
): Promise<Tenant> => {
  const { scopes = scopeNames, sendsMail = true, refused = false } = using;
  const apply = await prepareChannelsChange({ scopes: new Set(scopes) }, change, {
    by: ADMIN,
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
    authorized_by: 'key_admin',
  });
  expect(toChannels(second)).toEqual({ ...toChannels(first), minimum_severity: 'critical' });
  expect([channelsFor(first, 'warning'), channelsFor(second, 'warning')]).toEqual([['email', 'chat'], []]);
  expect(channelsFor(second, 'critical')).toEqual(['email', 'chat']);
  expect(toChannels(third)).toEqual({
    email: [],
    chat: null,
    minimum_severity: 'critical',
    authorized_by: 'key_admin',
  });
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

it.each<[string, ChannelsChange, Parameters<typeof after>[2], ErrorCode]>([
  ...channelScopes.map((missing): [string, ChannelsChange, Parameters<typeof after>[2], ErrorCode] => [
    `addresses from a caller without ${missing}`,
    { email: ['a@example.org'] },
    { scopes: scopeNames.filter((scope) => scope !== missing) },
    'INSUFFICIENT_SCOPE',
  ]),
  [
    'a chat URL from a caller with admin:config alone',
    { chat: { url: CHAT } },
    { scopes: ['admin:config'] },
    'INSUFFICIENT_SCOPE',
  ],
  [
    'a lower severity from a caller with admin:config alone',
    { minimum_severity: 'warning' },
    { scopes: ['admin:config'] },
    'INSUFFICIENT_SCOPE',
  ],
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

it('allows other settings and removing channels to a caller with admin:config alone', async () => {
  const by: Parameters<typeof after>[2] = { scopes: ['admin:config'] };
  const tenant = await after(aTenant(), { email: ['a@example.org'], chat: { url: CHAT } });

  expect(await after(tenant, undefined, by)).toEqual(tenant);
  expect(toChannels(await after(tenant, { email: [], chat: null }, by))).toMatchObject({
    email: [],
    chat: null,
    authorized_by: 'key_admin',
  });
});

it('allows removing addresses without a mail sender', async () => {
  const tenant = aTenant();

  expect(toChannels(await after(tenant, { email: [] }, { sendsMail: false })).email).toEqual([]);
});
