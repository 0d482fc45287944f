import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Scope, scopeNames } from '../schemas/access/scopes.ts';
import { type ErrorCode, errorCodes, problemSlug, problemTypes } from '../schemas/problems.ts';
import { createBudget } from '../schemas/routes/budgets.ts';
import { createExportSchedule } from '../schemas/routes/exports.ts';
import { createIdentityMapping } from '../schemas/routes/identity.ts';
import { routes } from '../schemas/routes/index.ts';
import { type RouteShape, routeKey, scopeOf, takesIdempotencyKey } from '../schemas/routes/route.ts';
import { createWebhook } from '../schemas/routes/webhooks.ts';
import { findDeployment } from '../tools/operator/deployment.ts';
import { tenantAdministration } from '../tools/operator/tenants.ts';
import { expectConforming, expectProblem, type Service } from './contract/expectConforming.ts';
import { OpenApiDocument } from './contract/openapiDocument.ts';
import { ABSENT_ULID, goodRequest, pathOf } from './contract/requests.ts';
import { anAnomaly, seedAnomalies } from './support/anomalies.ts';
import { type Answer, call, type Request, someEvent } from './support/client.ts';
import { seedExports } from './support/exports.ts';
import { type Instance, startInstance } from './support/instance.ts';
import { seedModels } from './support/models.ts';
import { SILENT_RECEIVER, verifyEndpoint } from './support/webhooks.ts';

const OWN = 'acme';
const OTHER = 'globex';

let instance: Instance;
/** What a resource is addressed by. */
const idIn = (found: Readonly<Record<string, unknown>> | undefined): string =>
  String(found?.['id'] ?? found?.['client_id'] ?? found?.['version'] ?? found?.['job_id']);

let service: Service;
let tags: { own: string; other: string };
const keyWith = new Map<Scope, string>();
/** A key with every scope; and one of another tenant. */
let ableKey: string;
let otherKey: string;
/** By prefix, ids of what the other tenant has. */
const otherIds = new Map<string, string>();
let client: { client_id: string; client_secret: string };
/** Proves an own webhook endpoint. */
let prove: (id: string) => Promise<void>;

beforeAll(async () => {
  // Buckets this large never refuse: these tests are about everything else.
  instance = await startInstance({
    environment: { RATE_LIMIT_SCALE: '1000', WEBHOOK_ALLOW_HOSTS: SILENT_RECEIVER },
  });
  const { baseUrl, dataDir, credentials } = instance;
  const { tables, endpoints, outputs, tenants } = credentials;
  const deployment = await findDeployment({ stack: undefined, dataDir });
  const administration = await tenantAdministration(deployment);
  const [own, other] = await Promise.all([OWN, OTHER].map(administration.show));
  if (!tenants[0] || !tenants[1] || !own || !other) throw new Error('no demo tenants');
  ableKey = tenants[0].api_keys.admin;
  otherKey = tenants[1].api_keys.admin;
  client = tenants[0].oauth_client;
  tags = { own: own.tag, other: other.tag };
  prove = (id) => verifyEndpoint(deployment, own, id);
  for (const scope of scopeNames) keyWith.set(scope, await administration.issueKey(own, scope, [scope]));
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
  for (const key of [ableKey, ableKey, otherKey]) {
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
  for (const key of [ableKey, ableKey, otherKey, otherKey]) {
    await call(baseUrl, '/v1/exports/schedules', { ...goodRequest(createExportSchedule, client), key });
  }
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
  ]) {
    const { data } = (await call(baseUrl, path, { key: otherKey })).body;
    const [found] = Array.isArray(data) ? data : [];
    const id = idIn(found);
    otherIds.set(id.slice(0, 3), id);
  }
});
afterAll(() => instance?.stop());

const ownAbsent = (prefix: string): string => `${prefix}_${tags.own}${ABSENT_ULID}`;

/** A good request with the able key where the route wants one, and what a test changes of it. */
const good = (route: RouteShape, change: Request = {}): Request => {
  const request = goodRequest(route, client);
  const key = route.access === 'public' ? {} : { key: ableKey };
  return { ...request, ...key, ...change, headers: { ...request.headers, ...change.headers } };
};

