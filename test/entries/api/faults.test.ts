import './environment.ts';
import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { sessionCookie } from '../../../functions/identity/oauth/session/sessionCookie.ts';
import { deriveBinding, signInCookie } from '../../../functions/identity/oauth/signIn/browserBinding.ts';
import type { AwsRequest } from '../../../functions/platform/shared/aws/calls/awsCalls.ts';
import { consoleRoutes, routes } from '../../../schemas/routes/index.ts';
import { type RouteShape, routeKey } from '../../../schemas/routes/route.ts';
import { ABSENT_ULID, goodRequest, pathOf } from '../../platform/apiDocs/contract/requests.ts';
import type { Request } from '../../support/client.ts';
import { authorizeUrl, newVerifier, REDIRECT_URI } from '../../support/signIn.ts';
import { type LiveTables, startTables } from '../../support/tables.ts';
import { BASE_URL, IDENTITY_PROVIDER } from './environment.ts';
import { expectedOf, FAULTS, outcomeOf } from './storeFaults.ts';
import { answerOf, isServedInProcess, loadUnits, type SendToUnit } from './unitsInProcess.ts';

let tables: LiveTables;
let send: SendToUnit;
let keys: { readonly admin: string; readonly sandbox: string; readonly tag: string };
let client: { readonly client_id: string; readonly client_secret: string };

/** The AWS calls of a request, by operation and table, and the one that fails. */
interface Observed {
  readonly calls: string[];
  readonly failing?: { readonly at: number; readonly error: Error };
}
/** After a failure, other calls of the request may still be made. They must not count for the next one. */
const current = new AsyncLocalStorage<Observed>();

const onRequest = (message: unknown): void => {
  const request = message as AwsRequest;
  const { service, operation } = request;
  const { calls, failing } = current.getStore() ?? { calls: [] };
  if (failing?.at === calls.length) request.refusal = failing.error;
  calls.push(`${operation} ${Object(request.input).TableName ?? service}`);
  const answer = answerOf(service, operation);
  if (answer !== undefined) request.answer = () => answer;
};

beforeAll(async () => {
  const at = (path: string) => `${IDENTITY_PROVIDER}/${path}`;
  vi.stubGlobal('fetch', async () =>
    Response.json({
      issuer: IDENTITY_PROVIDER,
      authorization_endpoint: at('authorize'),
      token_endpoint: at('token'),
      end_session_endpoint: at('end'),
    }),
  );
  tables = await startTables();
  send = await loadUnits();
  subscribe('aws.request', onRequest);
  const { tenantAdministration } = await import('../../../tools/operator/tenants.ts');
  const administration = await tenantAdministration({
    environment: 'local',
    baseUrl: '',
    output: (name) => name.replace(/^Table/, '').replace(/^./, (letter) => letter.toLowerCase()),
  });
  const settings = { plan: 'enterprise', residency: [] } as const;
  const tenant = await administration.open({ ...settings, tenantId: 'acme', name: 'Acme' });
  const sandbox = await administration.open({ ...settings, tenantId: 'play', name: 'Play', sandbox: true });
  keys = {
    admin: await administration.issueKey(tenant, 'admin'),
    sandbox: await administration.issueKey(sandbox, 'admin'),
    tag: tenant.tag,
  };
  const body = { name: 'app', scopes: ['read:attribution'], redirect_uris: [REDIRECT_URI] };
  const registered = await send('/api/v1/oauth-clients', { method: 'POST', key: keys.admin, body });
  client = JSON.parse(registered.text);
});
afterAll(async () => {
  unsubscribe('aws.request', onRequest);
  await tables.stop();
});
beforeEach(() => {
  // Faults are logged, and the SDK warns of the addresses of the queues.
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  vi.spyOn(console, 'warn').mockReturnValue();
  return () => vi.restoreAllMocks();
});

const all = [...routes, ...consoleRoutes].filter(({ unit }) => isServedInProcess(unit));
/** The function answers a second before its end. */
const REMAINING_MS = 1_020;
const SECRET = 'the secret of one browser';

/** Where the first browser request of a route goes, if not to its plain path. */
const browserPaths: Readonly<Record<string, () => string>> = {
  authorize: () => {
    const { pathname, search } = authorizeUrl(BASE_URL, client, newVerifier());
    return pathname + search;
  },
  finishSignIn: () => `/v1/oauth/callback?state=${deriveBinding(SECRET).state}&code=a`,
};
const cookies = [sessionCookie(BASE_URL, SECRET), signInCookie(SECRET, false)].map(
  (cookie) => cookie.split(';')[0],
);

