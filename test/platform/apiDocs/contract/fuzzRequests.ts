import * as fc from 'fast-check';
import { mediaTypesOf, type RouteShape } from '../../../../schemas/routes/route.ts';
import type { Request } from '../../../support/client.ts';
import { goodRequest, pathOf } from './requests.ts';

/** What the requests of a run may use. */
export interface Fixtures {
  readonly client: { readonly client_id: string; readonly client_secret: string };
  /** Credentials by kind. Only `valid` kinds identify a tenant. */
  readonly valid: readonly Record<string, string>[];
  readonly invalid: readonly Record<string, string>[];
  /** The ids that a path may hold for a prefix: existing, absent, of another tenant. */
  readonly idsOf: (prefix: string) => readonly string[];
}

export interface FuzzRequest {
  readonly path: string;
  readonly request: Request;
  readonly isAuthenticated: boolean;
}

const text = fc.oneof(
  fc.constantFrom(
    '',
    '0',
    '-1',
    '1e9',
    'null',
    'true',
    'a'.repeat(300),
    '2026-13-01',
    'é☃',
    "' OR 1=1",
    '%00',
    '../..',
  ),
  fc.string({ maxLength: 20 }),
);
const json = fc.oneof(
  fc.constantFrom(null, true, 0, -1, 1.5, 1e300, '', [], {}),
  text,
  fc.jsonValue({ maxDepth: 2 }),
);

/** Changes one place of a value: drops, replaces or adds a member, at any depth. */
const mutated = (value: unknown): fc.Arbitrary<unknown> => {
  if (Array.isArray(value)) {
    const items = value.map((item, index) => mutated(item).map((changed) => value.with(index, changed)));
    return fc.oneof(fc.constant([]), fc.constant([...value, ...value]), json, ...items);
  }
  if (typeof value !== 'object' || value === null) return json;
  const entries = Object.entries(value);
  const drops = entries.map(([name]) =>
    fc.constant(Object.fromEntries(entries.filter(([one]) => one !== name))),
  );
  const changes = entries.map(([name, member]) =>
    mutated(member).map((changed) => ({ ...value, [name]: changed })),
  );
  const adds = fc
    .tuple(fc.string({ minLength: 1, maxLength: 12 }), json)
    .map(([name, member]) => ({ ...value, [name]: member }));
  return fc.oneof(...drops, ...changes, ...changes, adds);
};

const brokenJson = fc.constantFrom(
  '',
  '{',
  'null,',
  '{"a":1,"a":2}',
  '{"__proto__":{}}',
  '[NaN]',
  '"',
  '\u0000',
  `${'['.repeat(40)}${']'.repeat(40)}`,
);

/** Bodies: mostly valid or with one change, else malformed. Forms are changed by parameter. */
const bodyOf = (route: RouteShape, good: Request): fc.Arbitrary<Pick<Request, 'body'>> => {
  if (route.body === undefined) return fc.constant({});
  if (route.body.kind === 'form') {
    const parameters = Object.fromEntries(new URLSearchParams(String(good.body)));
    const changed = mutated(parameters).map((value) =>
      new URLSearchParams(
        Object.fromEntries(Object.entries(Object(value)).map(([name, one]) => [name, String(one)])),
      ).toString(),
    );
    return fc
      .oneof(
        fc.constant(good),
        changed.map((body) => ({ body })),
      )
      .map(({ body }) => ({ body }));
  }
  return fc.oneof(
    { weight: 3, arbitrary: fc.constant({ body: good.body }) },
    { weight: 6, arbitrary: mutated(good.body ?? {}).map((body) => ({ body: JSON.stringify(body) })) },
    { weight: 1, arbitrary: brokenJson.map((body) => ({ body })) },
  );
};

