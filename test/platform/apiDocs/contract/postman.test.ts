import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { buildPostman } from '../../../../functions/platform/apiDocs/contract/postman.ts';
import { routeGroups, routes } from '../../../../schemas/routes/index.ts';
import { type RouteShape, takesIdempotencyKey } from '../../../../schemas/routes/route.ts';

const Pair = z.object({ key: z.string(), value: z.string() });
/** The members of the format 2.1.0 that the collection uses. */
const Collection = z.strictObject({
  info: z.strictObject({
    _postman_id: z.uuid(),
    name: z.string(),
    description: z.string(),
    schema: z.literal('https://schema.getpostman.com/json/collection/v2.1.0/collection.json'),
  }),
  auth: z.strictObject({ type: z.literal('apikey'), apikey: z.array(Pair.extend({ type: z.string() })) }),
  variable: z.array(Pair),
  item: z.array(
    z.strictObject({
      id: z.uuid(),
      name: z.string(),
      description: z.string(),
      item: z.array(
        z.strictObject({
          id: z.uuid(),
          name: z.string(),
          event: z
            .array(z.object({ listen: z.literal('test'), script: z.object({ exec: z.array(z.string()) }) }))
            .optional(),
          request: z.strictObject({
            method: z.string(),
            description: z.string(),
            auth: z.strictObject({ type: z.literal('noauth') }).optional(),
            header: z.array(Pair),
            url: z.strictObject({
              raw: z.string(),
              host: z.tuple([z.literal('{{baseUrl}}')]),
              path: z.array(z.string()),
              query: z.array(Pair.extend({ description: z.string(), disabled: z.literal(true) })).optional(),
              variable: z.array(Pair).optional(),
            }),
            body: z
              .discriminatedUnion('mode', [
                z.strictObject({ mode: z.literal('raw'), raw: z.string(), options: z.unknown() }),
                z.strictObject({ mode: z.literal('urlencoded'), urlencoded: z.array(Pair) }),
              ])
              .optional(),
          }),
        }),
      ),
    }),
  ),
});

const collection = Collection.parse(buildPostman(routeGroups, 'https://api.example.com'));
const requests = collection.item.flatMap(({ item }) => item);
const requestFor = (route: RouteShape) => {
  const found = requests[routes.indexOf(route)];
  if (found === undefined) throw new Error(`no request for ${route.operation}`);
  return found.request;
};

describe('the Postman collection', () => {
  it('has one request for each route, in the folders of the documentation', () => {
    expect(requests.map(({ request }) => `${request.method} ${request.url.raw}`)).toEqual(
      routes.map(({ method, path }) => `${method} {{baseUrl}}${path.replaceAll(/\{([^}]+)\}/g, ':$1')}`),
    );
    expect(new Set(requests.map(({ id }) => id)).size).toBe(routes.length);
  });

  it('is the same at every build, apart from the address', () => {
    const [one, other] = ['https://a.example', 'https://b.example'].map((address) =>
      JSON.stringify(buildPostman(routeGroups, address)),
    );

    expect(one?.replaceAll('https://a.example', 'https://b.example')).toBe(other);
  });

  it('sends an idempotency key exactly where the route takes one', () => {
    for (const route of routes) {
      const keys = requestFor(route).header.filter(({ key }) => key === 'Idempotency-Key');
      expect(keys.map(({ value }) => value)).toEqual(takesIdempotencyKey(route) ? ['{{$guid}}'] : []);
    }
  });

  it('sends bodies that the schemas accept', () => {
    for (const route of routes) {
      const { body } = requestFor(route);
      if (body?.mode === 'raw')
        expect(route.body?.schema.safeParse(JSON.parse(body.raw)).error).toBeUndefined();
    }
  });

  it('defines every variable that a request uses, and sets every id by a list or a creation', () => {
    const used = [...JSON.stringify(requests).matchAll(/\{\{(\w+)\}\}/g)].map(([, name = '']) => name);
    const defined = collection.variable.map(({ key }) => key);
    const kept = requests.flatMap(({ event = [] }) =>
      event.flatMap(({ script }) =>
        [...script.exec.join('\n').matchAll(/set\('(\w+)'/g)].map(([, name = '']) => name),
      ),
    );
    const ids = [...new Set(used)].filter((name) => name.endsWith('s_id'));

    expect(used.filter((name) => !defined.includes(name))).toEqual([]);
    expect(ids.length).toBeGreaterThan(5);
    expect(ids.filter((name) => !kept.includes(name))).toEqual([]);
  });
});
