import * as z from 'zod';
import type { ZodOpenApiResponseObject, ZodOpenApiResponsesObject } from 'zod-openapi';
import { type ErrorCode, errorCodes, Problem, problemTypes } from '../../../../schemas/problems.ts';
import { GatewayError, OAuthProblem, OtlpProblem } from '../../../../schemas/protocolProblems.ts';
import {
  mayDenyCaller,
  mayRequireStepUp,
  type RouteShape,
  storesResponse,
  takesIdempotencyKey,
} from '../../../../schemas/routes/route.ts';

type Headers = NonNullable<ZodOpenApiResponseObject['headers']>;

const header = (type: 'string' | 'integer', description: string) => ({ schema: { type }, description });

const traceHeader: Headers = { 'X-Trace-Id': header('string', 'The trace of this request') };

const rateHeaders: Headers = {
  'RateLimit-Limit': header('integer', 'Capacity of the token bucket'),
  'RateLimit-Remaining': header('integer', 'Tokens left'),
  'RateLimit-Reset': header('integer', 'Seconds until the bucket is full. Retry-After tells when to retry'),
};

const retryHeader: Headers = {
  'Retry-After': header('integer', 'Minimum number of seconds to wait before a retry'),
};

const replayHeader: Headers = {
  'Idempotency-Replayed': {
    schema: { type: 'string', enum: ['true'] },
    description: 'Present if an identical request with this Idempotency-Key was received before',
  },
};

const challengeHeader: Headers = {
  'WWW-Authenticate': header(
    'string',
    'The authentication scheme (RFC 9110). For a Bearer token with error and error_description (RFC 6750). Without CloudFront the header is named x-amzn-remapped-www-authenticate. The member www_authenticate of the body repeats it',
  ),
};

const locationHeader: Headers = { Location: header('string', 'Path of the created resource') };

const degradedHeader: Headers = {
  Degraded: header(
    'string',
    'Present if a protection was not available and the request was accepted without it',
  ),
};

const isAuthenticated = ({ access }: RouteShape): boolean => access !== 'public';

const deprecationHeaders = ({ deprecated }: RouteShape): Headers =>
  deprecated === undefined
    ? {}
    : {
        Deprecation: header('string', 'When the operation was deprecated: @<unix seconds> (RFC 9745)'),
        ...(deprecated.sunset !== undefined && {
          Sunset: header('string', 'After this date the operation can be absent (RFC 8594)'),
        }),
        Link: header('string', 'The migration guide, with the relation deprecation'),
      };

/** The error codes a route can return, derived from its declaration. */
const refusalsOf = (route: RouteShape): ErrorCode[] => {
  const authenticated = isAuthenticated(route);
  return errorCodes.filter((code) => {
    switch (code) {
      case 'INVALID_CREDENTIALS':
        return authenticated || route.body?.kind === 'form';
      case 'EXPIRED':
      case 'TENANT_MISMATCH':
        return authenticated;
      case 'INSUFFICIENT_SCOPE':
        return mayDenyCaller(route);
      case 'RATE_LIMITED':
        return authenticated || route.body?.kind === 'form' || route.rate === 'source';
      case 'PAYLOAD_TOO_LARGE':
      case 'UNSUPPORTED_MEDIA_TYPE':
        return route.body !== undefined;
      case 'VALIDATION_FAILED':
        return route.body?.kind === 'json';
      case 'IDEMPOTENCY_KEY_REQUIRED':
      case 'IDEMPOTENCY_CONFLICT':
        return takesIdempotencyKey(route);
      case 'IDEMPOTENCY_IN_PROGRESS':
        return storesResponse(route);
      case 'STEP_UP_REQUIRED':
        return authenticated && mayRequireStepUp(route);
      case 'RESIDENCY_BLOCKED':
        return authenticated;
      case 'INVALID_CURSOR':
      case 'INVALID_FILTER':
        return authenticated && route.query !== undefined;
      case 'NOT_FOUND':
        return route.path.includes('{');
      case 'INTERNAL_ERROR':
        return route.faultCode === undefined;
      // Every route refuses unknown query parameters, except OAuth endpoints. The gateway refuses malformed requests.
      case 'INVALID_REQUEST':
      case 'HEADERS_TOO_LARGE':
      case 'SERVICE_UNAVAILABLE':
        return true;
      default:
        return route.refuses?.includes(code) ?? false;
    }
  });
};

