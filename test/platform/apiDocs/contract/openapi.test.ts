import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { openapiText } from '../../../../functions/platform/apiDocs/contract/openapiText.ts';
import { scopes } from '../../../../schemas/identity/scopes.ts';
import { problemTypes } from '../../../../schemas/problems.ts';
import { routes } from '../../../../schemas/routes/index.ts';
import {
  mayRequireStepUp,
  type RouteShape,
  routeKey,
  sufficientScopes,
  takesIdempotencyKey,
} from '../../../../schemas/routes/route.ts';
import { expectNoFaults, unequal } from '../../../support/faults.ts';
import { OpenApiDocument, type Operation, operationIn } from './openapiDocument.ts';
import { sampleOf } from './sample.ts';

const BASE_URL = 'https://api.example.com';
const text = openapiText(routes, BASE_URL, Date.now());
const document = OpenApiDocument.parse(JSON.parse(text));

const operationOf = (route: RouteShape): Operation => {
  const operation = operationIn(document, route);
  if (operation === undefined) throw new Error(`${routeKey(route)} is not in the document`);
  return operation;
};

/** All statuses of a route, including those of the middlewares. */
const statusesOf = (route: RouteShape): string[] => {
  const { access, body, faultCode, ids, rate, replies } = route;
  const authenticated = access !== 'public';
  const form = body?.kind === 'form';
  const isForwarded = body?.kind === 'otlp' || body?.kind === 'log';
  const refusals: readonly (readonly [boolean, number[]])[] = [
    [true, [400, 431, 503]],
    [faultCode === undefined, [500]],
    [isForwarded, [413, 415]],
    [authenticated, [401, 403, 409]],
    [form, [401, 413, 415]],
    [authenticated || form || rate === 'source', [429]],
    [takesIdempotencyKey(route), [422]],
    [body?.kind === 'json', [413, 415, 422]],
    [ids !== undefined || route.path.includes('{'), [404]],
  ];
  const own = (route.refuses ?? []).map((code) => problemTypes[code].status);
  const statuses = [...refusals.flatMap(([applies, some]) => (applies ? some : [])), ...own];
  return [...new Set([...Object.keys(replies), ...statuses.map(String)])].sort();
};

