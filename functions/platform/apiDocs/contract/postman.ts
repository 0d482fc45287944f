import { type RouteShape, takesIdempotencyKey } from '../../../../schemas/routes/route.ts';
import { sha256Of } from '../../shared/hash.ts';

/** Format: https://schema.postman.com/collection/json/v2.1.0/draft-07/docs/index.html */
const SCHEMA = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json';

interface RouteGroup {
  readonly name: string;
  readonly description: string;
  readonly routes: readonly RouteShape[];
}

/**
 * A UUID of version 8 (RFC 9562 §5.8) that is the same at every build, so that an import replaces the collection of an
 * earlier version.
 */
const idOf = (...parts: readonly string[]): string => {
  const hex = sha256Of('postman', ...parts).toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
};

/** The variable that holds the id of a resource: `budgets_id` for `/api/v1/budgets` and what is below it. */
const variableOf = (path: string): string => {
  const [collection = ''] = path.split('/{');
  return `${collection.split('/').at(-1)?.replaceAll('-', '_')}_id`;
};

const pathParametersOf = ({ path }: RouteShape): string[] =>
  [...path.matchAll(/\{([^}]+)\}/g)].map(([, name = '']) => name);

const urlOf = (route: RouteShape) => {
  const segments = route.path.slice(1).replaceAll(/\{([^}]+)\}/g, ':$1');
  const query = Object.entries(route.query?.shape ?? {}).map(([key, schema]) => ({
    key,
    value: '',
    description: schema.meta()?.['description'] ?? '',
    // A parameter is sent only if the user chooses it.
    disabled: true,
  }));
  const variable = pathParametersOf(route).map((key) => ({
    key,
    value: route.ids?.[key] === undefined ? '' : `{{${variableOf(route.path)}}}`,
  }));
  return {
    raw: `{{baseUrl}}/${segments}`,
    host: ['{{baseUrl}}'],
    path: segments.split('/'),
    ...(query.length > 0 && { query }),
    ...(variable.length > 0 && { variable }),
  };
};

const bodyOf = ({ body }: RouteShape) => {
  if (body === undefined) return {};
  const example: unknown = body.schema.meta()?.['example'] ?? {};
  if (body.kind !== 'form') {
    const raw = JSON.stringify(example, null, 2);
    return { body: { mode: 'raw', raw, options: { raw: { language: 'json' } } } };
  }
  const urlencoded = Object.entries(Object(example)).map(([key, value]) => ({
    key,
    value: key.startsWith('client_') ? `{{${key}}}` : String(value),
  }));
  return { body: { mode: 'urlencoded', urlencoded } };
};

const headersOf = (route: RouteShape) => [
  ...(takesIdempotencyKey(route) ? [{ key: 'Idempotency-Key', value: '{{$guid}}' }] : []),
  ...(route.body === undefined || route.body.kind === 'form'
    ? []
    : [{ key: 'Content-Type', value: 'application/json' }]),
];

/** Keeps the id of a created or first listed resource for the requests that need one. */
const keepId = (route: RouteShape, withIds: ReadonlySet<string>) => {
  const variable = variableOf(route.path);
  if (route.path.includes('{') || !withIds.has(variable)) return {};
  const exec = [
    'if (pm.response.code < 300) {',
    '  const body = pm.response.json();',
    '  const found = Array.isArray(body.data) ? body.data[0] : body;',
    '  const id = found && (found.id || found.client_id || found.job_id || found.version);',
    `  if (id) pm.collectionVariables.set('${variable}', id);`,
    '}',
  ];
  return { event: [{ listen: 'test', script: { type: 'text/javascript', exec } }] };
};

const requestOf = (route: RouteShape, withIds: ReadonlySet<string>) => ({
  id: idOf(route.operation),
  name: route.summary,
  ...keepId(route, withIds),
  request: {
    method: route.method,
    description: route.description ?? route.summary,
    ...(route.access === 'public' && { auth: { type: 'noauth' } }),
    header: headersOf(route),
    url: urlOf(route),
    ...bodyOf(route),
  },
});

/**
 * The routes as a Postman collection: a folder for each group, authentication by API key, a new Idempotency-Key for each
 * request, examples as bodies. Lists and creations keep the id that the next requests use.
 */
export const buildPostman = (groups: readonly RouteGroup[], baseUrl: string) => {
  const routes = groups.flatMap((group) => group.routes);
  const withIds = new Set(routes.filter(({ ids }) => ids !== undefined).map(({ path }) => variableOf(path)));
  const variables = { baseUrl, apiKey: '', client_id: '', client_secret: '' };
  return {
    info: {
      _postman_id: idOf('collection'),
      name: 'Inference Attribution API',
      description:
        'Set the collection variable apiKey. Lists and creations keep ids for the requests that need one.',
      schema: SCHEMA,
    },
    auth: {
      type: 'apikey',
      apikey: Object.entries({ key: 'X-API-Key', value: '{{apiKey}}', in: 'header' }).map(([key, value]) => ({
        key,
        value,
        type: 'string',
      })),
    },
    variable: [
      ...Object.entries(variables).map(([key, value]) => ({ key, value })),
      ...[...withIds].map((key) => ({ key, value: '' })),
    ],
    item: groups.map(({ name, description, routes: members }) => ({
      id: idOf(name),
      name,
      description,
      item: members.map((route) => requestOf(route, withIds)),
    })),
  };
};
