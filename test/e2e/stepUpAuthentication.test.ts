import { afterAll, expect, it } from 'vitest';
import { DAY_MS, MINUTE_MS } from '../../schemas/durations.ts';
import { roles } from '../../schemas/identity/roles.ts';
import { routes } from '../../schemas/routes/index.ts';
import { requiresStepUp, routeKey } from '../../schemas/routes/route.ts';
import { Browser } from '../local/engines/browser.ts';
import { ABSENT_ULID, goodRequest, pathOf } from '../platform/apiDocs/contract/requests.ts';
import { type Answer, call } from '../support/client.ts';
import { enginesOf } from '../support/engines.ts';
import { demoTenants } from '../support/localService.ts';
import { sharedInstance } from '../support/sharedInstance.ts';
import {
  authorizeUrl,
  bearing,
  type Client,
  completeSignIn,
  newVerifier,
  redeem,
  refresh,
  registerClient,
} from '../support/signIn.ts';

const instance = await sharedInstance();
const engines = enginesOf(instance.credentials);
afterAll(async () => {
  engines.close();
  await instance.stop();
});

const signIn = async (client: Client, parameters: Record<string, string> = {}) => {
  const verifier = newVerifier();
  const start = authorizeUrl(instance.baseUrl, client, verifier, parameters);
  const { url } = await completeSignIn(new Browser(), start, demoTenants(instance.credentials).acme.user);
  expect(url.searchParams.get('iss')).toBe(instance.baseUrl);
  return redeem(instance.baseUrl, client, { code: url.searchParams.get('code') ?? '', verifier });
};
const renew = (client: Client, { body }: Answer) => refresh(instance.baseUrl, client, body['refresh_token']);

/** Lets time pass for the grant of an access token. */
const age = ({ body }: Answer, milliseconds: number): Promise<void> => {
  const [, claims = ''] = String(body['access_token']).split('.');
  const { grant_id } = JSON.parse(Buffer.from(claims, 'base64url').toString());
  return engines.age(grant_id, milliseconds, 'grants');
};

const KEYS = '/api/v1/api-keys';
/** The response of every route that requires a recent sign-in, for missing resources. */
const trySensitive = async (token: unknown) => {
  const answers = [];
  // Sequential, because concurrent cold starts time out on a busy machine.
  for (const route of routes.filter(requiresStepUp)) {
    const path = pathOf(route, (prefix) => `${prefix}_aaaaaaaa${ABSENT_ULID}`);
    const request = goodRequest(route, { client_id: '', client_secret: '' });
    const headers = { authorization: `Bearer ${token}` };
    const { status, body } = await call(instance.baseUrl, path, { ...request, headers });
    answers.push([routeKey(route), status, body['error_code']]);
  }
  return answers;
};

const createKey = ({ body }: Answer): Promise<Answer> =>
  bearing(instance.baseUrl, body['access_token'], KEYS, {
    name: 'made by a user',
    scopes: ['read:attribution'],
  });

it('returns STEP_UP_REQUIRED on sensitive routes 15 minutes after the sign-in', async () => {
  const client = await registerClient(instance, {
    scopes: roles.admin.filter((scope) => scope !== 'partner:connector'),
  });
  const first = await signIn(client);
  expect((await createKey(first)).status).toBe(201);

  await age(first, 16 * MINUTE_MS);
  const renewed = await renew(client, first);
  const refused = await createKey(renewed);
  const read = await bearing(instance.baseUrl, renewed.body['access_token'], KEYS);

  expect(renewed.status).toBe(200);
  expect(read.status).toBe(200);
  expect(refused).toMatchObject({ status: 401, body: { error_code: 'STEP_UP_REQUIRED' } });
  expect(refused.headers.get('x-amzn-remapped-www-authenticate')).toBe(
    'Bearer error="insufficient_user_authentication", max_age=900',
  );
  expect(await trySensitive(renewed.body['access_token'])).toEqual(
    routes.filter(requiresStepUp).map((route) => [routeKey(route), 401, 'STEP_UP_REQUIRED']),
  );

  const again = await signIn(client, { max_age: '900' });

  expect((await createKey(again)).status).toBe(201);
  // The new sign-in does not refresh the older grant.
  expect((await createKey(renewed)).status).toBe(401);
});

it('expires a grant 30 days after its sign-in, regardless of refreshes', async () => {
  const client = await registerClient(instance);
  const first = await signIn(client);

  await age(first, 30 * DAY_MS - 5 * MINUTE_MS);
  const renewed = await renew(client, first);
  await age(renewed, 10 * MINUTE_MS);
  const refused = await renew(client, renewed);

  expect(renewed.status).toBe(200);
  expect(refused).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
});
