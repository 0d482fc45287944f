import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { openapiText } from '../../../../functions/platform/apiDocs/contract/openapiText.ts';
import { scopes } from '../../../../schemas/access/scopes.ts';
import { problemTypes } from '../../../../schemas/problems.ts';
import { routes } from '../../../../schemas/routes/index.ts';
import {
  mayRequireStepUp,
  type RouteShape,
  routeKey,
  sufficientScopes,
  takesIdempotencyKey,
} from '../../../../schemas/routes/route.ts';
import { call } from '../../../support/client.ts';
import type { Instance } from '../../../support/instance.ts';
import { sharedInstance } from '../../../support/sharedInstance.ts';
import { OpenApiDocument, type Operation, operationIn } from './openapiDocument.ts';
import { sampleOf } from './sample.ts';

let instance: Instance;
let text: string;
let document: OpenApiDocument;

beforeAll(async () => {
  instance = await sharedInstance();
  ({ text } = await call(instance.baseUrl, '/openapi.json'));
  document = OpenApiDocument.parse(JSON.parse(text));
});
afterAll(() => instance?.stop());

const operationOf = (route: RouteShape): Operation => {
  const operation = operationIn(document, route);
  if (operation === undefined) throw new Error(`${routeKey(route)} is not in the document`);
  return operation;
};