const requestTo = (route: RouteShape): Request => {
  const sample = goodRequest(route, client);
  const key = route.needs.some((need) => need.startsWith('sandbox.')) ? keys.sandbox : keys.admin;
  return {
    ...sample,
    ...('email' in Object(sample.body) && {
      body: { ...Object(sample.body), email: `${randomUUID()}@example.org` },
    }),
    ...('account' in Object(sample.body) && { body: { ...Object(sample.body), account: randomUUID() } }),
    ...(route.access !== 'public' && route.access !== 'session' && { key }),
    headers: { ...sample.headers, 'sec-fetch-site': 'same-origin', cookie: cookies.join('; ') },
  };
};

/** The path of the route, with a new resource if its collection can create one. */
const pathTo = async (route: RouteShape): Promise<string> => {
  const inBrowser = browserPaths[route.operation];
  if (inBrowser !== undefined) return inBrowser();
  const [collection] = route.path.split('/{');
  const creation = routes.find(
    ({ method, path, replies }) => method === 'POST' && path === collection && 201 in replies,
  );
  let created: Record<string, unknown> = {};
  if (creation !== undefined && creation !== route) {
    created = JSON.parse((await send(creation.path, requestTo(creation))).text);
  }
  const id = created['id'] ?? created['client_id'] ?? created['key_id'] ?? created['user_id'];
  return pathOf(route, (prefix) => (typeof id === 'string' ? id : `${prefix}_${keys.tag}${ABSENT_ULID}`));
};

const sendTo = async (route: RouteShape, failing?: Observed['failing']) => {
  const path = await pathTo(route);
  const observed = { calls: [], ...(failing !== undefined && { failing }) };
  const answer = await current.run(observed, () => send(path, requestTo(route)));
  return { answer, calls: observed.calls as readonly string[] };
};

/** What an answer does not depend on: limits, claims and shards of ingestion, freshness, progress, and the usage of a partner. */
const OPTIONAL_CALLS = [
  'UpdateItem limits',
  'PutItem idempotency',
  'PutItem claims',
  'UpdateItem claims',
  'GetItem ledger',
  'Query rollups',
  'Query counters',
  'PutItem counters',
  'UpdateItem coverage',
];

/** The first and the last of equal calls. */
const placesOf = (calls: readonly string[]): number[] => [
  ...new Set(calls.flatMap((call) => [calls.indexOf(call), calls.lastIndexOf(call)])),
];

describe.each(all.map((route) => [routeKey(route), route] as const))('%s', (_, route) => {
  it('answers a fault with 500, and an outage with 503 and Retry-After, whichever call of a store fails', async () => {
    const working = await sendTo(route);
    expect(outcomeOf(working.answer), working.answer.text).toMatch(/^an answer|^302 $/);

    const unexpected: string[] = [];
    const places = placesOf(working.calls);
    const [bug, ...others] = FAULTS;
    for (
      let index = 0;
      index < (places.length === 0 ? 0 : Math.max(places.length, others.length));
      index += 1
    ) {
      const at = places[index % places.length] ?? 0;
      const other = others[index % others.length] ?? bug;
      // Each call fails once by a bug, and once by another fault.
      for (const [name, makeError, isOutage] of index < places.length ? [bug, other] : [other]) {
        const { answer, calls } = await sendTo(route, { at, error: makeError() });
        const failed = calls[at];
        // Less is read when an earlier answer is in a cache.
        if (failed === undefined) continue;
        const outcome = outcomeOf(answer);
        const isSurvived = outcome === 'an answer' || outcome === '302 ';
        if (isSurvived ? !OPTIONAL_CALLS.includes(failed) : !expectedOf(route, isOutage).includes(outcome)) {
          unexpected.push(`${outcome} after ${name} in ${failed}`);
        }
      }
    }

    expect(unexpected).toEqual([]);
  });

  it('answers with 503 and Retry-After when a store does not answer in the time of the function', async () => {
    const { calls } = await sendTo(route);
    const path = await pathTo(route);
    const request = requestTo(route);
    // All clients of the SDK inherit it.
    vi.spyOn(Object.getPrototypeOf(DynamoDBClient.prototype), 'send').mockReturnValue(
      new Promise(() => undefined),
    );

    const answer = await send(path, request, REMAINING_MS);

    expect(outcomeOf(answer)).toBe(
      calls.length === 0 ? 'an answer' : '503 SERVICE_UNAVAILABLE with Retry-After',
    );
  });
});