/** Operations that only an endpoint whose ownership is proven is there for. */
const sendsEvents: ReadonlySet<string> = new Set(['testWebhook', 'replayToWebhook']);

/** The id of something a route can be called for: newly made where its collection makes any, else the last listed: no test here has touched it. */
const existingId = async (route: RouteShape): Promise<string> => {
  const [collection = ''] = route.path.split('/{');
  const creation = routes.find(
    ({ method, path, replies }) => method === 'POST' && path === collection && 201 in replies,
  );
  const { body } =
    creation === undefined
      ? await call(service.baseUrl, collection, { key: ableKey })
      : await visit(creation, good(creation));
  const found = Array.isArray(body['data']) ? body['data'].at(-1) : body;
  const id = idIn(found);
  if (sendsEvents.has(route.operation)) await prove(id);
  return id;
};

/** Sends a request and checks what holds for every answer of the route. */
const visit = async (
  route: RouteShape,
  request: Request,
  path = pathOf(route, ownAbsent),
): Promise<Answer> => {
  const answer = await call(service.baseUrl, path, request);
  const known = request.key !== undefined && answer.status !== 401;
  expectConforming(route, answer, service, known ? OWN : undefined);
  return answer;
};

const expectRefusal = async (route: RouteShape, code: ErrorCode, request: Request, path?: string) => {
  const answer = await visit(route, request, path);
  expect(answer.body).toMatchObject({ status: problemTypes[code].status, error_code: code });
};

