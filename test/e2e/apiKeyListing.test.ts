import { afterAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { type Scope, scopeNames } from '../../schemas/identity/scopes.ts';
import { ApiKeyRecord } from '../../schemas/routes/identity/apiKeys.ts';
import { KEYS, RIGHTS, startAdminInstance } from './adminInstance.ts';

const api = await startAdminInstance();
afterAll(() => api.stop());

describe('GET /api/v1/api-keys', () => {
  const Page = z.object({
    data: z.array(ApiKeyRecord),
    page: z.object({ next_cursor: z.string().nullable(), limit: z.int(), has_more: z.boolean() }),
  });

  it('returns each key once, newest first, while keys are created and revoked', async () => {
    const { key } = await api.newTenant('lister');
    for (let index = 0; index < 7; index += 1)
      await api.keys.create({}, { key, body: { ...RIGHTS, name: `${index}` } });

    const listed: z.infer<typeof ApiKeyRecord>[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const following: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
      const answer = await api.send(`${KEYS}?limit=3${following}`, { key });
      const { data, page } = Page.parse(answer.body);
      listed.push(...data);
      cursor = page.next_cursor;
      const last = data.at(-1);
      await api.keys.create({}, { key });
      if (last !== undefined) await api.keys.revoke(last.id, { key });
    }

    expect(listed.map(({ name }) => name)).toEqual(['6', '5', '4', '3', '2', '1', '0', 'admin']);
    expect(JSON.stringify(listed)).not.toMatch(/secret"|salt|hash/);
  });
});

describe('audit log of API keys', () => {
  const entriesOn = async (resource: string | null, since: number) =>
    (await api.audit()).filter((entry) => entry.resource === resource && Date.parse(entry.at) >= since);

  it('records actor, action, trace, source IP and outcome of each action on a key', async () => {
    const since = Date.now();
    const admin = await api.keys.create({
      scopes: scopeNames.filter((scope) => scope !== 'partner:connector'),
    });
    const by = { key: admin.secret };
    const { id } = await api.keys.create({}, by);
    const answers = [
      await api.keys.rotate(id, { overlap_seconds: 0 }, by),
      await api.keys.revoke(id, by),
      await api.keys.rotate(id, undefined, by),
      await api.keys.revoke(id, { key: api.acme.api_keys.read }),
      await api.send(`${KEYS}/${id}`, by),
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

  it('records rejected creations in the tenant of the caller', async () => {
    const since = Date.now();
    const limited = await api.keys.create({ scopes: ['admin:config'] satisfies Scope[] });

    await api.send(KEYS, { key: limited.secret, body: { name: 'x', scopes: ['export:create'] } });
    await api.send(KEYS, { key: limited.secret, body: { name: 'x', scopes: [] } });
    await api.send(KEYS, {
      key: limited.secret,
      body: { name: 'x', scopes: ['admin:config'], role: 'admin' },
    });

    const entries = (await entriesOn(null, since)).filter(({ actor }) => actor.id === limited.id);
    expect(entries.map(({ action, error_code }) => [action, error_code])).toEqual([
      ['api_key.create', 'INSUFFICIENT_SCOPE'],
      ['api_key.create', 'NO_SCOPE'],
      ['api_key.create', 'VALIDATION_FAILED'],
    ]);
  });
});
