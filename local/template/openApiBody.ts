import * as z from 'zod';
import { ignored } from './resourcesOfType.ts';

/** Where an operation names its integration. API Gateway also accepts an integration in the operation itself. */
const REFERENCE = '#/components/x-amazon-apigateway-integrations/';
const INVOCATION = /^arn:[^:]+:apigateway:[^:]*:lambda:path\/2015-03-31\/functions\/(.+)\/invocations$/;
/** The path whose operation answers the requests that match no other route. */
const DEFAULT_PATH = '/$default';

const Cors = z.strictObject({
  allowOrigins: z.array(z.string()),
  allowMethods: z.array(z.string()),
  allowHeaders: z.array(z.string()),
  exposeHeaders: z.array(z.string()),
  maxAge: z.number(),
});
export type CorsConfiguration = z.infer<typeof Cors>;

const Integration = z
  .strictObject({
    type: z.literal('aws_proxy'),
    httpMethod: z.literal('POST'),
    uri: z.string().regex(INVOCATION, 'must be the invocation of a function'),
    credentials: z.string().optional(),
    payloadFormatVersion: z.literal('2.0'),
    // 30 s is the default and the maximum of HTTP APIs.
    timeoutInMillis: z.number().max(30_000).default(30_000),
  })
  .transform(({ uri, credentials, timeoutInMillis }) => ({
    functionArn: INVOCATION.exec(uri)?.[1] ?? uri,
    credentials,
    timeoutMs: timeoutInMillis,
  }));
type Integration = z.infer<typeof Integration>;

const Operation = z.strictObject({
  // API Gateway warns when it is missing.
  responses: z.record(z.string(), z.strictObject({ description: z.string() })),
  'x-amazon-apigateway-integration': z.strictObject({ $ref: z.string().startsWith(REFERENCE) }),
  isDefaultRoute: z.literal(true).optional(),
});
const Parameter = z.strictObject({
  name: z.string(),
  in: z.literal('path'),
  required: z.literal(true),
  schema: z.strictObject({ type: z.literal('string') }),
});
const PathItem = z.strictObject({
  parameters: z.array(Parameter).default([]),
  get: Operation.optional(),
  head: Operation.optional(),
  post: Operation.optional(),
  put: Operation.optional(),
  patch: Operation.optional(),
  delete: Operation.optional(),
  options: Operation.optional(),
  'x-amazon-apigateway-any-method': Operation.optional(),
});

const Document = z.strictObject({
  openapi: z.string().startsWith('3.0.'),
  info: z.strictObject({ title: z.string(), version: z.string(), description: ignored }),
  // The default endpoint is an address of AWS.
  servers: ignored,
  'x-amazon-apigateway-cors': Cors.optional(),
  paths: z.record(z.string().startsWith('/'), PathItem),
  components: z.strictObject({ 'x-amazon-apigateway-integrations': z.record(z.string(), Integration) }),
  'x-amazon-apigateway-importexport-version': z.literal('1.0').optional(),
});
type Document = z.infer<typeof Document>;

/** One route of the HTTP API. The gateway waits `timeoutMs` for the function. */
export interface ImportedRoute extends Integration {
  routeKey: string;
}

/** The routes of a document, in the form in which API Gateway creates them. */
const routesOf = ({ paths, components }: Document, refuse: (message: string) => void): ImportedRoute[] => {
  const integrations = components['x-amazon-apigateway-integrations'];
  return Object.entries(paths).flatMap(([path, { parameters, ...operations }]) => {
    const declared = parameters.map(({ name }) => name).sort();
    const used = [...path.matchAll(/\{([^}]+)\}/g)].map(([, name = '']) => name).sort();
    if (declared.join() !== used.join())
      refuse(`${path} uses the parameters ${used}, and declares ${declared}`);
    return Object.entries(operations).flatMap(([method, operation]) => {
      if (operation === undefined) return [];
      const isDefault = operation.isDefaultRoute === true;
      if (isDefault !== (path === DEFAULT_PATH)) refuse(`${DEFAULT_PATH} is the path of the default route`);
      const name = operation['x-amazon-apigateway-integration'].$ref.slice(REFERENCE.length);
      const integration = integrations[name];
      if (integration === undefined) {
        refuse(`${path} names the integration ${name}, which the document does not declare`);
        return [];
      }
      const verb = method === 'x-amazon-apigateway-any-method' ? 'ANY' : method.toUpperCase();
      return [{ routeKey: isDefault ? '$default' : `${verb} ${path}`, ...integration }];
    });
  });
};

/** Two routes that differ in the names of parameters only are one route for API Gateway, which refuses the second. */
const refuseEqualRoutes = (routes: readonly ImportedRoute[], refuse: (message: string) => void): void => {
  const seen = new Map<string, string>();
  for (const { routeKey } of routes) {
    const shape = routeKey.replaceAll(/\{[^}+]+/g, '{');
    const equal = seen.get(shape);
    if (equal !== undefined) refuse(`${routeKey} matches the same requests as ${equal}`);
    seen.set(shape, routeKey);
  }
};

/**
 * The OpenAPI document of an HTTP API. Refuses what API Gateway refuses or warns about, and what the local runtime does not
 * support.
 */
export const OpenApiBody = Document.transform((document, context) => {
  const refuse = (message: string): void => {
    context.issues.push({ code: 'custom', message, input: document });
  };
  const routes = routesOf(document, refuse);
  refuseEqualRoutes(routes, refuse);
  return { routes, cors: document['x-amazon-apigateway-cors'] };
});
