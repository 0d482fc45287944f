import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Role, roles } from '../../schemas/identity/roles.ts';
import { scopeNames } from '../../schemas/identity/scopes.ts';
import { CallerRecord, UserRecord } from '../../schemas/routes/identity/users.ts';
import { call, type Request } from '../support/client.ts';
import { mailIn } from '../support/mail.ts';
import { type Client, newCode, type Person, redeem, refresh, registerClient } from '../support/signIn.ts';
import { usersOf } from '../support/users.ts';
import { type AdminInstance, startAdminInstance } from './adminInstance.ts';

const USERS = '/api/v1/users';

let api: AdminInstance;
let people: Awaited<ReturnType<typeof usersOf>>;
let key: string;
let tenantId: string;
let client: Client;
beforeAll(async () => {
  api = await startAdminInstance();
  people = await usersOf(api.instance);
  const { tenant, key: adminKey } = await api.newTenant('users');
  key = adminKey;
  tenantId = tenant.tenant_id;
  client = await registerClient(api.instance, {}, { key });
});
afterAll(() => api?.stop());

const send = (path: string, request: Request = {}) => call(api.baseUrl, path, { key, ...request });
const add = async (email: string, role: Role) => {
  const { status, body, text } = await send(USERS, { body: { email, role } });
  expect(status, text).toBe(201);
  return UserRecord.parse(body);
};
const setRole = (id: string, role: Role, request: Request = {}) =>
  send(`${USERS}/${id}`, { method: 'PUT', body: { role }, ...request });
const remove = (id: string, request: Request = {}) =>
  send(`${USERS}/${id}`, { method: 'DELETE', ...request });
const me = (token: unknown) =>
  call(api.baseUrl, '/api/v1/me', { headers: { authorization: `Bearer ${token}` } });
const signIn = async (person: Person) => {
  const { body } = await redeem(api.baseUrl, client, await newCode(api.instance, client, person));
  return body;
};

describe('GET /api/v1/me', () => {
  it('tells an API key its scopes and its tenant', async () => {
    const { body } = await send('/api/v1/me');

    expect(CallerRecord.parse(body)).toEqual({
      type: 'api_key',
      id: expect.stringMatching(/^key_/),
      email: null,
      role: null,
      scopes: [...scopeNames].sort(),
      residency: null,
      signed_in_at: null,
      tenant: { id: tenantId, name: 'users', plan: 'enterprise', sandbox: false },
    });
  });
});

describe('a user who was added', () => {
  it('without a role reads sums only', async () => {
    const { status, body } = await send(USERS, { body: { email: 'no-role@example.org' } });

    expect([status, body['role']]).toEqual([201, 'viewer']);
  });

  it('can sign in, has the scopes of the role, and loses them with the next request after the removal', async () => {
    const person = await people.stranger();
    const { id } = await add(person.email.toUpperCase(), 'viewer');
    const tokens = await signIn(person);

    const signedIn = CallerRecord.parse((await me(tokens['access_token'])).body);
    expect(signedIn).toMatchObject({ type: 'user', id, email: person.email, role: 'viewer' });
    expect(signedIn.scopes).toEqual(['read:reporting']);

    expect((await remove(id)).status).toBe(204);
    expect((await me(tokens['access_token'])).status).toBe(401);
    expect((await remove(id)).status).toBe(204);
    expect((await send(`${USERS}/${id}`)).body).toMatchObject({ id, state: 'removed' });
  });

  it('has the scopes of a new role at once', async () => {
    const person = await people.stranger();
    const { id } = await add(person.email, 'viewer');
    const tokens = await signIn(person);

    expect((await setRole(id, 'engineer')).body).toMatchObject({ id, role: 'engineer' });

    expect((await me(tokens['access_token'])).body['role']).toBe('engineer');
  });

  it('is a new user after a removal: the tokens of the former one stay invalid', async () => {
    const person = await people.stranger();
    const former = await add(person.email, 'viewer');
    const tokens = await signIn(person);
    await remove(former.id);

    const later = await add(person.email, 'admin');

    expect(later.id).not.toBe(former.id);
    expect((await me(tokens['access_token'])).status).toBe(401);
    expect((await refresh(api.baseUrl, client, String(tokens['refresh_token']))).status).toBe(400);
  });

  it('is not added twice, but a retry of the same request returns the user again', async () => {
    const idempotencyKey = 'add-kim';
    const body = { email: 'kim@example.org', role: 'finops' };
    const first = await send(USERS, { body, idempotencyKey });

    expect((await send(USERS, { body, idempotencyKey })).body).toEqual(first.body);
    expect((await send(USERS, { body })).body).toMatchObject({ status: 409, error_code: 'CONFLICT' });
  });
});

/** The temporary passwords that were mailed to an address, in send order. */
const invitationsOf = (email: string): string[] =>
  mailIn(api.instance.dataDir)
    .filter(({ headers }) => headers['to'] === email)
    .map(({ text }) => / temporary password is (\S+)/.exec(text)?.[1] ?? '');

