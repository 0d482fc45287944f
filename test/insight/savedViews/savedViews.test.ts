import { afterAll, beforeEach, expect, it } from 'vitest';
import { savedViewsRead, savedViewsWrite } from '../../../functions/entries/stores/insight.ts';
import { type Environment, storesIn } from '../../../functions/entries/stores/provider.ts';
import createSavedView from '../../../functions/insight/savedViews/createSavedView.ts';
import deleteSavedView from '../../../functions/insight/savedViews/deleteSavedView.ts';
import listSavedViews from '../../../functions/insight/savedViews/listSavedViews.ts';
import type { Tenant } from '../../../functions/platform/tenancy/tenant.ts';
import { roles } from '../../../schemas/identity/roles.ts';
import { SavedView } from '../../../schemas/insight/savedViews.ts';
import type { TenantRequest } from '../../platform/http/callAsTenant.ts';
import { startOperations } from '../../platform/http/startOperations.ts';

const NOW = Date.parse('2026-05-20T12:00:00Z');
let tenant: Tenant;
const world = await startOperations(
  { create: createSavedView, list: listSavedViews, remove: deleteSavedView },
  (environment: Environment) => storesIn(environment, { savedViewsRead, savedViewsWrite }),
  { now: NOW, allScopes: roles.finops },
);
afterAll(() => world.live.stop());
beforeEach(() => {
  tenant = world.newTenant({ residency: ['eu', 'us'] });
});

const VIEW = { page: 'explore', name: 'Search, by model', search: 'owner=team-search&group=served_model' };
const send = (name: Parameters<typeof world.call>[0], sent: Omit<TenantRequest, 'tenant'> = {}) =>
  world.call(name, { tenant, ...sent });
const viewsOf = async (residency: string | null = null): Promise<unknown> => {
  const { data } = (await send('list', { residency })).body;
  return Array.isArray(data)
    ? data.map(({ name, search }) => `${name}: ${search ?? 'as it opens'}`).toSorted()
    : data;
};

it('is saved, listed and deleted, each with an entry in the audit log', async () => {
  const { status, body } = await send('create', { body: VIEW });

  expect([status, SavedView.parse(body)]).toEqual([200, body]);
  expect(body).toMatchObject({ ...VIEW, residency: null, created_at: new Date(NOW).toISOString() });
  expect(await viewsOf()).toEqual([`${VIEW.name}: ${VIEW.search}`]);
  expect((await send('remove', { id: String(body['id']) })).status).toBe(204);
  expect(await viewsOf()).toEqual([]);
  expect((await world.auditOf(tenant)).map(({ action }) => action).toSorted()).toEqual([
    'saved_view.create',
    'saved_view.delete',
  ]);
});

it('is replaced when its name is saved again for the same page, and is another one for another page', async () => {
  const [first, second] = [
    await send('create', { body: VIEW }),
    await send('create', { body: { ...VIEW, search: 'days=30' } }),
  ];
  await send('create', { body: { page: 'records', name: VIEW.name } });

  expect(second.body['id']).toBe(first.body['id']);
  expect(await viewsOf()).toEqual([`${VIEW.name}: as it opens`, `${VIEW.name}: days=30`]);
});

it('is seen only in its lane, and by credentials of all lanes', async () => {
  const { body } = await send('create', { body: VIEW, residency: 'eu' });

  expect(await viewsOf('eu')).toHaveLength(1);
  expect(await viewsOf('us')).toEqual([]);
  expect(await viewsOf()).toHaveLength(1);
  expect((await send('remove', { id: String(body['id']), residency: 'us' })).body['error_code']).toBe(
    'RESIDENCY_BLOCKED',
  );
});

it.each([
  { ...VIEW, page: 'settings' },
  { ...VIEW, name: '' },
  { ...VIEW, search: 'a=<script>' },
  { ...VIEW, search: 'owner=sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCDEF' },
  { ...VIEW, search: 'a=b#fragment' },
  { ...VIEW, search: 'x'.repeat(2_001) },
])('is refused for another page, without a name, or with what is no query: %o', async (body) => {
  expect((await send('create', { body })).status).toBe(422);
});
