import {
  CORS_MAX_AGE_SECONDS,
  CORS_METHODS,
  CORS_REQUEST_HEADERS,
  CORS_RESPONSE_HEADERS,
} from '../../schemas/platform/cors.ts';
import { consoleRoutes, routes } from '../../schemas/routes/index.ts';
import { answeredKeysOf, FALLBACK_UNIT, type UnitName, units } from '../../schemas/routes/route.ts';
import type { Settings } from '../settings.ts';
import { UNIT_TIMEOUT_SECONDS } from './units.ts';

/** Lambda allows a new execution environment this time before the timeout of the function begins. */
const INITIALIZATION_SECONDS = 10;
/** Longer than the slowest answer of the function. Otherwise the gateway answers instead, without a problem document. */
const INTEGRATION_TIMEOUT_MILLISECONDS = (INITIALIZATION_SECONDS + UNIT_TIMEOUT_SECONDS) * 1_000;
const INTEGRATIONS = 'x-amazon-apigateway-integrations';

export interface OpenApiBodyProps {
  readonly settings: Pick<Settings, 'corsOrigins' | 'domainName'>;
  /** The role that the API assumes to invoke a function. */
  readonly invokerArn: string;
  /** The integration URI of the function of a unit. */
  readonly uriOf: (unit: UnitName) => string;
}

type PathItem = Record<string, object>;

/** A missing response or path parameter is a warning of the import. */
const operationOf = (unit: UnitName) => ({
  responses: { default: { description: 'The contract of the service describes the responses' } },
  'x-amazon-apigateway-integration': { $ref: `#/components/${INTEGRATIONS}/${unit}` },
});

/** The parameters of a path, as API Gateway exports them: `{path+}` is named `path+`. */
const parametersOf = (path: string): PathItem => {
  const names = [...path.matchAll(/\{(\w+\+?)\}/g)].map(([, name = '']) => name);
  const parameters = names.map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } }));
  return parameters.length === 0 ? {} : { parameters };
};

const pathItems = (): Record<string, PathItem> => {
  const items = new Map<string, PathItem>();
  for (const route of [...routes, ...consoleRoutes]) {
    const item = items.get(route.path) ?? parametersOf(route.path);
    for (const key of answeredKeysOf(route)) {
      const [method = ''] = key.split(' ');
      item[method.toLowerCase()] = operationOf(route.unit);
    }
    items.set(route.path, item);
  }
  return Object.fromEntries(items);
};

/**
 * The OpenAPI document that API Gateway imports as the HTTP API: all routes of the route table, each with the integration of
 * its unit. An import reads nothing of the API but this document, so CORS and the default endpoint are declared here.
 */
export const openApiBody = ({ settings, invokerArn, uriOf }: OpenApiBodyProps): object => ({
  openapi: '3.0.1',
  info: {
    title: 'Inference attribution',
    description: 'Attributes inference cost, energy and carbon',
    version: '1',
  },
  // With a custom domain, no caller can go around it.
  ...(settings.domainName !== undefined && {
    servers: [
      {
        url: `https://${settings.domainName}`,
        'x-amazon-apigateway-endpoint-configuration': { disableExecuteApiEndpoint: true },
      },
    ],
  }),
  // Without credentials: a page sends a key or token that it holds, and never a cookie.
  ...(settings.corsOrigins.length > 0 && {
    'x-amazon-apigateway-cors': {
      allowOrigins: settings.corsOrigins,
      allowMethods: CORS_METHODS,
      allowHeaders: CORS_REQUEST_HEADERS,
      exposeHeaders: CORS_RESPONSE_HEADERS,
      maxAge: CORS_MAX_AGE_SECONDS,
    },
  }),
  paths: {
    ...pathItems(),
    '/$default': {
      'x-amazon-apigateway-any-method': { isDefaultRoute: true, ...operationOf(FALLBACK_UNIT) },
    },
  },
  components: {
    [INTEGRATIONS]: Object.fromEntries(
      units.map((unit) => [
        unit,
        {
          type: 'aws_proxy',
          httpMethod: 'POST',
          uri: uriOf(unit),
          credentials: invokerArn,
          payloadFormatVersion: '2.0',
          timeoutInMillis: INTEGRATION_TIMEOUT_MILLISECONDS,
        },
      ]),
    ),
  },
  'x-amazon-apigateway-importexport-version': '1.0',
});
