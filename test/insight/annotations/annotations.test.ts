import { afterAll, beforeEach, expect, it } from 'vitest';
import { annotationsRead, annotationsWrite } from '../../../functions/entries/stores/insight.ts';
import { type Environment, storesIn } from '../../../functions/entries/stores/provider.ts';
import createAnnotation from '../../../functions/insight/annotations/createAnnotation.ts';
import deleteAnnotation from '../../../functions/insight/annotations/deleteAnnotation.ts';
import listAnnotations from '../../../functions/insight/annotations/listAnnotations.ts';
import type { Tenant } from '../../../functions/platform/tenancy/tenant.ts';
import { roles } from '../../../schemas/identity/roles.ts';
import { Annotation } from '../../../schemas/insight/annotations.ts';
import type { TenantRequest } from '../../platform/http/callAsTenant.ts';
import { startOperations } from '../../platform/http/startOperations.ts';

const NOW = Date.parse('2026-05-20T12:00:00Z');
let tenant: Tenant;
const world = await startOperations(
  { create: createAnnotation, list: listAnnotations, remove: deleteAnnotation },
  (environment: Environment) => storesIn(environment, { annotationsRead, annotationsWrite }),
  { now: NOW, allScopes: roles.finops },
);
afterAll(() => world.live.stop());
beforeEach(() => {
  tenant = world.newTenant({ residency: ['eu', 'us'] });
});

const RELEASE = { date: '2026-05-12', text: 'Release 2.4' };
const send = (name: Parameters<typeof world.call>[0], sent: Omit<TenantRequest, 'tenant'> = {}) =>
  world.call(name, { tenant, ...sent });
const textsOf = async (residency: string | null = null): Promise<unknown> => {
  const { data } = (await send('list', { residency })).body;
  return Array.isArray(data) ? data.map(({ text }) => text).toSorted() : data;
};

it('is written, listed and deleted, each with an entry in the audit log', async () => {
  const { status, body } = await send('create', { body: RELEASE });

  expect([status, Annotation.parse(body)]).toEqual([200, body]);
  expect(body).toMatchObject({ ...RELEASE, residency: null, created_at: new Date(NOW).toISOString() });
  expect(await textsOf()).toEqual(['Release 2.4']);
  expect((await send('remove', { id: String(body['id']) })).status).toBe(204);
  expect(await textsOf()).toEqual([]);
  expect((await world.auditOf(tenant)).map(({ action }) => action).toSorted()).toEqual([
    'annotation.create',
    'annotation.delete',
  ]);
});

it('is one, however often the same text is written on a day', async () => {
  const [first, second] = [await send('create', { body: RELEASE }), await send('create', { body: RELEASE })];

  expect(second.body['id']).toBe(first.body['id']);
  expect(await textsOf()).toEqual(['Release 2.4']);
});

it('is seen only in its lane, and by credentials of all lanes', async () => {
  const { body } = await send('create', { body: RELEASE, residency: 'eu' });
  await send('create', { body: { ...RELEASE, text: 'All lanes' } });

  expect(await textsOf('eu')).toEqual(['Release 2.4']);
  expect(await textsOf('us')).toEqual([]);
  expect(await textsOf()).toEqual(['All lanes', 'Release 2.4']);
  expect((await send('remove', { id: String(body['id']), residency: 'us' })).body['error_code']).toBe(
    'RESIDENCY_BLOCKED',
  );
});

it.each([{ date: '12 May', text: 'x' }, { date: '2026-05-12' }, { date: '2026-05-12', text: '' }])(
  'is refused without a day or a text: %o',
  async (body) => {
    expect((await send('create', { body })).status).toBe(422);
  },
);
