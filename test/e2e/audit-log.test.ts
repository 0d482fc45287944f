import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { AuditEntry } from '../../schemas/access/audit.ts';
import { call, type Request } from '../support/client.ts';
import { type Instance, startInstance } from '../support/instance.ts';

const Page = z.object({
  data: z.array(AuditEntry),
  page: z.object({ next_cursor: z.string().nullable(), has_more: z.boolean() }),
});

let instance: Instance;
let admin: string;
let keyId: string;

const ask = (path: string, request: Request = {}) => call(instance.baseUrl, path, { key: admin, ...request });
const entries = async (query = '', key = admin): Promise<z.infer<typeof Page>['data']> => {
  const found: AuditEntry[] = [];
  let cursor = '';
  do {
    const { body } = await call(instance.baseUrl, `/api/v1/audit-log?limit=3${query}${cursor}`, { key });
    const { data, page } = Page.parse(body);
    found.push(...data);
    cursor = page.next_cursor === null ? '' : `&cursor=${encodeURIComponent(page.next_cursor)}`;
  } while (cursor !== '');
  return found;
};
const create = (body: object, request: Request = {}) => ask('/api/v1/api-keys', { body, ...request });

beforeAll(async () => {
  instance = await startInstance();
  const [acme] = instance.credentials.tenants;
  if (acme === undefined) throw new Error('no demo tenant');
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

describe('the audit log', () => {
  it('tells who did what, from where and in which trace, once for each thing done', async () => {
    const told = await entries(`&resource=${keyId}`);

    expect(told.map(({ action, outcome }) => [action, outcome])).toEqual([
      ['api_key.revoke', 'succeeded'],
      ['api_key.rotate', 'succeeded'],
      ['api_key.create', 'succeeded'],
    ]);
    expect(told[2]).toMatchObject({
      actor: { type: 'api_key' },
      source_ip: '127.0.0.1',
      trace_id: '0af7651916cd43dd8448eb211c80319c',
      error_code: null,
    });
  });

  it('tells of refused attempts and why, and of the same attempt again', async () => {
    const before = (await entries('&outcome=refused')).length;

    await create({ name: 'none', scopes: [] });
    await ask(`/api/v1/api-keys/${keyId}/rotate`, { method: 'POST' });
    await create(
      { name: 'x', scopes: ['admin:config'] },
      { key: instance.credentials.tenants[0]?.api_keys.read ?? '' },
    );
    const told = await entries('&outcome=refused');

    expect(told.slice(0, told.length - before).map(({ error_code }) => error_code)).toEqual([
      'INSUFFICIENT_SCOPE',
      'CONFLICT',
      'NO_SCOPE',
    ]);
  });

  it('does not tell a stored refusal again when it is replayed', async () => {
    const key = randomUUID();
    await create({ name: 'none', scopes: [] }, { idempotencyKey: key });
    const before = (await entries()).length;

    const replay = await create({ name: 'none', scopes: [] }, { idempotencyKey: key });

    expect(replay.body).toMatchObject({ error_code: 'NO_SCOPE' });
    expect(replay.headers.get('idempotency-replayed')).toBe('true');
    expect(await entries()).toHaveLength(before);
  });

  it('tells what operators did, as operators', async () => {
    const opened = await entries('&action=tenant.create');

    expect(opened).toMatchObject([{ actor: { type: 'operator' }, resource: 'acme', source_ip: null }]);
  });

  it('walks oldest first as well, and between two instants', async () => {
    const all = await entries();
    const middle = all[Math.floor(all.length / 2)];

    expect(await entries('&sort=at')).toEqual([...all].reverse());
    const since = await entries(`&at[gte]=${middle?.at}`);
    expect(since).toEqual(all.filter(({ at }) => at >= (middle?.at ?? '')));
    const until = await entries(`&at[lt]=${middle?.at}`);
    expect(until).toEqual(all.filter(({ at }) => at < (middle?.at ?? '')));
  });

  it('is of one tenant alone', async () => {
    const other = instance.credentials.tenants[1]?.api_keys.admin ?? '';

    const told = await entries('', other);

    expect(told.some(({ resource }) => resource === keyId)).toBe(false);
    expect(told.some(({ resource }) => resource === 'globex')).toBe(true);
  });

  it.each(['action=nothing.done', 'sort=actor', 'at=2026-01-01T00:00:00Z', 'who=me', 'outcome=perhaps'])(
    'refuses %s',
    async (query) => {
      expect((await ask(`/api/v1/audit-log?${query}`)).body).toMatchObject({
        status: 400,
        error_code: 'INVALID_FILTER',
      });
    },
  );
});
