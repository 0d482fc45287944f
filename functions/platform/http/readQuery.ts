import * as z from 'zod';
import type { FieldError } from '../../../schemas/fieldError.ts';
import { isList } from '../../../schemas/filters.ts';
import type { RouteShape } from '../../../schemas/routes/route.ts';
import { ProblemError } from '../shared/problem.ts';
import { parameterError, parameterErrors, WITH_INPUT } from './inputErrors.ts';
import { emptyPeriod } from './periods.ts';
import type { QueryString } from './queryString.ts';

/** A query parameter that every route accepts. It must name the tenant of the credential. */
export const OWN_TENANT = 'tenant_id';

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

const UNDECODABLE = 'is not percent-encoded UTF-8 (RFC 3986 §2.1)';
const REPEATED = 'is repeated. It has one value: send it once';

const isListIn = (shape: z.ZodObject, name: string): boolean => {
  const schema: z.core.$ZodType | undefined = shape.shape[name];
  return schema !== undefined && isList(schema);
};

/** Parameters that cannot be read, and repeated parameters that are no lists. */
const unreadableParameters = ({ values, undecodable }: QueryString, shape: z.ZodObject): FieldError[] => {
  return [
    ...undecodable.map((name) => parameterError(name, UNDECODABLE)),
    ...[...values].flatMap(([name, sent]) => {
      const isKnown = name in shape.shape || name === OWN_TENANT;
      const isRepeated = sent.length > 1 && isKnown && !isListIn(shape, name);
      return isRepeated ? [parameterError(name, REPEATED)] : [];
    }),
  ];
};

/**
 * The query of a request, parsed with the schema of its route. It is answered as it was sent or refused: every parameter
 * can be decoded, is known, has one value unless it is a list, and no period is empty.
 */
export const readQuery = (route: RouteShape, sent: QueryString): unknown => {
  const shape = queryShapeOf(route);
  const known = Object.keys(shape.shape);
  // A browser calls these routes. Their parameters are no filters.
  const isForBrowsers = route.access === 'public' || route.access === 'session';
  const hasFilters = route.query !== undefined && !isForBrowsers;
  const unreadable = unreadableParameters(sent, shape);
  if (unreadable.length > 0 && route.queryErrors !== 'redirected')
    throw toQueryProblem(unreadable, hasFilters);
  // Each value of a repeated list is taken as it was sent, also with commas. What else is repeated is refused above, or by
  // the operation, which redirects.
  const query = Object.fromEntries(
    [...sent.values].map(([name, values]) => [
      name,
      values.length > 1 && isListIn(shape, name) ? values : values[0],
    ]),
  );
  delete query[OWN_TENANT];
  const { data, error } = shape.safeParse(query, WITH_INPUT);
  if (error !== undefined) throw toQueryProblem(parameterErrors(error, known), hasFilters);
  const empty = emptyPeriod(query, known);
  if (empty !== null) throw empty;
  return data;
};
