import { afterAll, beforeAll, expect, it } from 'vitest';
import { call } from '../support/client.ts';
import { type Instance, startInstance } from '../support/instance.ts';
import { demoTenants } from '../support/localService.ts';
import { mailIn } from '../support/mail.ts';
import { authorizeUrl, newVerifier, registerClient } from '../support/signIn.ts';

let instance: Instance;

beforeAll(async () => {
  // Nothing listens on port 9 (discard protocol).
  instance = await startInstance({
    settings: { oidcIssuer: 'http://127.0.0.1:9', oidcClientId: 'the-service' },
  });
});
afterAll(() => instance?.stop());

it('redirects to the client with temporarily_unavailable when the identity provider is down', async () => {
  const { pathname, search } = authorizeUrl(instance.baseUrl, await registerClient(instance), newVerifier());

  const answer = await call(instance.baseUrl, pathname + search);

  const { searchParams } = new URL(answer.headers.get('location') ?? '');
  expect(answer.status).toBe(302);
  expect(Object.fromEntries(searchParams)).toEqual({
    error: 'temporarily_unavailable',
    error_description: expect.not.stringContaining('127.0.0.1:9'),
    state: 'the state',
    iss: instance.baseUrl,
  });
  expect(answer.headers.getSetCookie()).toEqual([]);
});

it('adds a user without an invitation, because the provider has its own accounts', async () => {
  const key = demoTenants(instance.credentials).acme.api_keys.admin;
  const body = { email: 'kim@example.org', role: 'viewer' };

  expect((await call(instance.baseUrl, '/api/v1/users', { key, body })).status).toBe(201);
  expect(mailIn(instance.dataDir)).toEqual([]);
});
