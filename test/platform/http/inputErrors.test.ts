import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { fieldErrors } from '../../../functions/platform/http/inputErrors.ts';
import { reply } from '../../../functions/platform/http/reply.ts';
import { scopeNames } from '../../../schemas/identity/scopes.ts';
import { InvocationEvent } from '../../../schemas/ingest/invocationEvent.ts';
import { listAttribution } from '../../../schemas/routes/attribution/attribution.ts';
import { routes } from '../../../schemas/routes/index.ts';
import { type RouteShape, routeKey } from '../../../schemas/routes/route.ts';
import { expectNoFaults, unequal } from '../../support/faults.ts';
import { sampleOf } from '../apiDocs/contract/sample.ts';
import { caller, serve, testRoute } from './harness.ts';

/** The problem of a query, in the whole pipeline. */
const problemOf = async (route: RouteShape, query: Record<string, string>) => {
  const { body } = await serve(
    route,
    () => reply(200, {}),
    { query, headers: { 'x-api-key': 'ask_good' } },
    { authenticator: async () => ({ ...caller, scopes: new Set(scopeNames) }) },
  );
  return body;
};

describe('a refused filter of GET /v1/attribution', () => {
  it.each([
    [
      'owner[like]=x',
      {
        parameter: 'owner[like]',
        field: 'owner',
        operator: 'like',
        detail: 'The field owner does not support the operator like.',
        allowed: ['eq', 'ne', 'in', 'contains', 'exists'],
      },
    ],
    ['cost_usd[gtt]=1', { parameter: 'cost_usd[gtt]', suggestion: 'cost_usd[gt]' }],
    ['ownr=x', { parameter: 'ownr', suggestion: 'owner' }],
    ['ownr[ne]=x', { parameter: 'ownr[ne]', field: 'ownr', operator: 'ne', suggestion: 'owner[ne]' }],
    ['colour=red', { parameter: 'colour', allowed: expect.arrayContaining(['owner', 'sort', 'limit']) }],
    [
      'output_state[ne]=done',
      {
        parameter: 'output_state[ne]',
        field: 'output_state',
        operator: 'ne',
        allowed: expect.arrayContaining(['unresolved', 'allocated']),
      },
    ],
    ['sort=owner', { parameter: 'sort', allowed: expect.arrayContaining(['occurred_at', '-cost_usd']) }],
    ['confidence[gt]=1.1', { parameter: 'confidence[gt]', detail: 'must be a decimal from 0 to 1' }],
  ])('%s names parameter, reason and allowed values', async (query, error) => {
    const body = await problemOf(listAttribution, Object.fromEntries(new URLSearchParams(query)));

    expect(body).toMatchObject({ status: 400, error_code: 'INVALID_FILTER', errors: [error] });
    expect(body['detail']).toContain(error.parameter);
  });

  it('names every invalid parameter', async () => {
    const body = await problemOf(listAttribution, { a: '1', 'owner[b]': '1', sort: 'x' });

    expect(
      Object(body['errors'])
        .map(({ parameter }: { parameter: string }) => parameter)
        .sort(),
    ).toEqual(['a', 'owner[b]', 'sort']);
  });
});

it('never repeats the value of a parameter, or a name that can be a secret', async () => {
  const secret = fc.stringMatching(/^(ask_test_[a-z0-9]{40}|sk-[A-Za-z0-9]{20}|[a-z]+ [a-z ]{10,30})$/);

  await fc.assert(
    fc.asyncProperty(secret, async (text) => {
      for (const query of [
        { [text]: '1' },
        { 'cost_usd[gt]': text },
        { sort: text },
        { [`owner[${text}]`]: 'x' },
      ]) {
        expect(JSON.stringify(await problemOf(listAttribution, query))).not.toContain(text);
      }
    }),
    { numRuns: 50 },
  );
});

/** Their clients and browsers may add parameters, which OAuth (RFC 6749, section 3.1) tells the server to ignore. */
const LENIENT: ReadonlySet<string> = new Set(['authorize', 'finishSignIn', 'issueToken', 'revokeToken']);

it('refuses an unknown query parameter on every route, and ignores it where OAuth says so', async () => {
  await expectNoFaults(routes, routeKey, async (route) => {
    const headers = {
      'x-api-key': 'ask_good',
      'idempotency-key': 'k',
      ...(route.body && {
        'content-type': route.body.kind === 'form' ? 'application/x-www-form-urlencoded' : 'application/json',
      }),
    };
    const anyBody = route.body && { ...route.body, schema: z.unknown(), accepts: z.unknown() };
    const { body, status } = await serve(
      { ...route, ...(anyBody && { body: anyBody }), ids: {} },
      () => reply(200, {}),
      { query: { 'no-such': '1', nosuch: '1' }, headers, ...(route.body && { body: '{}' }) },
      { authenticator: async () => ({ ...caller, scopes: new Set(scopeNames) }) },
    );

    if (LENIENT.has(route.operation)) return unequal('status', status, 200);
    const errors: unknown[] = Array.isArray(body['errors']) ? body['errors'] : [];
    const named = errors.some(
      (error) => Object(error).parameter === 'nosuch' && Array.isArray(Object(error).allowed),
    );
    return [
      ...unequal('status', status, 400),
      ...(named ? [] : ['no error names the parameter and the allowed ones']),
    ];
  });
});