/** Every object in the document with its JSON Pointer. */
const objectsOf = (value: unknown, at = '#'): [string, Record<string, unknown>][] => {
  if (typeof value !== 'object' || value === null) return [];
  const inside = Object.entries(value).flatMap(([name, member]) =>
    objectsOf(member, `${at}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`),
  );
  return Array.isArray(value) ? inside : [[at, z.record(z.string(), z.unknown()).parse(value)], ...inside];
};
const schemaObjects = () => objectsOf(document).filter(([at]) => /\/(schema|schemas)\//.test(`${at}/`));

describe('the OpenAPI document', () => {
  it('is built from the routes deterministically, with the address of the service', () => {
    expect(openapiText(routes, BASE_URL, Date.now())).toBe(text);
    expect(openapiText(routes, 'https://a.example', Date.now())).toBe(
      text.replaceAll(BASE_URL, 'https://a.example'),
    );
  });

  it('contains exactly the routes, each with its own operation id', () => {
    const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => [
        `${method.toUpperCase()} ${path}`,
        operation?.operationId,
      ]),
    );

    expect(Object.fromEntries(operations)).toEqual(
      Object.fromEntries(routes.map((route) => [routeKey(route), route.operation])),
    );
    expect(new Set(routes.map(({ operation }) => operation)).size).toBe(routes.length);
  });

  it('is smaller than 4.25 kB for each operation, and 0.7 kB compressed', () => {
    expect(Buffer.byteLength(text) / routes.length).toBeLessThan(4_250);
    expect(gzipSync(text).byteLength / routes.length).toBeLessThan(700);
  });

  it('has beside a reference only what differs from the component', () => {
    const siblings = schemaObjects().flatMap(([, schema]) => ('$ref' in schema ? Object.keys(schema) : []));

    expect(
      siblings.filter((name) => !['$ref', 'description', 'example', 'default', 'pattern'].includes(name)),
    ).toEqual([]);
  });

  it('reads every resource that it changes, and pages every collection', () => {
    const paths = Object.entries(document.paths);
    const unread = paths.filter(
      ([, item]) => (item.patch ?? item.put) !== undefined && item.get === undefined,
    );
    const unpaged = routes.filter((route) => {
      const body: unknown =
        'body' in (route.replies[200] ?? {}) ? Object(route.replies[200]).body : undefined;
      const members = body instanceof z.ZodObject ? Object.keys(body.shape) : [];
      const parameters = Object.keys(route.query?.shape ?? {});
      return members.includes('data') && !(members.includes('page') && parameters.includes('cursor'));
    });

    // Marks, which the anomaly, the connector and the list of notifications show.
    expect(unread.map(([path]) => path)).toEqual([
      '/api/v1/anomalies/{id}/mute',
      '/api/partner/v1/connector/health',
      '/api/v1/notifications/read',
    ]);
    // One answer has all services: those beyond the most expensive are one row.
    expect(unpaged.map(routeKey)).toEqual(['GET /v1/reports/unowned']);
  });

  it('has a tag for each operation, and declares and describes all tags', () => {
    const used = Object.values(document.paths).flatMap((methods) =>
      Object.values(methods).flatMap((operation) => operation?.tags ?? []),
    );

    expect(used).toHaveLength(routes.length);
    expect([...new Set(used), 'Webhook events']).toEqual(document.tags.map(({ name }) => name));
  });

  it('closes no schema that it refers to, which would match nothing', () => {
    const closed = schemaObjects().filter(
      ([, schema]) => '$ref' in schema && 'additionalProperties' in schema,
    );

    expect(closed.map(([at]) => at)).toEqual([]);
  });

  it('has patterns that need no flag and no lookaround, which Python and Go refuse', () => {
    const patterns = schemaObjects().flatMap(([, { pattern }]) =>
      typeof pattern === 'string' ? [pattern] : [],
    );

    expect(patterns.length).toBeGreaterThan(10);
    expect(patterns.filter((pattern) => /\\[pPk]|\(\?[=!<]/.test(pattern))).toEqual([]);
  });

  it('has integers as integers in queries', () => {
    const parameters = routes.flatMap((route) => operationOf(route).parameters ?? []);
    const numeric = parameters.filter(({ name }) => ['limit', 'top', 'response_status'].includes(name));

    expect(new Set(numeric.map(({ schema }) => Object(schema)['type']))).toEqual(new Set(['integer']));
  });

  it('contains the server URL', () => {
    expect(document.servers).toEqual([{ url: BASE_URL }]);
  });

  it('has no unresolved reference and no unused component', () => {
    const objects = objectsOf(document);
    const refs = objects.flatMap(([, { $ref }]) => (typeof $ref === 'string' ? [$ref] : []));
    const pointers = new Set(objects.map(([at]) => at));

    expect(refs.filter((ref) => !pointers.has(ref))).toEqual([]);
    expect(
      Object.keys(document.components.schemas).filter(
        (name) => !refs.includes(`#/components/schemas/${name}`),
      ),
    ).toEqual([]);
  });

  it('has satisfiable schemas', () => {
    const faults = schemaObjects().flatMap(([at, schema]) => {
      const { properties = {}, required, enum: values, pattern } = schema;
      const known = Object.keys(Object(properties));
      const missing = Array.isArray(required) ? required.filter((name) => !known.includes(String(name))) : [];
      if (typeof pattern === 'string') new RegExp(pattern, 'u');
      return missing.length > 0 || (Array.isArray(values) && values.length === 0) ? [at] : [];
    });

    expect(faults).toEqual([]);
  });

  it('contains the scopes and the token endpoints', () => {
    const tokenUrl = `${BASE_URL}/v1/oauth/token`;
    const authorizationUrl = `${BASE_URL}/v1/oauth/authorize`;

    expect(document.components.securitySchemes).toEqual({
      apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
      oauth2: {
        type: 'oauth2',
        flows: {
          clientCredentials: { tokenUrl, scopes },
          authorizationCode: { authorizationUrl, tokenUrl, refreshUrl: tokenUrl, scopes },
        },
      },
    });
  });
});

const expectDocumented = (rule: (route: RouteShape, operation: Operation) => readonly string[]) =>
  expectNoFaults(routes, routeKey, (route) => rule(route, operationOf(route)));

const MEDIA_TYPES = {
  json: 'application/json',
  form: 'application/x-www-form-urlencoded',
  otlp: 'application/x-protobuf',
  log: 'application/json',
};

/** The content of a refusal of a route. */
const refusalContent = (route: RouteShape, status: string): unknown => {
  const isOAuth = route.body?.kind === 'form' && status !== '431';
  const isOtlp = route.body?.kind === 'otlp' && status !== '431';
  const schemaOf = (name: string) => ({ schema: { $ref: `#/components/schemas/${name}` } });
  const problem = schemaOf(isOAuth ? 'OAuthProblem' : 'Problem');
  const isOfGateway = ['400', '413', '429', '431', '500', '503'].includes(status);
  if (isOtlp) {
    return {
      'application/json': schemaOf('OtlpProblem'),
      'application/x-protobuf': { schema: { type: 'string', format: 'binary' } },
    };
  }
  return {
    'application/problem+json': problem,
    ...(isOAuth && status !== '401' && { 'application/json': problem }),
    ...(!isOAuth && isOfGateway && { 'application/json': schemaOf('GatewayError') }),
  };
};

