import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Scope, scopeNames } from '../schemas/access/scopes.ts';
import {
  CATALOGUE_VERSION,
  type ErrorCode,
  errorCodes,
  problemSlug,
  problemTypes,
} from '../schemas/problems.ts';
import { createBudget } from '../schemas/routes/budgets.ts';
import { createExportSchedule } from '../schemas/routes/exports.ts';
import { createIdentityMapping } from '../schemas/routes/identity.ts';
import { routes } from '../schemas/routes/index.ts';
import {
  type RouteShape,
  routeKey,
  scopeOf,
  sufficientScopes,
  takesIdempotencyKey,
} from '../schemas/routes/route.ts';
import { createWebhook } from '../schemas/routes/webhooks.ts';
import { tenantAdministration } from '../tools/operator/tenants.ts';
import { expectConforming, expectProblem, type Service } from './contract/expectConforming.ts';
import { OpenApiDocument } from './contract/openapiDocument.ts';
import { ABSENT_ULID, goodRequest, pathOf } from './contract/requests.ts';
import { anAnomaly, seedAnomalies } from './support/anomalies.ts';
import { seedBills } from './support/bills.ts';
import { type Answer, call, type Request, someEvent } from './support/client.ts';
import { seedExports } from './support/exports.ts';
import { type Instance, startInstance } from './support/instance.ts';
import { demoTenants, deploymentOf, replayed, UNLIMITED } from './support/localService.ts';
import { seedModels } from './support/models.ts';
import { SILENT_RECEIVER, verifyEndpoint } from './support/webhooks.ts';

const OWN = 'acme';
const OTHER = 'globex';

let instance: Instance;
/** The identifier of a resource. */
const idIn = (resource: Readonly<Record<string, unknown>> | undefined): string =>
  String(resource?.['id'] ?? resource?.['client_id'] ?? resource?.['version'] ?? resource?.['job_id']);

let service: Service;
let tags: { own: string; other: string };
const keyWith = new Map<Scope, string>();
/** Keys with every scope, of the own and of the other tenant. */
let adminKey: string;
let secondAdminKey: string;
let otherKey: string;
/** Resource ids of the other tenant, by prefix. */
const otherIds = new Map<string, string>();
let client: { client_id: string; client_secret: string };
/** Marks a webhook endpoint of the own tenant as verified. */
let markVerified: (id: string) => Promise<void>;

beforeAll(async () => {
  instance = await startInstance({
    environment: { ...UNLIMITED, WEBHOOK_ALLOW_HOSTS: SILENT_RECEIVER },
  });
  const { baseUrl, dataDir, credentials } = instance;
  const { tables, endpoints, outputs } = credentials;
  const { acme, globex } = demoTenants(credentials);
  const deployment = await deploymentOf(instance);
  const administration = await tenantAdministration(deployment);
  const [own, other] = await Promise.all([OWN, OTHER].map(administration.show));
  if (!own || !other) throw new Error('a demo tenant is missing');
  adminKey = acme.api_keys.admin;
  otherKey = globex.api_keys.admin;
  client = acme.oauth_client;
  tags = { own: own.tag, other: other.tag };
  markVerified = (id) => verifyEndpoint(deployment, own, id);
  for (const scope of scopeNames) keyWith.set(scope, await administration.issueKey(own, scope, [scope]));
  secondAdminKey = await administration.issueKey(own, 'second administrator', [...scopeNames]);
  service = {
    baseUrl,
    document: OpenApiDocument.parse((await call(baseUrl, '/openapi.json')).body),
    internals: [
      OTHER,
      dataDir,
      ...Object.values(tables),
      ...Object.values(endpoints).filter((url) => url !== null),
      ...Object.entries(outputs).flatMap(([name, value]) => (/^(?:Queue|Key)/.test(name) ? [value] : [])),
    ],
  };
  for (const key of [adminKey, adminKey, otherKey]) {
    await call(baseUrl, '/api/v1/invocations', { key, body: someEvent() });
  }
  await instance.runtime.idle();
  const mappings = '/api/v1/identity/mappings';
  await call(baseUrl, mappings, { ...goodRequest(createIdentityMapping, client), key: otherKey });
  await call(baseUrl, '/api/v1/budgets', { ...goodRequest(createBudget, client), key: otherKey });
  await call(baseUrl, '/api/v1/webhooks', { ...goodRequest(createWebhook, client), key: otherKey });
  for (const tenant of [own, other]) {
    await seedModels(deployment, tenant, 3);
    await seedExports(deployment, tenant, 3);
  }
  for (const key of [adminKey, adminKey, otherKey, otherKey]) {
    await call(baseUrl, '/v1/exports/schedules', { ...goodRequest(createExportSchedule, client), key });
  }
  await seedBills(baseUrl, adminKey);
  const hours = [1, 2, 3].map((index) => index * 60 * 60 * 1_000);
  await seedAnomalies(
    deployment,
    own,
    hours.map((hour) => anAnomaly(own.tag, hour)),
  );
  for (const path of [
    '/v1/attribution',
    '/api/v1/api-keys',
    '/api/v1/oauth-clients',
    mappings,
    '/api/v1/models',
    '/api/v1/budgets',
    '/api/v1/jobs',
    '/v1/exports/schedules',
    '/api/v1/webhooks',
    '/api/v1/users',
  ]) {
    const { data } = (await call(baseUrl, path, { key: otherKey })).body;
    const [resource] = Array.isArray(data) ? data : [];
    const id = idIn(resource);
    otherIds.set(id.slice(0, 3), id);
  }
});
afterAll(() => instance?.stop());

