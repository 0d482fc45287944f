import { afterAll, beforeEach, expect, it } from 'vitest';
import { credentialLists } from '../../../functions/identity/access/principals/credential.store.ts';
import { auditLog } from '../../../functions/identity/audit/audit.store.ts';
import createReportSubscription from '../../../functions/insight/subscriptions/createReportSubscription.ts';
import deleteReportSubscription from '../../../functions/insight/subscriptions/deleteReportSubscription.ts';
import listReportSubscriptions from '../../../functions/insight/subscriptions/listReportSubscriptions.ts';
import {
  subscriptionReader,
  subscriptionStore,
} from '../../../functions/insight/subscriptions/subscription.store.ts';
import type { Tenant } from '../../../functions/platform/tenancy/tenant.ts';
import { roles } from '../../../schemas/identity/roles.ts';
import type { Scope } from '../../../schemas/identity/scopes.ts';
import { storeUser } from '../../delivery/webhooks/authorizing.ts';
import { callAsTenant, type TenantRequest } from '../../platform/http/callAsTenant.ts';
import { startTables } from '../../support/tables.ts';
import { newTenant } from '../../support/tenants.ts';

const NOW = Date.parse('2026-05-20T12:00:00Z');
const ULIDS = ['01KA3Z5V7JQ2M6X9R8T4B1C0DA', '01KA3Z5V7JQ2M6X9R8T4B1C0DB'];

let tenant: Tenant;
let [ann, bob] = ['', ''];
const live = await startTables();
afterAll(() => live.stop());
beforeEach(async () => {
  tenant = newTenant();
  [ann = '', bob = ''] = ULIDS.map((ulid) => `usr_${tenant.tag}${ulid}`);
  await storeUser(tenant, { user_id: ann, email: 'ann@acme.example', role: 'admin' });
  await storeUser(tenant, { user_id: bob, email: 'bob@acme.example', role: 'viewer' });
});

const stores = {
  audit: auditLog('audit'),
  credentialLists: credentialLists('access'),
  subscriptions: subscriptionReader('notifications'),
  subscriptionStore: subscriptionStore('notifications'),
  cursorKey: async () => new Uint8Array(32),
};
const operations = {
  create: createReportSubscription(stores),
  list: listReportSubscriptions(stores),
  remove: deleteReportSubscription(stores),
};
const call = (
  name: keyof typeof operations,
  sent: Omit<TenantRequest, 'tenant'>,
  scopes: readonly Scope[] = roles.admin,
) => callAsTenant(operations[name], { tenant, signedInAt: NOW, ...sent }, { scopes, clock: () => NOW });
const asAnn = () => ({ principal: ann, email: 'ann@acme.example' });
const asBob = () => ({ principal: bob, email: 'bob@acme.example' });
const authorizations = async () =>
  (await stores.subscriptions.list(tenant.tenant_id)).map(({ authorized_by }) => authorized_by);

it('subscribes the user who calls, with what the role of the user reads', async () => {
  const body = { every: 'week', channel: 'email', owner: 'team-a' };
  const created = await call('create', { ...asBob(), body }, roles.viewer);

  expect(created.status).toBe(201);
  expect(created.body).toMatchObject({ ...body, recipient: bob, created_by: bob, residency: null });
  expect(await authorizations()).toMatchObject([{ email: 'bob@acme.example', scopes: ['read:reporting'] }]);
  expect(JSON.stringify(created.body)).not.toContain('bob@');
});

it('subscribes another user for an administrator, never with more than the administrator reads', async () => {
  const body = { every: 'month', channel: 'email', recipient: bob };
  const scopes = ['admin:config', 'read:reporting'] as const;

  expect((await call('create', { ...asAnn(), body }, scopes)).status).toBe(201);
  expect(await authorizations()).toMatchObject([{ id: bob, scopes: ['read:reporting'] }]);
});

it('gives a chat what needs no role beyond read:reporting', async () => {
  await call('create', { ...asAnn(), body: { every: 'week', channel: 'chat' } });

  expect(await authorizations()).toMatchObject([{ id: ann, scopes: ['read:reporting'] }]);
});

it.each([
  ['another person without admin:config', { channel: 'email', recipient: 'ann' }, 403, 'INSUFFICIENT_SCOPE'],
  ['the chat without admin:config', { channel: 'chat' }, 403, 'INSUFFICIENT_SCOPE'],
] as const)('refuses a report to %s', async (_case, { channel, ...to }, status, code) => {
  const body = { every: 'week', channel, ...('recipient' in to && { recipient: ann }) };
  const refused = await call('create', { ...asBob(), body }, roles.viewer);

  expect([refused.status, refused.body['error_code']]).toEqual([status, code]);
});

it.each([
  ['no such user', { recipient: 'usr_abcdefgh01KA3Z5V7JQ2M6X9R8T4B1C0DE' }],
  ['a user of nobody, because a key calls', {}],
])('refuses a recipient who is %s', async (_case, to) => {
  const refused = await call('create', { body: { every: 'week', channel: 'email', ...to } });

  expect([refused.status, refused.body['error_code']]).toEqual([422, 'VALIDATION_FAILED']);
});

it('shows and deletes own subscriptions only, and all of the tenant for an administrator', async () => {
  const body = { every: 'week', channel: 'email' };
  const own = await call('create', { ...asBob(), body }, roles.viewer);
  const other = await call('create', { ...asAnn(), body });
  const idOf = ({ body: { id } }: typeof own) => String(id);
  const listed = async (sent: object, scopes: readonly Scope[]) => {
    const { data } = (await call('list', sent, scopes)).body;
    return Array.isArray(data) ? data.map(({ id }) => id) : null;
  };
  const remove = (sent: object, id: string, scopes: readonly Scope[]) =>
    call('remove', { ...sent, id }, scopes);

  expect(await listed(asBob(), roles.viewer)).toEqual([idOf(own)]);
  expect((await listed(asAnn(), roles.admin))?.toSorted()).toEqual([idOf(own), idOf(other)].toSorted());
  expect((await remove(asBob(), idOf(other), roles.viewer)).status).toBe(404);
  expect((await remove(asBob(), idOf(own), roles.viewer)).status).toBe(204);
  expect(await listed(asAnn(), roles.admin)).toEqual([idOf(other)]);
  // The refused deletion too.
  const actions = (await live.auditOf(tenant)).map(({ action }) => action);
  expect(actions.toSorted()).toEqual([
    'report_subscription.create',
    'report_subscription.create',
    'report_subscription.delete',
    'report_subscription.delete',
  ]);
});