describe.each(routes.map((route) => [routeKey(route), route] as const))('%s', (_, route) => {
  const { access, body, ids = {} } = route;
  const hasIds = Object.keys(ids).length > 0;
  // A sign-in needs a client, a browser and a person: test/e2e/oauth-*.test.ts walk these.
  const isSignIn = 302 in route.replies;

  it('answers a good request as its schemas say', async () => {
    const id = hasIds ? await existingId(route) : '';

    const answer = await visit(
      route,
      good(route),
      pathOf(route, () => id),
    );

    if (isSignIn) expect(answer.status).toBe(400);
    else expect(answer.status, answer.text).toBeLessThan(300);
  });

  if (access === 'public' || access === 'contract') {
    it('is open to everyone', async () => {
      const { key: _none, ...request } = good(route);

      const answer = await visit(route, request);

      expect(answer.status).toBe(isSignIn ? 400 : 200);
    });
  } else {
    it('refuses a caller without a credential', async () => {
      const { key: _none, ...request } = good(route);

      await expectRefusal(route, 'INVALID_CREDENTIALS', request);
    });
  }

  if (access !== 'public') {
    it('refuses a credential that is none', async () => {
      await expectRefusal(route, 'INVALID_CREDENTIALS', good(route, { key: 'not-a-credential' }));
    });

    it.each(scopeNames)('judges a key by its scope %s alone', async (held) => {
      const scope = scopeOf(route);

      const request = good(route, { key: keyWith.get(held) ?? '' });
      // Whoever makes a credential may only hand on what they have.
      const handsOn = {
        ...('scopes' in Object(request.body) && { scopes: [held] }),
        // An endpoint needs the scopes of its events too; these need none but the route's own.
        ...('events' in Object(request.body) && { events: ['webhook.disabled'] }),
      };

      const answer = await visit(route, {
        ...request,
        ...(body !== undefined &&
          typeof request.body === 'object' && { body: { ...request.body, ...handsOn } }),
      });

      if (scope === undefined || scope === held) expect([401, 403]).not.toContain(answer.status);
      else expect(answer.body).toMatchObject({ status: 403, error_code: 'INSUFFICIENT_SCOPE' });
    });

    it.each([
      `tenant_id=${OTHER}`,
      `tenant_id=${OWN}&tenant_id=${OTHER}`,
      `tenant_id=${OTHER}&tenant_id=${OWN}`,
      'tenant_id=',
    ])('takes no tenant from the query %s', async (query) => {
      await expectRefusal(route, 'TENANT_MISMATCH', good(route), `${pathOf(route, ownAbsent)}?${query}`);
    });

    it.each(['X-Tenant-Id', 'Tenant-Id'])('takes no tenant from the header %s', async (name) => {
      await expectRefusal(route, 'TENANT_MISMATCH', good(route, { headers: { [name]: OTHER } }));
    });
  }

  if (hasIds) {
    it("refuses another tenant's id without telling whether it exists", async () => {
      const absent = (prefix: string) => `${prefix}_${tags.other}${ABSENT_ULID}`;
      const existing = (prefix: string) => otherIds.get(prefix) ?? absent(prefix);

      for (const id of [absent, existing]) {
        await expectRefusal(route, 'TENANT_MISMATCH', good(route), pathOf(route, id));
      }
      // Whatever was tried, it is still there.
      const [collection = ''] = route.path.split('/{');
      const { text } = await call(service.baseUrl, `${collection}?limit=200`, { key: otherKey });
      expect([...otherIds.values()].filter((id) => text.includes(id))).not.toEqual([]);
    });

    it('does not find an id of its own tenant that is not there', async () => {
      await expectRefusal(route, 'NOT_FOUND', good(route));
    });

    it.each([
      'nothing',
      '_',
      `zzz_aaaaaaaa${ABSENT_ULID}`,
      'att_%00',
      'a%2F..%2Fb',
      `x_${'9'.repeat(4_000)}`,
    ])('does not find what is no id: %.16s', async (text) => {
      await expectRefusal(
        route,
        'NOT_FOUND',
        good(route),
        pathOf(route, () => text),
      );
    });
  }

  // A report of so few calls is one row, as is what one resource has: tests of their own walk longer ones.
  const isLong = route.unit !== 'reports' && !hasIds;
  if (isLong && route.query !== undefined && 'cursor' in route.query.shape && access !== 'public') {
    const cursorBy = async (key: string): Promise<string> => {
      const { page } = (await visit(route, good(route, { key }), `${route.path}?limit=1`)).body;
      return encodeURIComponent(String(Object(page).next_cursor));
    };

    it.each([
      ['another tenant', 'TENANT_MISMATCH', () => otherKey],
      ['another key', 'INVALID_CURSOR', () => keyWith.get(scopeOf(route) ?? 'admin:config') ?? ''],
    ] as const)('refuses a cursor of %s', async (_whose, code, key) => {
      const cursor = await cursorBy(ableKey);

      const answer = await call(service.baseUrl, `${route.path}?limit=1&cursor=${cursor}`, { key: key() });

      expect(answer.body).toMatchObject({ status: problemTypes[code].status, error_code: code });
    });

    it('refuses a cursor with any one character changed', async () => {
      const cursor = await cursorBy(ableKey);

      for (let index = 0; index < cursor.length; index += 11) {
        const changed =
          cursor.slice(0, index) + (cursor[index] === 'A' ? 'B' : 'A') + cursor.slice(index + 1);
        await expectRefusal(route, 'INVALID_CURSOR', good(route), `${route.path}?limit=1&cursor=${changed}`);
      }
    });
  }

  if (takesIdempotencyKey(route)) {
    const replayed = ({ headers }: Answer) => headers.get('idempotency-replayed');

    it('answers a repeated call as the first, and says that it is a repetition', async () => {
      const request = good(route, { idempotencyKey: randomUUID() });

      const [first, again] = [await visit(route, request), await visit(route, request)];

      const { trace_id: one, ...told } = first.body;
      const { trace_id: other, ...repeated } = again.body;
      expect([again.status, repeated]).toEqual([first.status, told]);
      expect([replayed(first), replayed(again)]).toEqual([null, 'true']);
      if (first.status >= 400) expect(other).not.toBe(one);
    });

    it('refuses a used Idempotency-Key to another key of the tenant, and not to another tenant', async () => {
      const idempotencyKey = randomUUID();
      await visit(route, good(route, { idempotencyKey }));
      const colleague = keyWith.get(scopeOf(route) ?? 'admin:config') ?? '';

      const conflict = await visit(route, good(route, { idempotencyKey, key: colleague }));
      const elsewhere = await call(
        service.baseUrl,
        pathOf(route, (prefix) => `${prefix}_${tags.other}${ABSENT_ULID}`),
        good(route, { idempotencyKey, key: otherKey }),
      );

      expect(conflict.body).toMatchObject({ status: 422, error_code: 'IDEMPOTENCY_CONFLICT' });
      expect(replayed(elsewhere)).toBeNull();
      expect(elsewhere.body['error_code']).not.toBe('IDEMPOTENCY_CONFLICT');
    });

    it.each([
      ['a missing', null],
      ['an empty', ''],
      ['an empty quoted', '""'],
      ['a 256-character', 'k'.repeat(256)],
      ['a spaced', 'two words'],
      ['a non-ASCII', 'clé'],
    ])('refuses %s Idempotency-Key', async (_name, idempotencyKey) => {
      await expectRefusal(route, 'IDEMPOTENCY_KEY_REQUIRED', good(route, { idempotencyKey }));
    });
  }

  if (body !== undefined) {
    it.each(['text/plain', 'application/xml', 'application/json; charset=utf-16', 'multipart/form-data'])(
      'refuses the media type %s',
      async (type) => {
        await expectRefusal(
          route,
          'UNSUPPORTED_MEDIA_TYPE',
          good(route, { headers: { 'content-type': type } }),
        );
      },
    );

    it('refuses a body one byte too large', async () => {
      await expectRefusal(route, 'PAYLOAD_TOO_LARGE', good(route, { body: ' '.repeat(body.maxBytes + 1) }));
    });
  }

  if (body?.kind === 'json') {
    it('takes no tenant from the body', async () => {
      const request = good(route);

      await expectRefusal(route, 'TENANT_MISMATCH', {
        ...request,
        body: Object.assign({}, request.body, { tenant_id: OTHER }),
      });
    });

    const malformed = ['{', 'null,', '{"a":1,"a":2}', '{"__proto__":{}}', '[NaN]'];
    it.each(body.optional ? malformed : ['', ...malformed])('refuses the malformed body %s', async (text) => {
      await expectRefusal(route, 'INVALID_REQUEST', good(route, { body: text }));
    });
  }
});