const missingId = (prefix: string): string => `${prefix}_${tags.own}${ABSENT_ULID}`;

/** A valid request with the changes of a test. Uses the admin key unless the route is public. */
const validRequest = (route: RouteShape, change: Request = {}): Request => {
  const sample = goodRequest(route, client);
  // A tenant has one user with an e-mail address.
  const request =
    'email' in Object(sample.body)
      ? { ...sample, body: { ...Object(sample.body), email: `${randomUUID()}@example.org` } }
      : sample;
  const key = route.access === 'public' ? {} : { key: adminKey };
  return { ...request, ...key, ...change, headers: { ...request.headers, ...change.headers } };
};

/** Operations that require a verified webhook endpoint. */
const requiresVerifiedEndpoint: ReadonlySet<string> = new Set(['testWebhook', 'replayToWebhook']);

/** The id of a resource for a route: a new one when the collection supports creation, otherwise the last listed. */
const existingId = async (route: RouteShape): Promise<string> => {
  const [collection = ''] = route.path.split('/{');
  const creation = routes.find(
    ({ method, path, replies }) => method === 'POST' && path === collection && 201 in replies,
  );
  const { body } =
    creation === undefined
      ? await call(service.baseUrl, collection, { key: adminKey })
      : await sendAndCheck(creation, validRequest(creation));
  const resource = Array.isArray(body['data']) ? body['data'].at(-1) : body;
  const id = idIn(resource);
  if (requiresVerifiedEndpoint.has(route.operation)) await markVerified(id);
  return id;
};

/** Sends a request and checks the response against the contract of the route. */
const sendAndCheck = async (
  route: RouteShape,
  request: Request,
  path = pathOf(route, missingId),
): Promise<Answer> => {
  const answer = await call(service.baseUrl, path, request);
  const isAuthenticated = request.key !== undefined && answer.status !== 401;
  expectConforming(route, answer, service, isAuthenticated ? OWN : undefined);
  return answer;
};

const expectError = async (route: RouteShape, code: ErrorCode, request: Request, path?: string) => {
  const answer = await sendAndCheck(route, request, path);
  expect(answer.body).toMatchObject({ status: problemTypes[code].status, error_code: code });
};

