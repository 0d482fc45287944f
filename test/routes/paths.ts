import { describe, expect, it } from 'vitest';
import { CATALOGUE_VERSION, errorCodes, problemSlug, problemTypes } from '../../schemas/problems.ts';
import { routes } from '../../schemas/routes/index.ts';
import type { RouteShape } from '../../schemas/routes/route.ts';
import { expectProblem } from '../platform/apiDocs/contract/expectConforming.ts';
import { pathOf } from '../platform/apiDocs/contract/requests.ts';
import { type Answer, call } from '../support/client.ts';
import { OWN, type RouteWorld } from './world.ts';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/** Whether a route matches a path. A path parameter of the route matches any segment. */
const matchesPath = (route: RouteShape, path: string): boolean =>
  new RegExp(`^${route.path.replaceAll(/\{[^}]+\}/g, '[^/]+')}$`).test(path);

/** The methods of each path, and paths that no route has. */
export const testPaths = (world: RouteWorld): void => {
  const { adminKey, service } = world;
  const { baseUrl } = service;

  describe.each(
    [...Map.groupBy(routes, ({ path }) => path)].map(
      ([path, ofPath], index) => [path, ofPath, index] as const,
    ),
  )('%s', (requestPath, pathRoutes, index) => {
    const methods: string[] = routes
      .filter((route) => matchesPath(route, requestPath))
      .flatMap(({ method }): string[] => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
      .sort();
    const others = METHODS.filter((name) => !methods.includes(name));
    // The paths share the code that refuses, so each gets one of the methods in turn.
    const method = others[index % others.length] ?? '';
    const [path = ''] = pathRoutes.map((route) => pathOf(route, world.missingId));

    it(`returns 405 for ${method}, with an Allow header, and with rate limits to a known caller only`, async () => {
      const [known, unknown] = [
        await call(baseUrl, path, { method, key: adminKey }),
        await call(baseUrl, path, { method, key: 'ask_wrong' }),
      ];

      expect(expectProblem(known, service, OWN).error_code).toBe('METHOD_NOT_ALLOWED');
      expect(known.headers.get('allow')?.split(', ').sort()).toEqual(methods);
      expect(known.headers.get('ratelimit-remaining')).toMatch(/^\d+$/);
      expect(expectProblem(unknown, service).error_code).toBe('METHOD_NOT_ALLOWED');
      expect(unknown.headers.get('ratelimit-remaining')).toBeNull();
    });

    if (methods.includes('GET')) {
      it('answers HEAD as GET, without a body', async () => {
        const isPublic = pathRoutes.some(({ access }) => access === 'public');
        const credential = isPublic ? {} : { key: adminKey };

        const [get, head] = [
          await call(baseUrl, path, credential),
          await call(baseUrl, path, { ...credential, method: 'HEAD' }),
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
    const answer = await call(baseUrl, path, { key: adminKey });

    expect(expectProblem(answer, service, OWN).error_code).toBe('NOT_FOUND');
    expect(answer.headers.get('ratelimit-remaining')).toMatch(/^\d+$/);
  });

  it.each(['/v1/%61ttribution', '/api/v1/%62udgets', '/%6Fpenapi.json'])(
    'answers the path %s, whose letters are encoded, to GET and HEAD with 404',
    async (path) => {
      for (const method of ['GET', 'HEAD']) {
        expect((await call(baseUrl, path, { method, key: adminKey })).status).toBe(404);
      }
    },
  );

  it('lists the error catalogue, and serves the page of each error without a credential', async () => {
    const listed = await call(baseUrl, '/errors');

    expect(listed.body).toEqual({
      version: CATALOGUE_VERSION,
      errors: errorCodes.map((code) => ({
        error_code: code,
        ...problemTypes[code],
        type: `${baseUrl}/errors/${problemSlug(code)}`,
      })),
    });
    for (const code of errorCodes) {
      const page = await call(baseUrl, `/errors/${problemSlug(code)}`);
      expect(page.body).toEqual({ error_code: code, ...problemTypes[code] });
    }
  });

  it('gives a browser pages: errors, and the console at the root', async () => {
    const open = (path: string) =>
      call(baseUrl, path, { headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } });

    const [page, list, root] = await Promise.all([
      open('/errors/invalid-filter'),
      open('/errors'),
      open('/'),
    ]);

    for (const answer of [page, list]) {
      expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(answer.text).toContain(problemTypes.INVALID_FILTER.help);
    }
    expect([root.status, root.headers.get('location')]).toEqual([302, '/console']);
  });
};