describe('fieldErrors', () => {
  it('lists the allowed values of an enum', () => {
    const schema = z.object({ kind: z.enum(['a', 'b']) });
    const { error } = schema.safeParse({ kind: 'c' });

    expect(fieldErrors(error ?? new z.ZodError([]), schema, { kind: 'c' })).toEqual([
      { pointer: '/kind', detail: expect.any(String), allowed: ['a', 'b'] },
    ]);
  });

  it('reports the alternative of a union that fits best', () => {
    const schema = z.object({ at: z.union([z.iso.date(), z.object({ day: z.int(), month: z.int() })]) });

    const errors = [{ at: { day: 1, month: 'x' } }, { at: 7 }].map((value) =>
      fieldErrors(schema.safeParse(value).error ?? new z.ZodError([]), schema, value),
    );

    expect(errors[0]).toMatchObject([{ pointer: '/at/month' }]);
    expect(errors[1]).toMatchObject([{ pointer: '/at', detail: expect.stringContaining(', or: ') }]);
  });
});

/** The value with each of its texts and numbers replaced in turn, and where that is. */
const spoiledIn = (value: unknown, pointer = ''): readonly (readonly [pointer: string, value: unknown])[] => {
  if (typeof value === 'string') return ['', ' ', 'x'].map((text) => [pointer, text]);
  if (typeof value === 'number') return [-1, 1.5, 1e15].map((number) => [pointer, number]);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    spoiledIn(member, `${pointer}/${name}`).map(([place, spoiled]): readonly [string, unknown] => [
      place,
      Array.isArray(value) ? value.with(Number(name), spoiled) : { ...value, [name]: spoiled },
    ]),
  );
};

it('names one error for one invalid member, on every route', async () => {
  const withBody = routes.filter(({ body }: RouteShape) => body?.kind === 'json');
  await expectNoFaults(withBody, routeKey, ({ body }: RouteShape) =>
    body === undefined
      ? []
      : spoiledIn(sampleOf(body.schema)).flatMap(([pointer, value]) => {
          const { error } = body.schema.safeParse(value);
          const named =
            error === undefined ? [] : fieldErrors(error, body.schema, value).map((one) => one.pointer);
          return named.every((one) => one === pointer) && named.length <= 1
            ? []
            : [`${pointer}: ${named.join(', ')}`];
        }),
  );
});

it('says that null is no value of a required member, on every route', async () => {
  const withBody = routes.filter(({ body }: RouteShape) => body?.kind === 'json');
  await expectNoFaults(withBody, routeKey, ({ body }: RouteShape) => {
    const sample = z.record(z.string(), z.unknown()).safeParse(body && sampleOf(body.schema)).data ?? {};
    return Object.keys(sample).flatMap((name) => {
      const { error } = body?.schema.safeParse({ ...sample, [name]: null }) ?? {};
      const details =
        error === undefined ? [] : fieldErrors(error, z.unknown(), undefined).map(({ detail }) => detail);
      return details.every((detail) => /null|required/.test(detail)) ? [] : [`${name}: ${details}`];
    });
  });
});

it('compares no count with one that is invalid itself', () => {
  const event = { ...Object(sampleOf(InvocationEvent)), input_tokens: -1, cached_input_tokens: 0 };

  const { error = new z.ZodError([]) } = InvocationEvent.safeParse(event);
  expect(fieldErrors(error, InvocationEvent, event)).toEqual([
    { pointer: '/input_tokens', detail: 'must be at least 0' },
  ]);
});

it('names no error of another type beside that of a list', async () => {
  const report = routes.find(({ operation }) => operation === 'getUsageReport');
  if (report === undefined) throw new Error('no usage report');
  const detailsOf = async (group_by: string) =>
    Object((await problemOf(report, { group_by }))['errors']).map(({ detail }: { detail: string }) => detail);

  expect(await detailsOf('owner,service,provider,region,day')).toEqual(['must have at most 4 items']);
  expect(await detailsOf('owner,owner')).toEqual(['must name each field once']);
  expect(await detailsOf('[owner')).toEqual([expect.stringMatching(/^begins with \[/)]);
});

it('a problem with status 400 or 422 always has errors', async () => {
  const { body } = await serve(testRoute({ method: 'POST' }), () => reply(200, {}), {
    headers: { 'x-api-key': 'ask_good' },
  });

  expect(body['errors']).toEqual([{ header: 'Idempotency-Key', detail: expect.any(String) }]);
});
