import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { type Scope, scopeNames } from '../../schemas/access/scopes.ts';
import { ApiKeyRecord } from '../../schemas/routes/apiKeys.ts';
import { type AdminInstance, KEYS, RIGHTS, startAdminInstance } from './adminInstance.ts';

let at: AdminInstance;
beforeAll(async () => {
  at = await startAdminInstance();
});
afterAll(() => at?.stop());

describe('the list of keys', () => {
  const Page = z.object({
    data: z.array(ApiKeyRecord),
    page: z.object({ next_cursor: z.string().nullable(), limit: z.int(), has_more: z.boolean() }),
  });

  it('walks all of them once, the newest first, while others come and go', async () => {
    const { key } = await at.newTenant('lister');
    for (let index = 0; index < 7; index += 1)
      await at.keys.create({}, { key, body: { ...RIGHTS, name: `${index}` } });

    const found: z.infer<typeof ApiKeyRecord>[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const following: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
      const answer = await at.send(`${KEYS}?limit=3${following}`, { key });
      const { data, page } = Page.parse(answer.body);
      found.push(...data);
      cursor = page.next_cursor;
      const last = data.at(-1);
      await at.keys.create({}, { key });
      if (last !== undefined) await at.keys.revoke(last.id, { key });
    }

    expect(found.map(({ name }) => name)).toEqual(['6', '5', '4', '3', '2', '1', '0', 'admin']);
    expect(JSON.stringify(found)).not.toMatch(/secret"|salt|hash/);
  });

  it('is one tenant’s, and so are its cursors', async () => {
    for (const _ of [1, 2]) await at.keys.create();
    const { page } = Page.parse((await at.send(`${KEYS}?limit=1`)).body);
    const following = `${KEYS}?limit=1&cursor=${encodeURIComponent(page.next_cursor ?? '')}`;
    const other = await at.keys.create();

    const answers = [
      await at.send(following, { key: at.globex.api_keys.admin }),
      await at.send(following, { key: other.secret }),
      await at.send(following),
    ];

    expect(answers.map(({ status, body }) => [status, body['error_code']])).toEqual([
      [403, 'TENANT_MISMATCH'],
      [400, 'INVALID_CURSOR'],
      [200, undefined],
    ]);
  });
});

describe('the audit log', () => {
  const entriesOn = async (resource: string | null, since: number) =>
    (await at.audit()).filter((entry) => entry.resource === resource && Date.parse(entry.at) >= since);

  it('tells of each action on a key: who, what, when, from where and how it ended', async () => {
    const since = Date.now();
    const admin = await at.keys.create({ scopes: [...scopeNames] });
    const by = { key: admin.secret };
    const { id } = await at.keys.create({}, by);
    const answers = [
      await at.keys.rotate(id, { overlap_seconds: 0 }, by),
      await at.keys.revoke(id, by),
      await at.keys.rotate(id, undefined, by),
      await at.keys.revoke(id, { key: at.acme.api_keys.read }),
      await at.send(`${KEYS}/${id}`, by),
    ];

    const entries = await entriesOn(id, since);

    expect(answers.map(({ status }) => status)).toEqual([200, 204, 409, 403, 200]);
    expect(entries.map(({ action, outcome, error_code }) => [action, outcome, error_code])).toEqual([
      ['api_key.create', 'succeeded', null],
      ['api_key.rotate', 'succeeded', null],
      ['api_key.revoke', 'succeeded', null],
      ['api_key.rotate', 'refused', 'CONFLICT'],
      ['api_key.revoke', 'refused', 'INSUFFICIENT_SCOPE'],
    ]);
    expect(new Set(entries.slice(0, 4).map(({ actor }) => `${actor.type} ${actor.id}`))).toEqual(
      new Set([`api_key ${admin.id}`]),
    );
    expect(entries.slice(1).map(({ trace_id }) => trace_id)).toEqual(
      answers.slice(0, 4).map(({ headers }) => headers.get('x-trace-id')),
    );
    expect(entries.every(({ source_ip }) => source_ip === '127.0.0.1')).toBe(true);
  });

  it('tells of creations that were refused, in the tenant of who tried', async () => {
    const since = Date.now();
    const poor = await at.keys.create({ scopes: ['admin:config'] satisfies Scope[] });

    await at.send(KEYS, { key: poor.secret, body: { name: 'x', scopes: ['export:create'] } });
    await at.send(KEYS, { key: poor.secret, body: { name: 'x', scopes: [] } });
    await at.send(KEYS, { key: poor.secret, body: { name: 'x', scopes: ['admin:config'], role: 'admin' } });

    const entries = (await entriesOn(null, since)).filter(({ actor }) => actor.id === poor.id);
    expect(entries.map(({ action, error_code }) => [action, error_code])).toEqual([
      ['api_key.create', 'INSUFFICIENT_SCOPE'],
      ['api_key.create', 'NO_SCOPE'],
      ['api_key.create', 'VALIDATION_FAILED'],
    ]);
  });
});
