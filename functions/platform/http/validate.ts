import * as z from 'zod';
import type { FieldError } from '../../../schemas/problems.ts';
import type { RouteShape } from '../../../schemas/routes/route.ts';
import { parseId } from '../shared/ids.ts';
import { ProblemError } from '../shared/problem.ts';
import type { Caller } from '../tenancy/caller.ts';
import { type Exchange, headerOf } from './exchange.ts';
import { fieldErrors, parameterErrors } from './inputErrors.ts';
import type { Middleware } from './middleware.ts';

const mismatch = () =>
  new ProblemError(
    'TENANT_MISMATCH',
    'The request names another tenant. The tenant follows from the credential alone.',
  );

/** The credential alone selects the tenant. A tenant named elsewhere in the request must be the same one. */
const checkTenant = (exchange: Exchange, caller: Caller): void => {
  const body = exchange.body.kind === 'value' ? exchange.body.value : undefined;
  const tenantIds: unknown[] = [
    ...(exchange.gateway.queryStringParameters?.['tenant_id']?.split(',') ?? []),
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

/** Why the query is refused: a cursor, a page size, a filter, or a parameter of a route without filters. */
const toQueryProblem = (errors: readonly FieldError[], hasFilters: boolean): ProblemError => {
  const names = errors.map(({ parameter }) => parameter);
  if (names.includes('cursor')) {
    return new ProblemError('INVALID_CURSOR', 'The cursor is not valid.', { errors });
  }
  const code = !hasFilters || names.every((name) => name === 'limit') ? 'INVALID_REQUEST' : 'INVALID_FILTER';
  const [first] = errors;
  const subject = first?.parameter === undefined ? '' : `${first.parameter}: `;
  return new ProblemError(code, `The query is not valid. ${subject}${first?.detail ?? ''}`, { errors });
};

/** RFC 6749 §3.1 and §3.2 require the OAuth endpoints to ignore parameters that they do not know. */
const NO_PARAMETERS = z.strictObject({});
const queryShapeOf = ({ query, body }: RouteShape): z.ZodObject =>
  query ?? (body?.kind === 'form' ? z.looseObject({}) : NO_PARAMETERS);

const readQuery = (exchange: Exchange): unknown => {
  const shape = queryShapeOf(exchange.route);
  const { tenant_id: _own, ...query } = exchange.gateway.queryStringParameters ?? {};
  const { data, error } = shape.safeParse(query);
  if (error === undefined) return data;
  throw toQueryProblem(parameterErrors(error, Object.keys(shape.shape)), exchange.route.query !== undefined);
};

const readJson = (exchange: Exchange): unknown => {
  const { body: shape } = exchange.route;
  if (shape === undefined || exchange.body.kind !== 'value') return undefined;
  const { data, error } = (shape.accepts ?? shape.schema).safeParse(exchange.body.value);
  if (error === undefined) return data;
  throw new ProblemError('VALIDATION_FAILED', 'The body does not match its schema.', {
    errors: fieldErrors(error),
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
    if (exchange.caller !== undefined) checkTenant(exchange, exchange.caller);
    exchange.input = {
      parameters: readParameters(exchange),
      query: readQuery(exchange),
      body: readJson(exchange),
    };
  },
};