const queryOf = (route: RouteShape): fc.Arbitrary<string> => {
  const names = Object.keys(route.query?.shape ?? {});
  const name = fc.oneof(...(names.length > 0 ? [{ weight: 6, arbitrary: fc.constantFrom(...names) }] : []), {
    weight: 1,
    arbitrary: fc.constantFrom('unknown', 'tenant_id', 'owner[like]', 'limt', '__proto__', 'a b'),
  });
  const likely = fc.constantFrom(
    '1',
    '50',
    '0.5',
    'owner',
    'provider',
    'day',
    'true',
    '2026-01-01',
    'openai',
    '-occurred_at',
  );
  const pair = fc.tuple(name, fc.oneof(likely, text));
  return fc
    .oneof(
      { weight: 2, arbitrary: fc.constant([]) },
      { weight: 3, arbitrary: fc.array(pair, { maxLength: 3 }) },
    )
    .map((pairs) => (pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`));
};

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/** Requests to one route: valid ones, and valid ones with one or several parts changed. */
export const requestsTo = (route: RouteShape, fixtures: Fixtures): fc.Arbitrary<FuzzRequest> => {
  const { client, valid, invalid, idsOf } = fixtures;
  const good = goodRequest(route, client);
  const isForm = route.body?.kind === 'form';
  // Protobuf bodies have a fuzz test of their own: test/ingest/otlp/corruption.test.ts.
  const mediaTypes =
    route.body === undefined || route.body.kind === 'otlp' ? ['application/json'] : mediaTypesOf(route.body);
  const path = fc
    .nat()
    .map((seed) => pathOf(route, (prefix) => idsOf(prefix)[seed % idsOf(prefix).length] ?? 'none'));
  const credential = fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom(...valid).map((headers) => ({ headers, isValid: true })) },
    { weight: 1, arbitrary: fc.constantFrom(...invalid, {}).map((headers) => ({ headers, isValid: false })) },
  );
  const key = fc.oneof(
    { weight: 6, arbitrary: fc.uuid() },
    { weight: 2, arbitrary: fc.constantFrom('one', 'two', '"one"') },
    { weight: 1, arbitrary: fc.constantFrom('', 'two words', 'k'.repeat(256)) },
  );
  const type = fc.oneof(
    {
      weight: 8,
      arbitrary: fc.constantFrom(...mediaTypes),
    },
    { weight: 1, arbitrary: fc.constantFrom('text/plain', 'application/json; charset=utf-16', '') },
  );
  const extra = fc.oneof(
    { weight: 8, arbitrary: fc.constant<Record<string, string>>({}) },
    {
      weight: 1,
      arbitrary: fc.constantFrom<Record<string, string>>(
        { 'x-tenant-id': 'globex' },
        { accept: 'application/json' },
        { 'content-encoding': 'gzip' },
        { 'x-filler': 'f'.repeat(11_000) },
        { traceparent: '00-zz' },
      ),
    },
  );
  const method = fc.oneof(
    { weight: 12, arbitrary: fc.constant(route.method) },
    { weight: 1, arbitrary: fc.constantFrom(...METHODS) },
  );
  return fc
    .record({ path, query: queryOf(route), credential, key, type, extra, method, body: bodyOf(route, good) })
    .map(
      ({
        path: sentPath,
        query,
        credential: by,
        key: idempotencyKey,
        type: contentType,
        extra: more,
        method: sent,
        body,
      }) => {
        const hasBody = body.body !== undefined && sent !== 'GET' && sent !== 'HEAD';
        const headers = isForm && by.isValid ? { ...good.headers } : { ...by.headers };
        return {
          path: sentPath + query,
          isAuthenticated: by.isValid && !isForm,
          request: {
            method: sent,
            idempotencyKey: isForm || sent === 'GET' ? null : idempotencyKey,
            headers: {
              ...headers,
              ...more,
              ...(hasBody && { 'content-type': isForm ? 'application/x-www-form-urlencoded' : contentType }),
            },
            ...(hasBody && { body: body.body }),
          },
        };
      },
    );
};