describe.each(routes.map((route) => [routeKey(route), route] as const))('%s', (_, route) => {
  const { access, body, ids = {} } = route;
  const hasIds = Object.keys(ids).length > 0;
  // A complete sign-in needs a client, a browser and a user: see test/e2e/oauth*.test.ts.
  const isSignIn = 302 in route.replies;

  it('returns a response that matches its schema for a valid request', async () => {
    const id = hasIds ? await existingId(route) : '';

    const answer = await sendAndCheck(
      route,
      validRequest(route),
      pathOf(route, () => id),
    );

    if (isSignIn) expect(answer.status).toBe(400);
    else expect(answer.status, answer.text).toBeLessThan(300);
  });

  if (access === 'public' || access === 'contract') {
    it('accepts a request without a credential', async () => {
      const { key: _none, ...request } = validRequest(route);

      const answer = await sendAndCheck(route, request);

      expect(answer.status).toBe(isSignIn ? 400 : 200);
    });
  } else {
    it('returns INVALID_CREDENTIALS without a credential', async () => {
      const { key: _none, ...request } = validRequest(route);

      await expectError(route, 'INVALID_CREDENTIALS', request);
    });
  }

  if (access !== 'public') {
    it('returns INVALID_CREDENTIALS for an unknown credential', async () => {
      await expectError(route, 'INVALID_CREDENTIALS', validRequest(route, { key: 'not-a-credential' }));
    });

    it.each(scopeNames)(
      'authorizes a key with only the scope %s according to the scopes of the route',
      async (held) => {
        const request = validRequest(route, { key: keyWith.get(held) ?? '' });
        // A new credential must not exceed the scopes of its creator.
        const grantable = {
          ...('scopes' in Object(request.body) && { scopes: [held] }),
          // A webhook endpoint also needs the scopes of its events. This event needs no additional scope.
          ...('events' in Object(request.body) && { events: ['webhook.disabled'] }),
          // Notification channels need further scopes.
          ...('notifications' in Object(request.body) && { notifications: {} }),
        };

        const answer = await sendAndCheck(route, {
          ...request,
          ...(body !== undefined &&
            typeof request.body === 'object' && { body: { ...request.body, ...grantable } }),
        });

        // A role has more than one scope, which its giver needs.
        const isEnough =
          !('role' in Object(request.body)) &&
          sufficientScopes(route).some((scopes) => scopes.every((scope) => scope === held));
        if (isEnough) expect([401, 403]).not.toContain(answer.status);
        else expect(answer.body).toMatchObject({ status: 403, error_code: 'INSUFFICIENT_SCOPE' });
      },
    );

    it.each([
      `tenant_id=${OTHER}`,
      `tenant_id=${OWN}&tenant_id=${OTHER}`,
      `tenant_id=${OTHER}&tenant_id=${OWN}`,
      'tenant_id=',
    ])('returns TENANT_MISMATCH for the query %s', async (query) => {
      await expectError(
        route,
        'TENANT_MISMATCH',
        validRequest(route),
        `${pathOf(route, missingId)}?${query}`,
      );
    });

    it.each(['X-Tenant-Id', 'Tenant-Id'])('returns TENANT_MISMATCH for the header %s', async (name) => {
      await expectError(route, 'TENANT_MISMATCH', validRequest(route, { headers: { [name]: OTHER } }));
    });
  }

  if (hasIds) {
    it('returns TENANT_MISMATCH for an id of another tenant, whether it exists or not', async () => {
      const missing = (prefix: string) => `${prefix}_${tags.other}${ABSENT_ULID}`;
      const existing = (prefix: string) => otherIds.get(prefix) ?? missing(prefix);

      for (const id of [missing, existing]) {
        await expectError(route, 'TENANT_MISMATCH', validRequest(route), pathOf(route, id));
      }
      // The rejected requests must not have changed the resource.
      const [collection = ''] = route.path.split('/{');
      const { text } = await call(service.baseUrl, `${collection}?limit=200`, { key: otherKey });
      expect([...otherIds.values()].filter((id) => text.includes(id))).not.toEqual([]);
    });

    it('returns NOT_FOUND for a missing id of the own tenant', async () => {
      await expectError(route, 'NOT_FOUND', validRequest(route));
    });

    it.each([
      'nothing',
      '_',
      `zzz_aaaaaaaa${ABSENT_ULID}`,
      'att_%00',
      'a%2F..%2Fb',
      `x_${'9'.repeat(4_000)}`,
    ])('returns NOT_FOUND for the malformed id %.16s', async (text) => {
      await expectError(
        route,
        'NOT_FOUND',
        validRequest(route),
        pathOf(route, () => text),
      );
    });
  }

  // Reports and sub-resources have too few rows here to paginate. Separate tests cover their pagination.
  const isPaginated = route.unit !== 'reports' && !hasIds;
  if (isPaginated && route.query !== undefined && 'cursor' in route.query.shape && access !== 'public') {
    const firstCursor = async (key: string): Promise<string> => {
      const { page } = (await sendAndCheck(route, validRequest(route, { key }), `${route.path}?limit=1`))
        .body;
      const { next_cursor: cursor } = Object(page);
      if (typeof cursor !== 'string') throw new Error('the fixture has only one page');
      return encodeURIComponent(cursor);
    };

    it.each([
      ['another tenant', 'TENANT_MISMATCH', () => otherKey],
      ['another key', 'INVALID_CURSOR', () => keyWith.get(scopeOf(route) ?? 'admin:config') ?? ''],
    ] as const)('rejects a cursor of %s with %s', async (_owner, code, key) => {
      const cursor = await firstCursor(adminKey);

      const answer = await call(service.baseUrl, `${route.path}?limit=1&cursor=${cursor}`, { key: key() });

      expect(answer.body).toMatchObject({ status: problemTypes[code].status, error_code: code });
    });

    it('returns INVALID_CURSOR when a character of the cursor is changed', async () => {
      const cursor = await firstCursor(adminKey);

      for (let index = 0; index < cursor.length; index += 11) {
        const changed =
          cursor.slice(0, index) + (cursor[index] === 'A' ? 'B' : 'A') + cursor.slice(index + 1);
        await expectError(
          route,
          'INVALID_CURSOR',
          validRequest(route),
          `${route.path}?limit=1&cursor=${changed}`,
        );
      }
    });
  }

  if (takesIdempotencyKey(route)) {
    it('replays the first response for a repeated request, with Idempotency-Replayed', async () => {
      const request = validRequest(route, { idempotencyKey: randomUUID() });

      const [first, again] = [await sendAndCheck(route, request), await sendAndCheck(route, request)];

      const { trace_id: one, ...original } = first.body;
      const { trace_id: other, ...repeated } = again.body;
      expect([again.status, repeated]).toEqual([first.status, original]);
      expect([replayed(first), replayed(again)]).toEqual([null, 'true']);
      if (first.status >= 400) expect(other).not.toBe(one);
    });

    it('replays the response without its secret to another API key of the tenant, and not to another tenant', async () => {
      const idempotencyKey = randomUUID();
      const request = validRequest(route, { idempotencyKey });
      const first = await sendAndCheck(route, request);
      const replay = await sendAndCheck(route, {
        ...request,
        key: secondAdminKey,
        ...(body !== undefined && { headers: { 'content-type': 'application/json; charset=utf-8' } }),
      });
      const otherTenant = await call(
        service.baseUrl,
        pathOf(route, (prefix) => `${prefix}_${tags.other}${ABSENT_ULID}`),
        validRequest(route, { idempotencyKey, key: otherKey }),
      );

      const secret = route.replies[first.status]?.secret;
      const { trace_id: _first, ...original } = first.body;
      const { trace_id: _replay, withheld, ...repeated } = replay.body;
      expect([replay.status, replayed(replay)]).toEqual([first.status, 'true']);
      expect(repeated).toEqual(secret === undefined ? original : { ...original, [secret]: null });
      expect(withheld !== undefined).toBe(secret !== undefined);
      expect(replayed(otherTenant)).toBeNull();
      expect(otherTenant.body['error_code']).not.toBe('IDEMPOTENCY_CONFLICT');
    });

    it.each([
      ['a missing', null],
      ['an empty', ''],
      ['an empty quoted', '""'],
      ['a 256-character', 'k'.repeat(256)],
      ['a space-separated', 'two words'],
      ['a non-ASCII', 'clé'],
    ])('returns IDEMPOTENCY_KEY_REQUIRED for %s Idempotency-Key', async (_name, idempotencyKey) => {
      await expectError(route, 'IDEMPOTENCY_KEY_REQUIRED', validRequest(route, { idempotencyKey }));
    });
  }

  if (body !== undefined) {
    it.each(['text/plain', 'application/xml', 'application/json; charset=utf-16', 'multipart/form-data'])(
      'returns UNSUPPORTED_MEDIA_TYPE for %s',
      async (type) => {
        await expectError(
          route,
          'UNSUPPORTED_MEDIA_TYPE',
          validRequest(route, { headers: { 'content-type': type } }),
        );
      },
    );

    it('returns PAYLOAD_TOO_LARGE for a body one byte above the limit', async () => {
      await expectError(
        route,
        'PAYLOAD_TOO_LARGE',
        validRequest(route, { body: ' '.repeat(body.maxBytes + 1) }),
      );
    });
  }

  if (body?.kind === 'json') {
    it('returns TENANT_MISMATCH for a tenant_id in the body', async () => {
      const request = validRequest(route);

      await expectError(route, 'TENANT_MISMATCH', {
        ...request,
        body: Object.assign({}, request.body, { tenant_id: OTHER }),
      });
    });

    const malformed = ['{', 'null,', '{"a":1,"a":2}', '{"__proto__":{}}', '[NaN]'];
    it.each(body.optional ? malformed : ['', ...malformed])(
      'returns INVALID_REQUEST for the malformed body %s',
      async (text) => {
        await expectError(route, 'INVALID_REQUEST', validRequest(route, { body: text }));
      },
    );
  }
});

