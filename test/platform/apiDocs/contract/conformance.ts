import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { Problem } from '../../../../schemas/problems.ts';
import type { Answer } from '../../../support/client.ts';
import type { OpenApiDocument } from './openapiDocument.ts';

export interface Exchange {
  readonly method: string;
  /** The path as sent, without the query. */
  readonly path: string;
  readonly answer: Answer;
  /** Whether the request had a valid credential of a tenant. */
  readonly isAuthenticated: boolean;
}

interface ResponseObject {
  readonly headers?: Readonly<Record<string, { readonly schema: { readonly type: string } }>>;
  readonly content?: Readonly<Record<string, unknown>>;
}
interface Operation {
  readonly security: readonly unknown[];
  readonly responses: Readonly<Record<string, ResponseObject>>;
}

/** Headers of every response: HTTP, the connection, the gateway, and the security headers that `info` describes. */
const GENERAL_HEADERS: ReadonlySet<string> = new Set([
  'apigw-requestid',
  'cache-control',
  'connection',
  'content-encoding',
  'content-length',
  'content-security-policy',
  'content-type',
  'cross-origin-resource-policy',
  'date',
  'keep-alive',
  'referrer-policy',
  'set-cookie',
  'vary',
  'pragma',
  'x-content-type-options',
]);
const RATE_HEADERS = ['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset'];

const patternOf = (path: string): RegExp =>
  new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{[^}]+\}/g, '[^/]+')}$`);

/** The part of a JSON Pointer for a name. In a URI fragment, so it is percent-encoded too. */
const pointerPart = (name: string): string =>
  encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'));

/** The document with closed objects. Clients must accept new members, but this version must not send an undocumented one. */
const closed = (node: unknown): unknown => {
  if (typeof node !== 'object' || node === null) return node;
  if (Array.isArray(node)) return node.map(closed);
  const members = Object.fromEntries(Object.entries(node).map(([name, value]) => [name, closed(value)]));
  return { ...('type' in node && 'properties' in node && { additionalProperties: false }), ...members };
};

/** Whether the gateway answered itself: it knows no caller and no form of the route, and its trace is the request. */
export const isGatewayError = ({ headers }: Answer): boolean =>
  headers.has('x-trace-id') &&
  headers.get('x-trace-id') === headers.get('apigw-requestid')?.replaceAll('-', '');

/** Compares responses with the OpenAPI document: status, headers, content type and the schema of the body. */
export const conformanceOf = (document: OpenApiDocument) => {
  const ajv = new Ajv2020({ strict: false, allErrors: false });
  // The package is CommonJS: its default export is a namespace for an ES module.
  formats.default(ajv);
  ajv.addSchema({ ...Object(closed(document)), $id: 'openapi' });
  const validators = new Map<string, ValidateFunction>();
  const validatorAt = (pointer: string): ValidateFunction => {
    const known = validators.get(pointer) ?? ajv.compile({ $ref: `openapi#${pointer}` });
    validators.set(pointer, known);
    return known;
  };
  const paths = Object.entries(document.paths)
    .map(([path, operations]) => ({ path, operations, pattern: patternOf(path) }))
    // A fixed segment wins over a parameter, as at the gateway.
    .sort((one, other) => one.path.split('{').length - other.path.split('{').length);

  /** The response object for an exchange and its JSON Pointer; or why there is none. */
  const responseFor = ({ method, path, answer }: Exchange) => {
    const documented = method === 'HEAD' ? 'get' : method.toLowerCase();
    const matching = paths.filter(({ pattern }) => pattern.test(path));
    for (const { path: template, operations } of matching) {
      const operation = Object.entries(operations).find(([name]) => name === documented)?.[1] as
        | Operation
        | undefined;
      if (operation === undefined) continue;
      const response = operation.responses[String(answer.status)];
      if (response === undefined) return `${documented} ${template} documents no ${answer.status}`;
      const pointer = `/paths/${pointerPart(template)}/${documented}/responses/${answer.status}`;
      return { response, pointer, isPublic: operation.security.length === 0 };
    }
    // The function that answers unmatched requests sees the path decoded, so an encoded slash makes it another path.
    const isUnknown = matching.length === 0 || (/%2f/i.test(path) && answer.status === 404);
    const name = isUnknown ? 'UnknownPath' : 'MethodNotAllowed';
    const response = document['x-unmatched-responses'][name] as ResponseObject;
    const expected = name === 'UnknownPath' ? [404] : [405];
    if (![...expected, 400, 431].includes(answer.status)) {
      return `${method} ${path} answers ${answer.status} as ${name}`;
    }
    return { response, pointer: `/x-unmatched-responses/${name}`, isPublic: false };
  };

  const bodyFaults = (response: ResponseObject, pointer: string, { method, answer }: Exchange): string[] => {
    const { content } = response;
    const type = answer.headers.get('content-type')?.split(';')[0];
    if (method === 'HEAD') return answer.text === '' ? [] : ['HEAD has a body'];
    if (content === undefined) return answer.text === '' ? [] : ['a body where none is documented'];
    if (type === undefined || !(type in content || '*/*' in content))
      return [`content type ${type} is not documented`];
    // Pages, scripts and styles have no schema.
    if (!type.includes('json')) return [];
    const validate = validatorAt(`${pointer}/content/${pointerPart(type)}/schema`);
    if (validate(JSON.parse(answer.text))) return [];
    return (validate.errors ?? []).map(
      ({ instancePath, message, params }) => `body ${instancePath} ${message} ${JSON.stringify(params)}`,
    );
  };

  const headerFaults = (
    response: ResponseObject,
    isPublic: boolean,
    { answer, isAuthenticated }: Exchange,
  ): string[] => {
    const documented = new Map(
      Object.entries(response.headers ?? {}).map(([name, { schema }]) => [name.toLowerCase(), schema.type]),
    );
    const present = [...answer.headers.keys()].map((name) => name.replace(/^x-amzn-remapped-/, ''));
    // Most 401 come before a caller is known.
    const knowsCaller = isAuthenticated && !isPublic && answer.status < 500 && answer.status !== 401;
    const required = ['x-trace-id', ...(knowsCaller ? RATE_HEADERS : [])];
    return [
      ...present
        .filter((name) => !GENERAL_HEADERS.has(name) && !documented.has(name))
        .map((name) => `header ${name} is not documented`),
      ...required.filter((name) => !present.includes(name)).map((name) => `header ${name} is missing`),
      ...present
        .filter((name) => documented.get(name) === 'integer' && !/^\d+$/.test(answer.headers.get(name) ?? ''))
        .map((name) => `header ${name} is no integer`),
    ];
  };

  /** What of an exchange contradicts the document. Empty if nothing does. */
  return (exchange: Exchange): string[] => {
    if (isGatewayError(exchange.answer)) {
      const { body, text } = exchange.answer;
      return text === '' || Problem.safeParse(body).success ? [] : ['the gateway sends no problem'];
    }
    const found = responseFor(exchange);
    if (typeof found === 'string') return [found];
    const { response, pointer, isPublic } = found;
    return [...bodyFaults(response, pointer, exchange), ...headerFaults(response, isPublic, exchange)];
  };
};
