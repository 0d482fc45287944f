import type * as z from 'zod';
import type { FieldError } from '../../schemas/problems.ts';
import { parseId } from '../shared/ids.ts';
import { ProblemError } from '../shared/problem.ts';
import type { Caller } from '../tenancy/caller.ts';
import { type Exchange, headerOf } from './exchange.ts';
import type { Middleware } from './middleware.ts';

const MAX_ERRORS = 100;

const pointerOf = (path: readonly PropertyKey[]): string =>
  path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

/** Field errors for the caller: a JSON pointer and a message, never the value. */
export const fieldErrors = (error: z.ZodError): FieldError[] =>
  error.issues
    .flatMap((issue) =>
      issue.code === 'unrecognized_keys'
        ? issue.keys.map((key) => ({
            pointer: pointerOf([...issue.path, key]),
            detail: 'Unknown or read-only member.',
          }))
        : [{ pointer: pointerOf(issue.path), detail: issue.message }],
    )
    .slice(0, MAX_ERRORS);

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

const readQuery = (exchange: Exchange): unknown => {
  const { query: shape } = exchange.route;
  if (shape === undefined) return {};
  const { tenant_id: _own, ...query } = exchange.gateway.queryStringParameters ?? {};
  const { data, error } = shape.safeParse(query);
  if (error === undefined) return data;
  const fields = error.issues.map((issue) => String(issue.path[0] ?? ''));
  if (fields.includes('cursor')) throw new ProblemError('INVALID_CURSOR', 'The cursor is not valid.');
  if (fields.includes('limit'))
    throw new ProblemError('INVALID_REQUEST', 'limit must be a whole number from 1 to 200.');
  throw new ProblemError(
    'INVALID_FILTER',
    'A filter or sort field is not supported by this route, or its value is invalid.',
  );
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
    if (exchange.body.kind === 'refused') throw exchange.body.problem;
    if (exchange.caller !== undefined) checkTenant(exchange, exchange.caller);
    exchange.input = {
      parameters: readParameters(exchange),
      query: readQuery(exchange),
      body: readJson(exchange),
    };
  },
};
