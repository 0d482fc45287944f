import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiResponsesObject } from 'zod-openapi';
import { scopes } from '../../schemas/access/scopes.ts';
import { LABEL_WORDS_MAXIMUM, TEXT_WORDS_MAXIMUM } from '../../schemas/labels/confidentialText.ts';
import { type ErrorCode, errorCodes, Problem, problemTypes } from '../../schemas/problems.ts';
import {
  type BodyShape,
  mayRequireStepUp,
  mediaTypesOf,
  type RouteShape,
  requiredScopes,
  storesResponse,
  takesIdempotencyKey,
} from '../../schemas/routes/route.ts';
import { buildWebhooks } from './openapiWebhooks.ts';

const traceHeader = {
  'X-Trace-Id': { schema: { type: 'string' }, description: 'The trace of this request' },
} as const;

const rateHeaders = {
  'RateLimit-Limit': { schema: { type: 'integer' }, description: 'Capacity of the token bucket' },
  'RateLimit-Remaining': { schema: { type: 'integer' }, description: 'Tokens left' },
  'RateLimit-Reset': { schema: { type: 'integer' }, description: 'Seconds until the bucket is full' },
} as const;

/** The error codes a route can return, derived from its declaration. */
const refusalsOf = (route: RouteShape): ErrorCode[] => {
  const authenticated = route.access !== 'public';
  return errorCodes.filter((code) => {
    switch (code) {
      case 'INVALID_CREDENTIALS':
        return authenticated || route.body?.kind === 'form';
      case 'EXPIRED':
      case 'TENANT_MISMATCH':
        return authenticated;
      case 'INSUFFICIENT_SCOPE':
        return requiredScopes(route).length > 0;
      case 'RATE_LIMITED':
        return authenticated || route.body?.kind === 'form';
      case 'INVALID_REQUEST':
        return route.body !== undefined || route.query !== undefined;
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
      case 'SERVICE_UNAVAILABLE':
        return true;
      default:
        return route.refuses?.includes(code) ?? false;
    }
  });
};

const responsesOf = (route: RouteShape): ZodOpenApiResponsesObject => {
  const headers = { ...traceHeader, ...(route.access !== 'public' && rateHeaders) };
  const byStatus = Map.groupBy(refusalsOf(route), (code) => problemTypes[code].status);
  const refusals = [...byStatus].map(([status, codes]) => [
    status,
    {
      description: codes.map((code) => `${code}: ${problemTypes[code].title}`).join('; '),
      headers: { ...headers, ...(status === 429 || status === 503 ? retryHeader : {}) },
      content: { 'application/problem+json': { schema: Problem } },
    },
  ]);
  const replies = Object.entries(route.replies).map(([status, { description, body, headers: own = {} }]) => [
    status,
    {
      description,
      headers: { ...headers, ...(takesIdempotencyKey(route) && replayHeader), ...textHeaders(own) },
      ...(body !== undefined && { content: { 'application/json': { schema: body } } }),
    },
  ]);
  return Object.fromEntries([...refusals, ...replies]);
};

const textHeaders = (headers: Readonly<Record<string, string>>) =>
  Object.fromEntries(
    Object.entries(headers).map(([name, description]) => [
      name,
      { schema: { type: 'string' as const }, description },
    ]),
  );

const retryHeader = {
  'Retry-After': {
    schema: { type: 'integer' },
    description: 'Minimum number of seconds to wait before a retry',
  },
} as const;

const replayHeader = {
  'Idempotency-Replayed': {
    schema: { type: 'string', enum: ['true'] },
    description: 'Present if an identical request with this Idempotency-Key was received before',
  },
} as const;

const securityOf = (route: RouteShape): Record<string, string[]>[] =>
  route.access === 'public' ? [] : [{ apiKey: [] }, { oauth2: requiredScopes(route) }];

const parametersOf = (route: RouteShape) => [
  ...[...route.path.matchAll(/\{([^}]+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path' as const,
    required: true,
    schema: { type: 'string' as const },
  })),
  ...(takesIdempotencyKey(route)
    ? [
        {
          name: 'Idempotency-Key',
          in: 'header' as const,
          required: true,
          description: 'Unique for each operation and the same on each retry. Stored for 24 hours.',
          schema: { type: 'string' as const, minLength: 1, maxLength: 255 },
        },
      ]
    : []),
];

const contentOf = (body: BodyShape) =>
  Object.fromEntries(mediaTypesOf(body).map((type) => [type, { schema: body.schema }]));

const operationOf = (route: RouteShape): ZodOpenApiOperationObject => ({
  operationId: route.operation,
  summary: route.summary,
  tags: [route.unit],
  ...(route.description !== undefined && { description: route.description }),
  security: securityOf(route),
  parameters: parametersOf(route),
  ...(route.query !== undefined && { requestParams: { query: route.query } }),
  ...(route.body !== undefined && {
    requestBody: {
      required: true,
      content: contentOf(route.body),
    },
  }),
  responses: responsesOf(route),
});

/** Builds the OpenAPI 3.1 document of the routes, served at `baseUrl`. */
export const buildOpenapi = (routes: readonly RouteShape[], baseUrl: string) => {
  const paths: Record<string, Record<string, ZodOpenApiOperationObject>> = {};
  for (const route of routes) {
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operationOf(route) };
  }
  return createDocument({
    openapi: '3.1.1',
    info: {
      title: 'Inference Attribution API',
      version: '1.0.0',
      description:
        'Attributes the cost, energy and carbon of AI inference calls to owners and services, with evidence.\n\n' +
        'Every response of the service carries Content-Security-Policy, Cross-Origin-Resource-Policy, Referrer-Policy and ' +
        'X-Content-Type-Options; over HTTPS also Strict-Transport-Security.\n\n' +
        `Labels and names hold at most ${LABEL_WORDS_MAXIMUM} words, reasons and descriptions at most ${TEXT_WORDS_MAXIMUM}, and neither may ` +
        'hold a known shape of a secret, such as an API key, a token or a private key. Ingestion drops such an optional ' +
        'label and accepts the event. Everywhere else the request is refused with the member and the kind of secret.\n\n' +
        'Each credential belongs to one tenant. There is no API and no scope for partners yet: the connector of a ' +
        'partner uses an OAuth client of the tenant.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: baseUrl }],
    paths,
    webhooks: buildWebhooks(),
    components: {
      securitySchemes: {
        apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
        oauth2: {
          type: 'oauth2',
          flows: {
            clientCredentials: { tokenUrl: `${baseUrl}/v1/oauth/token`, scopes: { ...scopes } },
            authorizationCode: {
              authorizationUrl: `${baseUrl}/v1/oauth/authorize`,
              tokenUrl: `${baseUrl}/v1/oauth/token`,
              refreshUrl: `${baseUrl}/v1/oauth/token`,
              scopes: { ...scopes },
            },
          },
        },
      },
    },
  });
};
