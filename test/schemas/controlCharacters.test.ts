import { expect, it } from 'vitest';
import * as z from 'zod';
import { routes } from '../../schemas/routes/index.ts';
import { routeKey } from '../../schemas/routes/route.ts';

/** RFC 6749 has its own errors for its parameters, and a state may be any text. */
const queries = routes
  .filter(({ path }) => !path.startsWith('/v1/oauth/'))
  .flatMap((route) => (route.query === undefined ? [] : [{ route, query: route.query }]));

const parametersOf = (query: z.ZodType): readonly string[] => {
  const { properties = {} } = z.toJSONSchema(query, { io: 'input', unrepresentable: 'any' });
  // A cursor is opened with a key, which any other text fails.
  return Object.keys(properties).filter((name) => name !== 'cursor');
};

it('no parameter of a query accepts a control character', () => {
  const accepting = queries.flatMap(({ route, query }) =>
    parametersOf(query)
      .filter((name) => {
        const { error } = query.safeParse({ [name]: 'a\u0000b' });
        return !error?.issues.some(({ path }) => path[0] === name);
      })
      .map((name) => `${routeKey(route)} ${name}`),
  );

  expect(queries.length).toBeGreaterThan(20);
  expect(accepting).toEqual([]);
});
