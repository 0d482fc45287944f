import { routes } from '../../schemas/routes/index.ts';
import { route } from '../../schemas/routes/route.ts';
import { operation } from '../http/operation.ts';
import { ProblemError } from '../shared/problem.ts';

/** What the gateway sends here when no route matches. Not part of the contract, so not in its table. */
const unknown = route({
  method: 'GET',
  path: '/{unknown+}',
  operation: 'unknownRoute',
  unit: 'contract',
  summary: 'Answers what no route matches',
  access: 'public',
  rate: 'none',
  needs: [],
  replies: {},
});

const patternOf = (path: string): RegExp =>
  new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{[^}]+\}/g, '[^/]+')}$`);

const patterns = routes.map(({ method, path, body }) => ({ method, body, pattern: patternOf(path) }));

export default operation(unknown, ({ path }) => {
  const offered = patterns.filter(({ pattern }) => pattern.test(path));
  const methods = offered.map(({ method }) => method);
  if (methods.length === 0) throw new ProblemError('NOT_FOUND', 'There is no such route.');
  throw new ProblemError('METHOD_NOT_ALLOWED', 'The path does not offer this method.', {
    headers: { allow: methods.join(', ') },
    // OAuth clients read `error` whatever the status (RFC 6749 §5.2).
    ...(offered.some(({ body }) => body?.kind === 'form') && { members: { error: 'invalid_request' } }),
  });
});