/** Headers that a refusal lacks, or has although they are not known then. */
const refusalHeaderFaults = (route: RouteShape, status: string, headers: readonly string[]): string[] => {
  const needed = ['X-Trace-Id', ...(status === '429' || status === '503' ? ['Retry-After'] : [])];
  // A 401 comes before the caller is known, except for a missing step-up.
  const isUnknownCaller = status === '401' && !mayRequireStepUp(route);
  return [
    ...needed.filter((name) => !headers.includes(name)).map((name) => `${status} lacks ${name}`),
    ...headers
      .filter((name) => isUnknownCaller && name.startsWith('RateLimit'))
      .map((name) => `${status} has ${name}`),
  ];
};

describe('the OpenAPI document of the routes', () => {
  it('lists exactly the parameters of each route, required unless they are in the query', async () => {
    await expectDocumented((route, { parameters = [] }) => {
      const named = (where: string) => parameters.filter((one) => one.in === where).map(({ name }) => name);
      const inPath = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      const different = new Set(parameters.map((one) => `${one.in} ${one.name}`));
      return [
        ...unequal('path parameters', named('path'), inPath),
        ...unequal('headers', named('header'), takesIdempotencyKey(route) ? ['Idempotency-Key'] : []),
        ...unequal('query', named('query').sort(), Object.keys(route.query?.shape ?? {}).sort()),
        ...unequal('different parameters', different.size, parameters.length),
        ...parameters.flatMap((one) =>
          unequal(`${one.name} required`, one.required ?? false, one.in !== 'query'),
        ),
      ];
    });
  });

  it('lists the security requirements of each route', async () => {
    await expectDocumented((route, { security }) =>
      unequal(
        'security',
        security,
        route.access === 'public'
          ? []
          : [{ apiKey: [] }, ...sufficientScopes(route).map((oauth2) => ({ oauth2 }))],
      ),
    );
  });

  it('lists the request body of each route with its media types', async () => {
    await expectDocumented(({ body }, { requestBody }) => [
      ...unequal('body required', requestBody?.required, body && body.optional !== true),
      ...unequal(
        'media types',
        Object.keys(requestBody?.content ?? {}),
        body === undefined ? [] : [MEDIA_TYPES[body.kind], ...(body.mediaTypes ?? [])],
      ),
    ]);
  });

  it('lists all responses of each route, with problems for errors and the errors of the gateway', async () => {
    await expectDocumented((route, { responses }) => {
      const declared = Object.keys(route.replies);
      const refusals = Object.entries(responses).filter(([status]) => !declared.includes(status));
      return [
        ...unequal('statuses', Object.keys(responses).sort(), statusesOf(route)),
        ...refusals.flatMap(([status, { content, headers }]) => [
          ...(Number(status) < 400 ? [`${status} is not declared`] : []),
          ...unequal(`content of ${status}`, content, refusalContent(route, status)),
          ...refusalHeaderFaults(route, status, Object.keys(headers ?? {})),
        ]),
        ...declared.flatMap((status) =>
          unequal(
            `${status} with content`,
            responses[status]?.content !== undefined,
            route.replies[Number(status)]?.body !== undefined,
          ),
        ),
      ];
    });
  });

  it('lists every collection in pages, with a cursor and a limit', async () => {
    const membersOf = (schema: z.ZodType | undefined) =>
      schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
    // The catalogue of errors is a document of this version.
    const lists = routes.filter(({ operation }) => /^list/.test(operation) && operation !== 'listErrors');
    await expectNoFaults(lists, routeKey, ({ query, replies }) => {
      const has = [...membersOf(query), ...membersOf(replies[200]?.body)];
      return ['cursor', 'limit', 'data', 'page'].filter((name) => !has.includes(name));
    });
    await expectNoFaults(routes, routeKey, ({ replies }) => {
      const has = membersOf(replies[200]?.body);
      return has.includes('data') && !has.includes('page') ? ['page'] : [];
    });
  });

  it('shows only examples that match the schemas of their route', async () => {
    await expectNoFaults(routes, routeKey, ({ query, body, replies }) => {
      const wrong: string[] = [];
      const schemas = [query, body?.schema, ...Object.values(replies).map((one) => one.body)];
      for (const schema of schemas.filter((one) => one !== undefined)) {
        z.toJSONSchema(schema, {
          io: 'input',
          unrepresentable: 'any',
          override: ({ zodSchema, jsonSchema: { example } }) => {
            if (example !== undefined && !z.safeParse(zodSchema, example).success)
              wrong.push(`the example ${JSON.stringify(example)} does not match`);
          },
        });
      }
      return wrong;
    });
  });

  it('describes each route in more than a word', async () => {
    await expectDocumented((_, { description = '' }) =>
      /^\S.{20}/.test(description) ? [] : [`description ${JSON.stringify(description)}`],
    );
  });

  it('shows an example of each body, and defines it completely enough to generate a valid one', async () => {
    await expectNoFaults(routes, routeKey, ({ body }) => {
      if (body === undefined) return [];
      const { error } = body.schema.safeParse(sampleOf(body.schema));
      return [
        ...(body.schema.meta()?.['example'] === undefined ? ['the body has no example'] : []),
        ...(error === undefined ? [] : [`the generated body is invalid: ${error.message}`]),
      ];
    });
  });
});
