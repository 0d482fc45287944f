import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { parseQueryString } from '../../../functions/platform/http/queryString.ts';
import { readQuery } from '../../../functions/platform/http/readQuery.ts';
import { reply } from '../../../functions/platform/http/reply.ts';
import { listOf } from '../../../schemas/filters.ts';
import { scopeNames } from '../../../schemas/identity/scopes.ts';
import { consoleRoutes, routes } from '../../../schemas/routes/index.ts';
import { type RouteShape, routeKey } from '../../../schemas/routes/route.ts';
import { expectNoFaults, unequal } from '../../support/faults.ts';
import { ABSENT_ULID, goodRequest } from '../apiDocs/contract/requests.ts';
import { caller, serve, testRoute } from './harness.ts';

const everyScope = { ...caller, scopes: new Set(scopeNames) };
const client = { client_id: 'c', client_secret: 's' };

/** The route in the whole pipeline, with a valid request and this query. */
const ask = (route: RouteShape, rawQuery: string) => {
  const { body, headers } = goodRequest(route, client);
  const parameters = Object.entries(route.ids ?? {}).map(
    ([name, prefix]) => [name, `${prefix}_${caller.tenant.tag}${ABSENT_ULID}`] as const,
  );
  return serve(
    route,
    () => reply(200, {}),
    {
      rawQuery,
      parameters: Object.fromEntries(parameters),
      headers: {
        'idempotency-key': 'k',
        'sec-fetch-site': 'same-origin',
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
        'x-api-key': 'ask_good',
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    },
    { authenticator: async () => everyScope },
  );
};

const errorsOf = ({ body }: Awaited<ReturnType<typeof ask>>): unknown[] =>
  Array.isArray(body['errors']) ? body['errors'] : [];

/** A list is told apart by what it accepts: the parsed value of a list is an array. */
const isListParameter = (schema: z.ZodType): boolean =>
  ['owner', 'openai', 'provider', 'env:prod', 'application_direct', 'chargeback_ready', 'stage_a']
    .concat(
      'deterministically_resolved',
      'implausible_cost',
      'budget.threshold.crossed',
      `inv_${caller.tenant.tag}${ABSENT_ULID}`,
    )
    .some((text) => Array.isArray(schema.safeParse(text).data));

const all = [...routes, ...consoleRoutes].filter(({ queryErrors }) => queryErrors === undefined);
const parametersOf = ({ query }: RouteShape): [string, z.ZodType][] => Object.entries(query?.shape ?? {});
const parameters = all.flatMap((route) =>
  parametersOf(route).map(([name, schema]) => ({ route, name, schema })),
);
const UNDECODABLE = ['x=%zz', 'x=%ff', 'x=%ED%A0%80', 'x=%C0%AF', '%=x'];

it('takes a date wherever it takes a time, on every route', async () => {
  const times = parameters.filter(({ schema }) => schema.safeParse('2026-03-01T00:00:00Z').success);
  const dated = times.filter(({ name }) =>
    /^(?:from|to)$|^(?:occurred_at|attempted_at|at)(?:\[|$)/.test(name),
  );

  expect(dated.length).toBeGreaterThan(20);
  await expectNoFaults(
    dated,
    ({ route, name }) => `${routeKey(route)} ${name}`,
    ({ schema }) => (schema.safeParse('2026-03-01').success ? [] : ['refuses a date']),
  );
});

describe('a repeated parameter', () => {
  const single = parameters.filter(({ schema }) => !isListParameter(schema));
  const lists = parameters.filter(({ schema }) => isListParameter(schema));

  it('is refused by its name wherever one value is accepted, on every route', async () => {
    await expectNoFaults(
      single,
      ({ route, name }) => `${routeKey(route)} ${name}`,
      async ({ route, name }) => {
        const answer = await ask(route, `${encodeURIComponent(name)}=a&${name}=b`);
        const isAnonymous = route.access === 'public' || route.access === 'session';
        return [
          ...unequal('status', answer.status, 400),
          ...(isAnonymous ? unequal('code', answer.body['error_code'], 'INVALID_REQUEST') : []),
          ...unequal(
            'errors',
            errorsOf(answer).map((error) => [
              Object(error).parameter,
              String(Object(error).detail).includes('repeated'),
            ]),
            [[name, true]],
          ),
        ];
      },
    );
  });

  it('means the list wherever a list is accepted, as values joined by commas and as a JSON array', async () => {
    for (const { route, name } of lists) {
      const value = name.startsWith('group_by') ? 'provider' : 'nothing';
      const [joined, ...others] = await Promise.all([
        ask(route, `${name}=${value},other`),
        ask(route, `${name}=${value}&${name}=other`),
        ask(route, `${name}=${encodeURIComponent(JSON.stringify([value, 'other']))}`),
      ]);
      for (const other of others)
        expect([other.status, errorsOf(other)]).toEqual([joined.status, errorsOf(joined)]);
    }
    const names = new Set(lists.map(({ name }) => name));
    const operators = [...names].filter((name) => name.endsWith('[in]'));
    expect(names).toEqual(new Set(['tags', 'group_by', 'types', ...operators]));
    expect(lists.length).toBeGreaterThan(20);
  });
});

describe('a list', () => {
  const names = fc.array(fc.string({ minLength: 1, maxLength: 12, unit: 'grapheme' }), {
    minLength: 1,
    maxLength: 5,
  });
  const Names = listOf(z.array(z.string()));
  const route = testRoute({ query: z.strictObject({ 'owner[in]': Names }) });
  const read = (raw: string): unknown => readQuery(route, parseQueryString(raw));
  const pairsOf = (values: readonly string[]): string =>
    values.map((value) => `owner[in]=${encodeURIComponent(value)}`).join('&');

  it('is what was sent, with any characters, as a JSON array and as a repeated parameter', () => {
    fc.assert(
      fc.property(names, (values) => {
        expect(read(pairsOf([JSON.stringify(values)]))).toEqual({ 'owner[in]': values });
        if (values.length > 1) expect(read(pairsOf(values))).toEqual({ 'owner[in]': values });
      }),
    );
  });

  it('is cut at commas as one text', () => {
    expect(read('owner[in]=Smith, Ann,bob'.replaceAll(' ', '%20'))).toEqual({
      'owner[in]': ['Smith', ' Ann', 'bob'],
    });
  });

  it.each(['[a,b]', '[1]', '["a"', '[]', '["a"],b'])(
    'is refused as %s, which is nearly a JSON array',
    (text) => {
      expect(() => read(pairsOf([text]))).toThrow(/INVALID_FILTER/);
    },
  );
});

it('refuses every undecodable query on every route', async () => {
  await expectNoFaults(all, routeKey, async (route) => {
    const answers = await Promise.all(
      UNDECODABLE.map(async (query) => [query, await ask(route, query)] as const),
    );
    return answers.flatMap(([query, answer]) =>
      unequal(`${query} answers`, [answer.status, errorsOf(answer).length], [400, 1]),
    );
  });
});

/** The parameters that begin and end a period. */
const periodsOf = (route: RouteShape): (readonly [from: string, to: string])[] => {
  const names = parametersOf(route).map(([name]) => name);
  return [
    ...(names.includes('from') && names.includes('to') ? [['from', 'to'] as const] : []),
    ...names
      .filter((name) => name.endsWith('_at[gte]') || name === 'at[gte]')
      .map((name) => [name, name.replace('[gte]', '[lt]')] as const),
  ];
};

it('refuses an empty period on every route, and accepts a day', async () => {
  const [before, day, after] = ['2026-03-01T00:00:00Z', '2026-03-02T00:00:00Z', '2026-03-03T00:00:00Z'];
  const periods = all.flatMap((route) => periodsOf(route).map(([from, to]) => ({ route, from, to })));
  await expectNoFaults(
    periods,
    ({ route, from }) => `${routeKey(route)} ${from}`,
    async ({ route, from, to }) => {
      const between = (start: string, end: string) => ask(route, `${from}=${start}&${to}=${end}`);
      const empty = await Promise.all([between(day, day), between(day, before)]);
      return [
        ...empty.flatMap((answer) => [
          ...unequal('status of an empty period', answer.status, 400),
          ...unequal(
            'parameters',
            errorsOf(answer).map((error) => Object(error).parameter),
            [from, to],
          ),
        ]),
        ...unequal('status of a day', (await between(day, after)).status, 200),
      ];
    },
  );
  expect(periods.length).toBeGreaterThan(5);
});

it('finds every period among the queries of the routes', () => {
  const named = parameters.map(({ name }) => name).filter((name) => /^from$|\[gte\]$/.test(name));

  const counts = [...Map.groupBy(named, (name) => name)].map(([name, { length }]) => [name, length]);
  expect(Object.fromEntries(counts)).toEqual({
    from: 10,
    'occurred_at[gte]': 1,
    'cost_usd[gte]': 1,
    'confidence[gte]': 1,
    'attempted_at[gte]': 1,
    'at[gte]': 1,
  });
});

it('names the next day to whoever asks for one day', async () => {
  const report = routes.find(({ operation }) => operation === 'getUsageReport');
  if (report === undefined) throw new Error('no usage report');

  const answer = await ask(report, 'from=2026-11-25&to=2026-11-25');

  expect(answer.body).toMatchObject({ status: 400, detail: expect.stringContaining('2026-11-26') });
});