/** Whether a route matches a path. A path parameter of the route matches any segment. */
const matchesPath = (route: RouteShape, path: string): boolean =>
  new RegExp(`^${route.path.replaceAll(/\{[^}]+\}/g, '[^/]+')}$`).test(path);

describe.each([...Map.groupBy(routes, ({ path }) => path)])('%s', (requestPath, pathRoutes) => {
  const methods: string[] = routes
    .filter((route) => matchesPath(route, requestPath))
    .flatMap(({ method }): string[] => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
    .sort();
  const others = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'].filter(
    (name) => !methods.includes(name),
  );

  it.each(others)('returns 405 with an Allow header for %s', async (method) => {
    const [path = ''] = pathRoutes.map((route) => pathOf(route, missingId));

    const answer = await call(service.baseUrl, path, { method, key: adminKey });

    expect(expectProblem(answer, service, OWN).error_code).toBe('METHOD_NOT_ALLOWED');
    expect(answer.headers.get('allow')?.split(', ').sort()).toEqual(methods);
    expect(answer.headers.get('ratelimit-remaining')).toMatch(/^\d+$/);
    const anonymous = await call(service.baseUrl, path, { method, key: 'ask_wrong' });
    expect(expectProblem(anonymous, service).error_code).toBe('METHOD_NOT_ALLOWED');
    expect(anonymous.headers.get('ratelimit-remaining')).toBeNull();
  });

  if (methods.includes('GET')) {
    it('answers HEAD as GET, without a body', async () => {
      const [path = ''] = pathRoutes.map((route) => pathOf(route, missingId));
      const isPublic = pathRoutes.some(({ access }) => access === 'public');
      const credential = isPublic ? {} : { key: adminKey };

      const [get, head] = [
        await call(service.baseUrl, path, credential),
        await call(service.baseUrl, path, { ...credential, method: 'HEAD' }),
      ];

      const namesOf = ({ headers }: Answer) =>
        [...headers.keys()].filter((name) => name !== 'keep-alive').sort();
      expect([head.status, head.text]).toEqual([get.status, '']);
      expect(namesOf(head)).toEqual(namesOf(get));
      expect(head.headers.get('content-type')).toBe(get.headers.get('content-type'));
    });
  }
});

it.each([
  '/',
  '/v1',
  '/v1/attribution/',
  '/v2/attribution',
  '/api/v1/invocations/batch/more',
  '/V1/ATTRIBUTION',
])('returns NOT_FOUND for the path %s', async (path) => {
  const answer = await call(service.baseUrl, path, { key: adminKey });

  expect(expectProblem(answer, service, OWN).error_code).toBe('NOT_FOUND');
  expect(answer.headers.get('ratelimit-remaining')).toMatch(/^\d+$/);
});

it('lists the error catalogue, and serves the page of each error without a credential', async () => {
  const listed = await call(service.baseUrl, '/errors');

  expect(listed.body).toEqual({
    version: CATALOGUE_VERSION,
    errors: errorCodes.map((code) => ({
      error_code: code,
      ...problemTypes[code],
      type: `${service.baseUrl}/errors/${problemSlug(code)}`,
    })),
  });
  for (const code of errorCodes) {
    const page = await call(service.baseUrl, `/errors/${problemSlug(code)}`);
    expect(page.body).toEqual({ error_code: code, ...problemTypes[code] });
  }
});