describe('the invitation of a user', () => {
  it('is mailed once, and its password signs the person in', async () => {
    const email = 'invited@example.org';
    const request = { body: { email, role: 'viewer' }, idempotencyKey: 'invite' };
    expect((await send(USERS, request)).status).toBe(201);
    expect((await send(USERS, request)).status).toBe(201);

    const [password = '', ...others] = invitationsOf(email);
    expect(others).toEqual([]);
    const tokens = await signIn({ email, password });
    expect((await me(tokens['access_token'])).body).toMatchObject({ email, role: 'viewer' });
  });

  it('is mailed again to a person who is added again and has not signed in yet', async () => {
    const email = 'forgetful@example.org';
    const { id } = await add(email, 'viewer');
    await remove(id);
    await add(email, 'viewer');

    const passwords = invitationsOf(email);
    expect(new Set(passwords).size).toBe(2);
    expect(await signIn({ email, password: passwords[1] ?? '' })).toHaveProperty('access_token');
  });

  it('is not mailed for another tenant, which would replace the password of the first mail', async () => {
    const email = 'wanted@example.org';
    await add(email, 'viewer');
    const { key: rival } = await api.newTenant('rival');
    expect((await send(USERS, { key: rival, body: { email, role: 'viewer' } })).status).toBe(201);

    const [password = '', ...others] = invitationsOf(email);
    expect(others).toEqual([]);
    expect(await signIn({ email, password })).toHaveProperty('access_token');
  });

  it('is not mailed to a person who has an account, whose password stays', async () => {
    const person = await people.stranger();
    await add(person.email, 'viewer');

    expect(invitationsOf(person.email)).toEqual([]);
    expect(await signIn(person)).toHaveProperty('access_token');
  });
});

describe('an administrator', () => {
  it('cannot give, change or take away a role with a scope that it lacks', async () => {
    const { id } = await add('boss@example.org', 'admin');
    const { body: weak } = await send('/api/v1/api-keys', {
      body: { name: 'weak', scopes: ['admin:config', 'read:attribution', 'read:reporting'] },
    });
    const by = { key: String(weak['secret']) };

    const refused = { status: 403, error_code: 'INSUFFICIENT_SCOPE' };
    expect(
      (await send(USERS, { ...by, body: { email: 'new@example.org', role: 'engineer' } })).body,
    ).toMatchObject(refused);
    expect((await setRole(id, 'viewer', by)).body).toMatchObject(refused);
    expect((await remove(id, by)).body).toMatchObject(refused);
    const allowed = await send(USERS, { ...by, body: { email: 'new@example.org', role: 'viewer' } });
    expect(allowed.status).toBe(201);
  });

  it('bound to a residency lane cannot add, change or remove users, who have no lane', async () => {
    const { key: ownKey } = await api.newTenant('users-lanes', { residency: ['eu'] });
    const { body: bound } = await send('/api/v1/api-keys', {
      key: ownKey,
      body: { name: 'bound', scopes: [...roles.viewer, 'admin:config'], residency: 'eu' },
    });
    const user = { email: 'lee@example.org', role: 'viewer' };
    const { body: existing } = await send(USERS, { key: ownKey, body: user });
    const by = { key: String(bound['secret']) };

    const answers = [
      await send(USERS, { ...by, body: { ...user, email: 'other@example.org' } }),
      await setRole(String(existing['id']), 'viewer', by),
      await remove(String(existing['id']), by),
    ];

    expect(answers.map(({ body }) => body['error_code'])).toEqual(Array(3).fill('RESIDENCY_BLOCKED'));
  });

  it('cannot remove or demote the last administrator, also when two remove each other at once', async () => {
    const { key: ownKey } = await api.newTenant('users-two');
    const addHere = async (email: string) =>
      String((await send(USERS, { key: ownKey, body: { email, role: 'admin' } })).body['id']);
    const [one, other] = [await addHere('one@example.org'), await addHere('other@example.org')];

    const answers = await Promise.all([remove(one, { key: ownKey }), remove(other, { key: ownKey })]);

    expect(answers.map(({ status }) => status).sort()).toEqual([204, 409]);
    const left = answers[0]?.status === 204 ? other : one;
    expect((await setRole(left, 'viewer', { key: ownKey })).body['error_code']).toBe('CONFLICT');
  });

  it('lists the users by address, page by page', async () => {
    const { key: ownKey } = await api.newTenant('users-listed');
    for (const name of ['c', 'a', 'b']) {
      await send(USERS, { key: ownKey, body: { email: `${name}@example.org`, role: 'viewer' } });
    }

    const addresses: unknown[] = [];
    let cursor: unknown = '';
    do {
      const query = cursor === '' ? '' : `&cursor=${cursor}`;
      const { body } = await send(`${USERS}?limit=2${query}`, { key: ownKey });
      for (const user of [body['data']].flat()) addresses.push(Object(user).email);
      cursor = Object(body['page']).next_cursor;
    } while (cursor !== null);

    expect(addresses).toEqual(['a@example.org', 'b@example.org', 'c@example.org']);
  });

  it('leaves an entry in the audit log for each change', async () => {
    const { id } = await add('audited@example.org', 'viewer');
    await setRole(id, 'finops');
    await setRole(id, 'finops');
    await remove(id);

    const entries = (await api.audit()).filter(({ resource }) => resource === id);

    expect(entries.map(({ action }) => action)).toEqual(['user.register', 'user.update', 'user.remove']);
  });
});