/** Whether a route answers what is sent to a path: its own, or one that its parameter takes in. */
const answers = (route: RouteShape, path: string): boolean =>
  new RegExp(`^${route.path.replaceAll(/\{[^}]+\}/g, '[^/]+')}$`).test(path);

describe.each([...Map.groupBy(routes, ({ path }) => path)])('%s', (sentTo, offered) => {
  const methods: string[] = routes
    .filter((route) => answers(route, sentTo))
    .map(({ method }) => method)
    .sort();
  const others = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'].filter(
    (name) => !methods.includes(name),
  );

  it.each(others)('does not offer %s, and says what it offers', async (method) => {
    const [path = ''] = offered.map((route) => pathOf(route, ownAbsent));

    const answer = await call(service.baseUrl, path, { method, key: ableKey });

    expect(expectProblem(answer, service).error_code).toBe('METHOD_NOT_ALLOWED');
    expect(answer.headers.get('allow')?.split(', ').sort()).toEqual(methods);
  });
});

it.each([
  '/',
  '/v1',
  '/v1/attribution/',
  '/v2/attribution',
  '/api/v1/invocations/batch/more',
  '/V1/ATTRIBUTION',
])('does not find the route %s', async (path) => {
  const answer = await call(service.baseUrl, path, { key: ableKey });

  expect(expectProblem(answer, service).error_code).toBe('NOT_FOUND');
});

it.each(errorCodes)('serves the page that problems of type %s link to', async (code) => {
  const answer = await call(service.baseUrl, `/errors/${problemSlug(code)}`);

  expect(answer.body).toEqual({ error_code: code, ...problemTypes[code] });
});