/** Statuses of refusals that are stored and replayed; see functions/platform/idempotency/idempotentResponse.ts. */
const REPLAYED_REFUSALS: ReadonlySet<number> = new Set([404, 409, 422]);

/** Statuses that the gateway sends too, in its own form. Its version of a 413 or 429 has no X-Trace-Id. */
const GATEWAY_STATUSES: ReadonlySet<number> = new Set([400, 413, 429, 431, 500, 503]);

/** The headers of a refusal. The gateway sends 431 before a caller is known; a 401 has one only for a missing step-up. */
const refusalHeaders = (route: RouteShape, status: number, codes: readonly ErrorCode[]): Headers => {
  const knowsCaller = status === 401 ? codes.includes('STEP_UP_REQUIRED') : status !== 431;
  return {
    ...traceHeader,
    ...(status !== 431 && deprecationHeaders(route)),
    ...(isAuthenticated(route) && knowsCaller && rateHeaders),
    ...((status === 401 || codes.includes('INSUFFICIENT_SCOPE')) && challengeHeader),
    ...(codes.some((code) => problemTypes[code].retryable && code !== 'INTERNAL_ERROR') && retryHeader),
    ...(storesResponse(route) && REPLAYED_REFUSALS.has(status) && replayHeader),
  };
};

/**
 * An OAuth endpoint answers a client that accepts only application/json with that type, except for a 401. An OpenTelemetry
 * endpoint answers in the type of the request. Other routes have application/json only for errors of the gateway.
 */
const refusalContent = (route: RouteShape, status: number) => {
  const kind = route.body?.kind;
  if (kind === 'otlp' && status !== 431) return { 'application/json': { schema: OtlpProblem }, ...protobuf };
  if (kind !== 'form' || status === 431)
    return {
      'application/problem+json': { schema: Problem },
      ...(GATEWAY_STATUSES.has(status) && { 'application/json': { schema: GatewayError } }),
    };
  return {
    'application/problem+json': { schema: OAuthProblem },
    ...(status !== 401 && { 'application/json': { schema: OAuthProblem } }),
  };
};

const protobuf = { 'application/x-protobuf': { schema: { type: 'string' as const, format: 'binary' } } };

/** All responses of a route: its own, and the refusals that follow from its declaration. */
export const responsesOf = (route: RouteShape): ZodOpenApiResponsesObject => {
  const byStatus = Map.groupBy(refusalsOf(route), (code) => problemTypes[code].status);
  const refusals = [...byStatus].map(([status, codes]) => [
    status,
    {
      description: codes.map((code) => `${code}: ${problemTypes[code].title}`).join('; '),
      headers: refusalHeaders(route, status, codes),
      content: refusalContent(route, status),
    },
  ]);
  const replies = Object.entries(route.replies).map(
    ([status, { description, body, contentType = 'application/json', isPageToo, headers: own = {} }]) => [
      status,
      {
        description,
        headers: {
          ...traceHeader,
          ...deprecationHeaders(route),
          ...(isAuthenticated(route) && rateHeaders),
          ...(takesIdempotencyKey(route) && replayHeader),
          ...(route.rate === 'ingest' && degradedHeader),
          ...(storesResponse(route) && (status === '201' || status === '202') && locationHeader),
          ...Object.fromEntries(Object.entries(own).map(([name, text]) => [name, header('string', text)])),
        },
        ...(body !== undefined && {
          content: {
            [contentType]: { schema: body },
            ...(isPageToo && { 'text/html': { schema: { type: 'string' as const } } }),
            ...(route.body?.kind === 'otlp' && protobuf),
          },
        }),
      },
    ],
  );
  return Object.fromEntries([...refusals, ...replies]);
};

const problemContent = { 'application/problem+json': { schema: z.union([Problem, OAuthProblem]) } };

/** Responses to requests that match no operation of the document. */
export const unmatchedResponses: Record<string, ZodOpenApiResponseObject> = {
  UnknownPath: {
    description:
      'No operation has this path. With a valid credential, the problem has its tenant_id and the response its RateLimit headers.',
    headers: { ...traceHeader, ...rateHeaders },
    content: problemContent,
  },
  MethodNotAllowed: {
    description: 'The path has no operation with this method.',
    headers: { ...traceHeader, ...rateHeaders, Allow: header('string', 'The methods of the path') },
    content: problemContent,
  },
};
