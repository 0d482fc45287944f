import type * as z from 'zod';
import type { FieldError } from '../../schemas/problems.ts';
import { parseId } from '../shared/ids.ts';
import { ProblemError } from '../shared/problem.ts';
import type { Caller } from '../tenancy/caller.ts';
import { type Exchange, headerOf } from './exchange.ts';
import type { Middleware } from './middleware.ts';

const ERRORS_MAXIMUM = 100;

const pointerOf = (path: readonly PropertyKey[]): string =>
  path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

/** Faults as the caller sees them: where and what, never the value. */
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
    .slice(0, ERRORS_MAXIMUM);

const mismatch = () => new ProblemError('TENANT_MISMATCH', 'The tenant follows from the credential alone.');

/** A tenant named anywhere but in the credential chooses nothing, and must at least be the caller's own. */
const checkTenant = (exchange: Exchange, caller: Caller): void => {
  const body = exchange.body.kind === 'value' ? exchange.body.value : undefined;
  const named: unknown[] = [
    ...(exchange.gateway.queryStringParameters?.['tenant_id']?.split(',') ?? []),
    headerOf(exchange, 'x-tenant-id'),
    headerOf(exchange, 'tenant-id'),
    typeof body === 'object' && body !== null && 'tenant_id' in body ? body.tenant_id : undefined,
  ];
  if (named.some((name) => name !== undefined && name !== caller.tenant.tenant_id)) throw mismatch();
};

/** Ids tell their tenant: another tenant's is refused without a read, so that nobody learns whether it exists. */
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
    'A filter or sort field is not offered here, or its value cannot be read.',
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

/** Checks everything the caller sent against the route's schemas; what passes is what the operation receives. */
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
