import { consoleRoutes, routes } from '../../../../schemas/routes/index.ts';
import { route } from '../../../../schemas/routes/route.ts';
import { operation } from '../../http/operation.ts';
import { ProblemError } from '../../shared/problem.ts';
import { isBrowser } from './documentPage.ts';

/**
 * The fallback for requests that match no route. Not in the route table, because it is not part of the API. A valid
 * credential gets its tenant and its rate limit in the problem; without one, the problem is the same for everybody.
 */
const unknown = route({
  method: 'GET',
  path: '/{unknown+}',
  operation: 'unknownRoute',
  authority: { effect: 'none', reveals: [], lanes: 'none' },
  unit: 'contract',
  summary: 'Responds to requests that match no route',
  access: 'optional',
  discloses: 'none',
  rate: 'none',
  needs: [],
  replies: {},
});

const patternOf = (path: string): RegExp =>
  new RegExp(
    `^${path
      .replaceAll('.', '\\.')
      .replaceAll(/\{\w+\+\}/g, '.+')
      .replaceAll(/\{\w+\}/g, '[^/]+')}$`,
  );

const patterns = [...routes, ...consoleRoutes].map(({ method, path, body }) => ({
  method,
  body,
  pattern: patternOf(path),
}));

export default operation(unknown, ({ path, rawQuery, requestMethod, header }) => {
  if (path === '/' && isBrowser(header))
    return { status: 302, headers: { location: '/console' }, body: undefined };
  // `/console/{path+}` does not match an empty rest.
  if (path === '/console/') {
    const location = `/console${rawQuery === '' ? '' : `?${rawQuery}`}`;
    return { status: 302, headers: { location }, body: undefined };
  }
  const matches = patterns.filter(({ pattern }) => pattern.test(path));
  const methods = new Set(matches.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method])));
  // The gateway compares paths as they were sent. One with needless escapes matches no route, although it is shown decoded.
  if (methods.size === 0 || methods.has(requestMethod))
    throw new ProblemError(
      'NOT_FOUND',
      'No route matches this path. Letters of a path are not percent-encoded.',
    );
  const detail = 'The path does not support this method. See the Allow header.';
  throw new ProblemError('METHOD_NOT_ALLOWED', detail, {
    headers: { allow: [...methods].join(', ') },
    // OAuth clients read `error` for every status (RFC 6749 §5.2).
    ...(matches.some(({ body }) => body?.kind === 'form') && {
      members: { error: 'invalid_request', error_description: detail },
    }),
  });
});
