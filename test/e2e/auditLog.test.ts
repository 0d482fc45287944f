import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { AuditEntry } from '../../schemas/identity/audit.ts';
import { call, type Request } from '../support/client.ts';
import type { Instance } from '../support/instance.ts';
import { demoTenants } from '../support/localService.ts';
import { sharedInstance } from '../support/sharedInstance.ts';

const Page = z.object({
  data: z.array(AuditEntry),
  page: z.object({ next_cursor: z.string().nullable(), has_more: z.boolean() }),
});

let instance: Instance;
let admin: string;
let keyId: string;
let ownTenant: string;
let otherTenant: string;

const ask = (path: string, request: Request = {}) => call(instance.baseUrl, path, { key: admin, ...request });
const entries = async (query = '', key = admin): Promise<z.infer<typeof Page>['data']> => {
  const listed: AuditEntry[] = [];
  let cursor = '';
  do {
    const { body } = await call(instance.baseUrl, `/api/v1/audit-log?limit=3${query}${cursor}`, { key });
    const { data, page } = Page.parse(body);
    listed.push(...data);
    cursor = page.next_cursor === null ? '' : `&cursor=${encodeURIComponent(page.next_cursor)}`;
  } while (cursor !== '');
  return listed;
};
const create = (body: object, request: Request = {}) => ask('/api/v1/api-keys', { body, ...request });

beforeAll(async () => {
  instance = await sharedInstance();
  const { acme, globex } = demoTenants(instance.credentials);
  [ownTenant, otherTenant] = [acme.tenant_id, globex.tenant_id];
  admin = acme.api_keys.admin;
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
  const created = await create(
    { name: 'audited', scopes: ['ingest:write'] },
    { headers: { traceparent }, idempotencyKey: 'once' },
  );
  keyId = String(created.body['id']);
  await create({ name: 'audited', scopes: ['ingest:write'] }, { idempotencyKey: 'once' });
  await ask(`/api/v1/api-keys/${keyId}/rotate`, { body: { overlap_seconds: 60 } });
  await ask(`/api/v1/api-keys/${keyId}`, { method: 'DELETE' });
  await ask(`/api/v1/api-keys/${keyId}`, { method: 'DELETE' });
});
afterAll(() => instance?.stop());

describe('GET /api/v1/audit-log', () => {
  it('returns actor, action, source IP and trace once per executed action', async () => {
    const logged = await entries(`&resource=${keyId}`);

    expect(logged.map(({ action, outcome }) => [action, outcome])).toEqual([
      ['api_key.revoke', 'succeeded'],
      ['api_key.rotate', 'succeeded'],
      ['api_key.create', 'succeeded'],
    ]);
    expect(logged[2]).toMatchObject({
      actor: { type: 'api_key' },
      source_ip: '127.0.0.1',
      trace_id: '0af7651916cd43dd8448eb211c80319c',
      error_code: null,
      refused_host: null,
    });
  });

  it('returns rejected attempts with their error code', async () => {
    const before = (await entries('&outcome=refused')).length;

    await create({ name: 'none', scopes: [] });
    await ask(`/api/v1/api-keys/${keyId}/rotate`, { method: 'POST' });
    await create(
      { name: 'x', scopes: ['admin:config'] },
      { key: instance.credentials.tenants[0]?.api_keys.read ?? '' },
    );
    const logged = await entries('&outcome=refused');

    expect(logged.slice(0, logged.length - before).map(({ error_code }) => error_code)).toEqual([
      'INSUFFICIENT_SCOPE',
      'CONFLICT',
      'NO_SCOPE',
    ]);
  });

  it('adds no entry when a stored rejection is replayed', async () => {
    const key = randomUUID();
    await create({ name: 'none', scopes: [] }, { idempotencyKey: key });
    const before = (await entries()).length;

    const replay = await create({ name: 'none', scopes: [] }, { idempotencyKey: key });

    expect(replay.body).toMatchObject({ error_code: 'NO_SCOPE' });
    expect(replay.headers.get('idempotency-replayed')).toBe('true');
    expect(await entries()).toHaveLength(before);
  });

  it('attributes operator actions to an operator', async () => {
    const opened = await entries('&action=tenant.create');

    expect(opened).toMatchObject([{ actor: { type: 'operator' }, resource: ownTenant, source_ip: null }]);
  });

  it('sorts oldest first and filters by time', async () => {
    const all = await entries();
    const middle = all[Math.floor(all.length / 2)];

    expect(await entries('&sort=at')).toEqual([...all].reverse());
    const since = await entries(`&at[gte]=${middle?.at}`);
    expect(since).toEqual(all.filter(({ at }) => at >= (middle?.at ?? '')));
    const until = await entries(`&at[lt]=${middle?.at}`);
    expect(until).toEqual(all.filter(({ at }) => at < (middle?.at ?? '')));
  });

  it('returns only entries of the own tenant', async () => {
    const other = instance.credentials.tenants[1]?.api_keys.admin ?? '';

    const logged = await entries('', other);

    expect(logged.some(({ resource }) => resource === keyId)).toBe(false);
    expect(logged.some(({ resource }) => resource === otherTenant)).toBe(true);
  });

  it.each(['action=nothing.done', 'sort=actor', 'at=2026-01-01T00:00:00Z', 'who=me', 'outcome=perhaps'])(
    'returns INVALID_FILTER for %s',
    async (query) => {
      expect((await ask(`/api/v1/audit-log?${query}`)).body).toMatchObject({
        status: 400,
        error_code: 'INVALID_FILTER',
      });
    },
  );
});