/** All statuses of a route, including those of the middlewares. */
const statusesOf = (route: RouteShape): string[] => {
  const { access, body, faultCode, ids, replies } = route;
  const authenticated = access !== 'public';
  const form = body?.kind === 'form';
  const otlp = body?.kind === 'otlp';
  const refusals: readonly (readonly [boolean, number[]])[] = [
    [true, [400, 431, 503]],
    [faultCode === undefined, [500]],
    [otlp || body?.kind === 'log', [413, 415]],
    [authenticated, [401, 403, 409]],
    [form, [401, 413, 415]],
    [authenticated || form, [429]],
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
  it('is built from the routes deterministically', async () => {
    const again = await call(instance.baseUrl, '/openapi.json');

    expect(again.text).toBe(text);
    expect(text).toBe(openapiText(routes, instance.baseUrl, Date.now()));
    expect(openapiText(routes, 'https://a.example', Date.now())).toBe(
      text.replaceAll(instance.baseUrl, 'https://a.example'),
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

  it('is served compressed, and not again to a client that has it', async () => {
    const url = `${instance.baseUrl}/openapi.json`;
    const compressed = await fetch(url, { headers: { 'accept-encoding': 'gzip' } });
    const plain = await fetch(url, { headers: { 'accept-encoding': 'identity' } });
    const etag = plain.headers.get('etag') ?? '';
    const unchanged = await fetch(url, { headers: { 'if-none-match': `"other", ${etag}` } });
    const changed = await fetch(url, { headers: { 'if-none-match': '"other"' } });

    expect(compressed.headers.get('content-encoding')).toBe('gzip');
    expect(await compressed.text()).toBe(text);
    expect(plain.headers.get('content-encoding')).toBeNull();
    expect(etag).toMatch(/^W\/"[\w-]{43}"$/);
    expect(compressed.headers.get('etag')).toBe(etag);
    expect([unchanged.status, await unchanged.text()]).toEqual([304, '']);
    expect(changed.status).toBe(200);
  });

  it('is smaller than 4.1 kB for each operation, and 0.7 kB compressed', () => {
    expect(Buffer.byteLength(text) / routes.length).toBeLessThan(4_100);
    expect(gzipSync(text).byteLength / routes.length).toBeLessThan(700);
  });

  it('has beside a reference only what differs from the component', () => {
    const siblings = schemaObjects().flatMap(([, schema]) => ('$ref' in schema ? Object.keys(schema) : []));

    expect(siblings.filter((name) => !['$ref', 'description', 'example', 'default'].includes(name))).toEqual(
      [],
    );
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
    expect(document.servers).toEqual([{ url: instance.baseUrl }]);
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
    const tokenUrl = `${instance.baseUrl}/v1/oauth/token`;
    const authorizationUrl = `${instance.baseUrl}/v1/oauth/authorize`;

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

describe.each(routes.map((route) => [routeKey(route), route] as const))('%s is documented', (_, route) => {
  it('with its parameters', () => {
    const { parameters = [] } = operationOf(route);
    const named = (where: string) => parameters.filter((one) => one.in === where).map(({ name }) => name);
    const inPath = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);

    expect(named('path')).toEqual(inPath);
    expect(named('header')).toEqual(takesIdempotencyKey(route) ? ['Idempotency-Key'] : []);
    expect(named('query').sort()).toEqual(Object.keys(route.query?.shape ?? {}).sort());
    expect(new Set(parameters.map((one) => `${one.in} ${one.name}`)).size).toBe(parameters.length);
    for (const one of parameters) expect(one.required ?? false, one.name).toBe(one.in !== 'query');
  });

  it('with its security requirements', () => {
    expect(operationOf(route).security).toEqual(
      route.access === 'public'
        ? []
        : [{ apiKey: [] }, ...sufficientScopes(route).map((oauth2) => ({ oauth2 }))],
    );
  });

  it('with its request body', () => {
    const { requestBody } = operationOf(route);
    expect(requestBody?.required).toBe(route.body && route.body.optional !== true);
    const type = {
      json: 'application/json',
      form: 'application/x-www-form-urlencoded',
      otlp: 'application/x-protobuf',
      log: 'application/json',
    };

    expect(Object.keys(requestBody?.content ?? {})).toEqual(
      route.body === undefined ? [] : [type[route.body.kind], ...(route.body.mediaTypes ?? [])],
    );
  });

  it('with all of its responses, problems for errors, and the errors of the gateway', () => {
    const { responses } = operationOf(route);
    const declared = Object.keys(route.replies);
    const refusals = Object.entries(responses).filter(([status]) => !declared.includes(status));

    expect(Object.keys(responses).sort()).toEqual(statusesOf(route));
    for (const [status, { content, headers }] of refusals) {
      expect(Number(status)).toBeGreaterThanOrEqual(400);
      const isOAuth = route.body?.kind === 'form' && status !== '431';
      const isOtlp = route.body?.kind === 'otlp' && status !== '431';
      const schema = { $ref: `#/components/schemas/${isOAuth ? 'OAuthProblem' : 'Problem'}` };
      expect(content).toEqual(
        isOtlp
          ? {
              'application/json': { schema: { $ref: '#/components/schemas/OtlpProblem' } },
              'application/x-protobuf': { schema: { type: 'string', format: 'binary' } },
            }
          : {
              'application/problem+json': { schema },
              ...(isOAuth && status !== '401' && { 'application/json': { schema } }),
              ...(!isOAuth &&
                ['400', '413', '429', '431', '500', '503'].includes(status) && {
                  'application/json': { schema: { $ref: '#/components/schemas/GatewayError' } },
                }),
            },
      );
      expect(Object.keys(headers ?? {})).toEqual(
        expect.arrayContaining([
          'X-Trace-Id',
          ...(status === '429' || status === '503' ? ['Retry-After'] : []),
        ]),
      );
      // A 401 comes before the caller is known, except for a missing step-up.
      if (status === '401' && !mayRequireStepUp(route))
        expect(Object.keys(headers ?? {}).filter((name) => name.startsWith('RateLimit'))).toEqual([]);
    }
    for (const status of declared) {
      const hasBody = route.replies[Number(status)]?.body !== undefined;
      expect(responses[status]?.content !== undefined, status).toBe(hasBody);
    }
  });

  it('with examples that match its schemas', () => {
    const wrong: unknown[] = [];
    const schemas = [
      route.query,
      route.body?.schema,
      ...Object.values(route.replies).map(({ body }) => body),
    ];
    for (const schema of schemas.filter((one) => one !== undefined)) {
      z.toJSONSchema(schema, {
        io: 'input',
        unrepresentable: 'any',
        override: ({ zodSchema, jsonSchema }) => {
          const { example } = jsonSchema;
          if (example !== undefined && !z.safeParse(zodSchema, example).success) wrong.push(example);
        },
      });
    }

    expect(wrong).toEqual([]);
  });

  it('with a description', () => {
    expect(operationOf(route).description).toMatch(/^\S.{20}/);
  });

  if (route.body !== undefined) {
    const { schema } = route.body;
    it('with an example of the body', () => {
      expect(schema.meta()?.['example']).toBeDefined();
    });

    it('completely enough to generate a valid body', () => {
      expect(schema.safeParse(sampleOf(schema)).error).toBeUndefined();
    });
  }
});
