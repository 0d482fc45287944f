import { rmSync } from 'node:fs';
import { afterAll, expect, it } from 'vitest';
import { roles } from '../../schemas/identity/roles.ts';
import { routes } from '../../schemas/routes/index.ts';
import { requiresStepUp, routeKey } from '../../schemas/routes/route.ts';
import { Browser } from '../local/engines/browser.ts';
import { ABSENT_ULID, goodRequest, pathOf } from '../platform/apiDocs/contract/requests.ts';
import { type Answer, call } from '../support/client.ts';
import { type Instance, startInstance } from '../support/instance.ts';
import { UNLIMITED } from '../support/localService.ts';
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
import { temporaryDirectory } from '../support/temporaryDirectory.ts';

/** Fixed issuer of the service, independent of the port. */
const ISSUER = 'https://attribution.example.org';
const dataDir = temporaryDirectory();

let running: Instance | undefined;
const stop = async (): Promise<void> => {
  await running?.stop();
  running = undefined;
};
/** Restarts the instance on the same data with its clock `minutes` ahead. */
const startAhead = async (minutes: number): Promise<Instance> => {
  await stop();
  running = await startInstance({
    dataDir,
    settings: { baseUrl: ISSUER },
    environment: { CLOCK_OFFSET_SECONDS: String(minutes * 60), ...UNLIMITED },
  });
  return running;
};
afterAll(async () => {
  await stop();
  rmSync(dataDir, { recursive: true, force: true });
});

const signIn = async (instance: Instance, client: Client, parameters: Record<string, string> = {}) => {
  const verifier = newVerifier();
  const standIn = (url: URL) => new URL(url.href.replace(ISSUER, instance.baseUrl));
  const person = instance.credentials.tenants[0]?.user ?? { email: '', password: '' };
  const start = authorizeUrl(ISSUER, client, verifier, parameters);
  const browser = new Browser();
  const { url } = await completeSignIn(browser, start, person, standIn);
  const code = url.searchParams.get('code') ?? '';
  return {
    issuer: url.searchParams.get('iss'),
    ...(await redeem(instance.baseUrl, client, { code, verifier })),
  };
};

const KEYS = '/api/v1/api-keys';
/** The response of every route that requires a recent sign-in, for missing resources. */
const trySensitive = async ({ baseUrl }: Instance, token: unknown) => {
  const answers = [];
  // Sequential, because concurrent cold starts time out on a busy machine.
  for (const route of routes.filter(requiresStepUp)) {
    const path = pathOf(route, (prefix) => `${prefix}_aaaaaaaa${ABSENT_ULID}`);
    const request = goodRequest(route, { client_id: '', client_secret: '' });
    const headers = { authorization: `Bearer ${token}` };
    const { status, body } = await call(baseUrl, path, { ...request, headers });
    answers.push([routeKey(route), status, body['error_code']]);
  }
  return answers;
};

const createKey = ({ baseUrl }: Instance, token: unknown): Promise<Answer> =>
  bearing(baseUrl, token, KEYS, { name: 'made by a user', scopes: ['read:attribution'] });

it('returns STEP_UP_REQUIRED on sensitive routes 15 minutes after the sign-in', async () => {
  const before = await startAhead(0);
  const client = await registerClient(before, {
    scopes: roles.admin.filter((scope) => scope !== 'partner:connector'),
  });
  const first = await signIn(before, client);

  expect(first.issuer).toBe(ISSUER);
  expect((await createKey(before, first.body['access_token'])).status).toBe(201);

  const later = await startAhead(16);
  const renewed = await refresh(later.baseUrl, client, first.body['refresh_token']);
  const refused = await createKey(later, renewed.body['access_token']);
  const read = await bearing(later.baseUrl, renewed.body['access_token'], KEYS);

  expect(renewed.status).toBe(200);
  expect(read.status).toBe(200);
  expect(refused).toMatchObject({ status: 401, body: { error_code: 'STEP_UP_REQUIRED' } });
  expect(refused.headers.get('x-amzn-remapped-www-authenticate')).toBe(
    'Bearer error="insufficient_user_authentication", max_age=900',
  );
  expect(await trySensitive(later, renewed.body['access_token'])).toEqual(
    routes.filter(requiresStepUp).map((route) => [routeKey(route), 401, 'STEP_UP_REQUIRED']),
  );

  const again = await signIn(later, client, { max_age: '900' });

  expect((await createKey(later, again.body['access_token'])).status).toBe(201);
  // The new sign-in does not refresh the older grant.
  expect((await createKey(later, renewed.body['access_token'])).status).toBe(401);
});

it('expires a grant 30 days after its sign-in, regardless of refreshes', async () => {
  const minutes = (days: number) => days * 24 * 60;
  const signedIn = await startAhead(0);
  const client = await registerClient(signedIn);
  const first = await signIn(signedIn, client);

  const beforeExpiry = await startAhead(minutes(30) - 5);
  const renewed = await refresh(beforeExpiry.baseUrl, client, first.body['refresh_token']);
  const after = await startAhead(minutes(30) + 5);
  const refused = await refresh(after.baseUrl, client, renewed.body['refresh_token']);

  expect(renewed.status).toBe(200);
  expect(refused).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
});
