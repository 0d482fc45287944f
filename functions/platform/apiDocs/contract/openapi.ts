import { createDocument, type ZodOpenApiOperationObject } from 'zod-openapi';
import { scopes } from '../../../../schemas/identity/scopes.ts';
import { routeGroups } from '../../../../schemas/routes/index.ts';
import {
  type BodyShape,
  mediaTypesOf,
  type RouteShape,
  sufficientScopes,
  takesIdempotencyKey,
} from '../../../../schemas/routes/route.ts';
import { responsesOf, unmatchedResponses } from './openapiResponses.ts';
import { publishSchema, withOpenReferences } from './openapiSchemas.ts';
import { buildWebhooks, WEBHOOK_TAG } from './openapiWebhooks.ts';
import { shareComponents } from './sharedComponents.ts';

const securityOf = (route: RouteShape): Record<string, string[]>[] =>
  route.access === 'public' ? [] : [{ apiKey: [] }, ...sufficientScopes(route).map((oauth2) => ({ oauth2 }))];

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
          description:
            'Unique for each operation and the same on each retry. Stored for 24 hours. Sent once: a repeated header is refused, and so is a key with a comma outside double quotes, because gateways join repeated headers with commas.',
          schema: { type: 'string' as const, minLength: 1, maxLength: 255 },
        },
      ]
    : []),
];

const contentOf = (body: BodyShape) =>
  Object.fromEntries(mediaTypesOf(body).map((type) => [type, { schema: body.schema }]));

/** Limits that JSON Schema has no keyword for. */
const limitsOf = ({ body, limits }: RouteShape): object | undefined =>
  body === undefined && limits === undefined
    ? undefined
    : { ...(body !== undefined && { bytes: body.maxBytes }), ...limits };

const operationOf = (route: RouteShape): ZodOpenApiOperationObject => ({
  operationId: route.operation,
  summary: route.summary,
  tags: routeGroups.filter((group) => group.routes.includes(route)).map(({ name }) => name),
  ...(route.description !== undefined && { description: route.description }),
  ...(route.deprecated !== undefined && { deprecated: true }),
  security: securityOf(route),
  parameters: parametersOf(route),
  ...(route.query !== undefined && { requestParams: { query: route.query } }),
  ...(route.body !== undefined && {
    requestBody: {
      required: route.body.optional !== true,
      content: contentOf(route.body),
    },
  }),
  responses: responsesOf(route),
  ...(limitsOf(route) && { 'x-limits': limitsOf(route) }),
});

const DESCRIPTION = [
  'Attributes the cost, energy and carbon of AI inference calls to owners and services, with evidence.',
  'Every response of the service carries Content-Security-Policy, Cross-Origin-Resource-Policy, Referrer-Policy and X-Content-Type-Options; over HTTPS also Strict-Transport-Security.',
  'x-limits of an operation are bytes of its body, and what its description explains. Texts hold at most x-max-words words, and none may hold a known shape of a secret, such as an API key, a token or a private key. Ingestion drops such an optional label and accepts the event. Everywhere else the request is refused with the member and the kind of secret.',
  'Each credential belongs to one tenant. The connector of a partner is an OAuth client of the tenant with the only scope partner:connector. It can use the paths below /api/partner/v1 for its source systems, and nothing else.',
  'Every GET operation also answers HEAD, with the same status and headers and without a body. A path without an operation answers as x-unmatched-responses/UnknownPath, another method as MethodNotAllowed.',
  'Every error is a problem (RFC 9457) of the catalogue at GET /errors. Unknown query parameters are refused with INVALID_FILTER or INVALID_REQUEST; only the OAuth endpoints ignore them, as RFC 6749 requires. So are values that are not percent-encoded UTF-8, periods that contain no instant, and repeated parameters, unless the parameter is a list: a list is repeated, JSON, or comma-separated. Requests that Amazon API Gateway refuses itself (malformed or too large requests, its throttle, a function that does not answer) have its own body {"message": …}; a self-hosted gateway sends problems for them too.',
].join('\n\n');

/** Builds the OpenAPI 3.1 document of the routes, served at `baseUrl`. */
export const buildOpenapi = (routes: readonly RouteShape[], baseUrl: string) => {
  const paths: Record<string, Record<string, ZodOpenApiOperationObject>> = {};
  for (const route of routes) {
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operationOf(route) };
  }
  const document = createDocument(
    {
      openapi: '3.1.1',
      info: {
        title: 'Inference Attribution API',
        version: '1.0.0',
        description: DESCRIPTION,
        contact: { name: 'The operator of this service', url: baseUrl },
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      servers: [{ url: baseUrl }],
      tags: [...routeGroups.map(({ name, description }) => ({ name, description })), WEBHOOK_TAG],
      paths,
      webhooks: buildWebhooks(),
      components: {
        responses: unmatchedResponses,
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
    },
    { override: publishSchema },
  );
  return shareComponents(Object(withOpenReferences(document)));
};
