import { parseId } from '../shared/ids.ts';
import { ProblemError } from '../shared/problem.ts';
import type { Caller } from '../tenancy/caller.ts';
import { parseBody } from './body/parseBody.ts';
import { type Exchange, headerOf } from './exchange.ts';
import { fieldErrors, WITH_INPUT } from './inputErrors.ts';
import type { Middleware } from './middleware.ts';
import { parseQueryString, type QueryString } from './queryString.ts';
import { OWN_TENANT, readQuery } from './readQuery.ts';

const mismatch = () =>
  new ProblemError(
    'TENANT_MISMATCH',
    'The request names another tenant. The tenant follows from the credential alone.',
  );

/** The credential alone selects the tenant. A tenant named elsewhere in the request must be the same one. */
const checkTenant = (exchange: Exchange, { values }: QueryString, caller: Caller): void => {
  const body = exchange.body.kind === 'value' ? exchange.body.value : undefined;
  const tenantIds: unknown[] = [
    ...(values.get(OWN_TENANT) ?? []),
    headerOf(exchange, 'x-tenant-id'),
    headerOf(exchange, 'tenant-id'),
    typeof body === 'object' && body !== null && 'tenant_id' in body ? body.tenant_id : undefined,
  ];
  if (tenantIds.some((id) => id !== undefined && id !== caller.tenant.tenant_id)) throw mismatch();
};

/** Ids carry a tenant tag. Another tenant's id is refused without a read, so its existence is not revealed. */
const readParameters = (exchange: Exchange): Record<string, string> => {
  const parameters: Record<string, string> = {};
  for (const [name, value] of Object.entries(exchange.gateway.pathParameters ?? {})) {
    const prefix = exchange.route.ids?.[name];
    parameters[name] = value ?? '';
    if (prefix === undefined || exchange.caller === undefined) continue;
    const parsed = parseId(value ?? '', prefix, exchange.caller.tenant.tag);
    if (parsed.kind === 'foreign') throw mismatch();
    if (parsed.kind === 'malformed') throw new ProblemError('NOT_FOUND', 'There is no such resource.');
    parameters[name] = parsed.ulid;
  }
  return parameters;
};

const readJson = (exchange: Exchange): unknown => {
  const { body: shape } = exchange.route;
  if (shape === undefined || exchange.body.kind !== 'value') return undefined;
  const schema = shape.accepts ?? shape.schema;
  const { value } = exchange.body;
  // In a partial update null asks to remove a value (RFC 7396), so it is refused where a value cannot be removed.
  const { data, error } =
    exchange.route.method === 'PATCH' ? schema.safeParse(value, WITH_INPUT) : parseBody(schema, value);
  if (error === undefined) return data;
  throw new ProblemError('VALIDATION_FAILED', 'The body does not match its schema.', {
    errors: fieldErrors(error, schema, value),
  });
};

/** Validates path parameters, query and body against the schemas of the route, and passes on only the parsed values. */
export const validate: Middleware = {
  before: ({ event: exchange }) => {
    // The fallback refuses every request, whatever it contains.
    if (exchange.route.access === 'optional') {
      exchange.input = { parameters: {}, query: {}, body: undefined };
      return;
    }
    if (exchange.body.kind === 'refused') throw exchange.body.problem;
    const query = parseQueryString(exchange.gateway.rawQueryString);
    if (exchange.caller !== undefined) checkTenant(exchange, query, exchange.caller);
    exchange.input = {
      parameters: readParameters(exchange),
      query: readQuery(exchange.route, query),
      body: readJson(exchange),
    };
  },
};
