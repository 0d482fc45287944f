import type * as z from 'zod';
import type { AuditAction } from '../identity/audit.ts';
import type { Scope } from '../identity/scopes.ts';
import { BYTES_PER_ITEM, type RateClass } from '../platform/limits.ts';
import type { Need } from '../platform/resources.ts';
import type { ErrorCode } from '../problems.ts';
import { type Authority, effects } from './authority.ts';
import type { Deprecation } from './deprecation.ts';
import type { Disclosure } from './disclosure.ts';
import type { Limits } from './limits.ts';

/**
 * The Lambda functions that serve HTTP routes. The entry of each is `functions/entries/api/<name>.unit.ts`.
 * Routes are split by privilege and by load. To move a route, change its `unit`. A unit has the name of the shelf or folder
 * that most of its operations are in.
 */
export const units = [
  'contract',
  'reference',
  'oauth',
  'signIn',
  'credentials',
  'ingest',
  'ingestBatches',
  'attribution',
  'corrections',
  'mappings',
  'settings',
  'budgets',
  'lookup',
  'reconciliation',
  'signals',
  'otlp',
  'partner',
  'reports',
  'exports',
  'webhooks',
  'console',
] as const;
export type UnitName = (typeof units)[number];

/**
 * Required authorization. `public`: none. `contract`: any valid credential, or none where the stack publishes its
 * contract. `optional`: none, but a valid credential identifies the caller. `caller`: any valid credential. A scope: a
 * valid credential that has this scope. `session`: a request that a page of the console makes; the operation reads the
 * session from its cookie.
 */
export type Access = 'public' | 'contract' | 'optional' | 'caller' | 'session' | Scope;

/** The response of a route with one status. Without `body` the response is empty. */
export interface ReplyShape {
  readonly description: string;
  readonly body?: z.ZodType;
  /** Default: application/json. */
  readonly contentType?: string;
  /** A browser gets the body as a page. */
  readonly isPageToo?: true;
  readonly headers?: Readonly<Record<string, string>>;
  /** The member of the body that holds a secret. An idempotent replay to another credential has null instead. */
  readonly secret?: string;
}

/**
 * The declaration of a route. Validation, handler types, the OpenAPI document, gateway routes, dispatch, IAM
 * permissions, the stores a handler receives and the error-response tests are derived from it.
 */
export interface RouteShape {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: `/${string}`;
  /** Name of the handler file and OpenAPI operationId. */
  readonly operation: string;
  /** What a caller can obtain through the route. */
  readonly authority: Authority;
  readonly unit: UnitName;
  readonly summary: string;
  readonly description?: string;
  readonly access: Access;
  /**
   * A scope that opens the route instead of the one in `access`. For reads of what the holders of both may know, such as a
   * budget, which its administrators and the readers of reports see.
   */
  readonly alternative?: Scope;
  /** Set when the route will be removed in a later major version. */
  readonly deprecated?: Deprecation;
  /** What the response tells about recorded calls. Required, so that every new route declares how it keeps k = 5. */
  readonly discloses: Disclosure;
  /**
   * The token bucket that a request is charged to. `none`: the request is free. `source`: the reserve of its network address,
   * for a call without a credential that stores something.
   */
  readonly rate: RateClass | 'none' | 'source';
  readonly needs: readonly Need[];
  /**
   * Path parameters that hold an id of the service, with the id prefix. An id of another tenant is rejected without a read.
   */
  readonly ids?: Readonly<Record<string, string>>;
  /** Limits that concern several members, or what is stored. The document publishes them, so that no release makes one stricter. */
  readonly limits?: Limits;
  readonly query?: z.ZodObject;
  /** The operation reads the raw query itself and reports its errors by redirect (RFC 6749 §4.1.2.1). */
  readonly queryErrors?: 'redirected';
  readonly body?: BodyShape;
  /** Action name in the audit log. Every outcome becomes an entry, rejected requests included. */
  readonly audit?: AuditAction;
  /**
   * The code of a response to a fault of the service. Default: INTERNAL_ERROR. For protocols whose senders lose the data on
   * 500.
   */
  readonly faultCode?: 'SERVICE_UNAVAILABLE';
  /** Error codes of the operation itself. Codes that follow from the other members are not listed. */
  readonly refuses?: readonly ErrorCode[];
  readonly replies: Readonly<Record<number, ReplyShape>>;
}

export interface BodyShape {
  /**
   * `form` is for the OAuth endpoints only (RFC 6749), `otlp` for the OpenTelemetry Protocol: protobuf or JSON, optionally
   * compressed with gzip, and errors as `google.rpc.Status`. `log` is for logs of gateways and providers: JSON or lines of
   * JSON, optionally compressed with gzip. Clients of these three send no Idempotency-Key.
   */
  readonly kind: 'json' | 'form' | 'otlp' | 'log';
  /** Accepted media types besides the default of `kind`. */
  readonly mediaTypes?: readonly string[];
  /** The body as published in the OpenAPI document. */
  readonly schema: z.ZodType;
  /**
   * Weaker schema used for validation, where the operation checks the members itself. Example: one invalid item of a batch
   * must not reject the others.
   */
  readonly accepts?: z.ZodType;
  /** The body may be omitted. It then counts as an empty object. */
  readonly optional?: boolean;
  /** Of the body as sent. */
  readonly maxBytes: number;
  /** Of the body after decompression. Only for `otlp` and `log`; other bodies may not be compressed. */
  readonly maxDecompressedBytes?: number;
}

const defaultMediaTypes = {
  json: 'application/json',
  form: 'application/x-www-form-urlencoded',
  otlp: 'application/x-protobuf',
  log: 'application/json',
} as const;

/** The accepted media types of a body. */
export const mediaTypesOf = ({ kind, mediaTypes = [] }: BodyShape): string[] => [
  defaultMediaTypes[kind],
  ...mediaTypes,
];

/** Most values and names in a body. More are PAYLOAD_TOO_LARGE before anything is made of them. */
export const itemsMaximumOf = ({ maxBytes, maxDecompressedBytes = maxBytes }: BodyShape): number =>
  Math.floor(maxDecompressedBytes / BYTES_PER_ITEM);

/** Declares a route and keeps its literal types for the handler. */
export const route = <const R extends RouteShape>(shape: R): R => shape;

/** The route key of API Gateway, also used for dispatch, for example `GET /healthz`. */
export const routeKey = (shape: RouteShape): string => `${shape.method} ${shape.path}`;

/**
 * The methods and paths that a route answers, each a route key of API Gateway. A GET route answers HEAD too (RFC 9110
 * §9.3.2), without a body.
 */
export const answeredKeysOf = (shape: RouteShape): string[] =>
  shape.method === 'GET' ? [routeKey(shape), `HEAD ${shape.path}`] : [routeKey(shape)];

/** The unit that the gateway gives the requests that match none of its routes. */
export const FALLBACK_UNIT: UnitName = 'contract';

/**
 * Whether this route requires a recent sign-in of a user's token (RFC 9470). Derived from the route's effect. A route
 * whose effect is `download` requires it only for a response with links, which its handler checks.
 */
export const requiresStepUp = ({ authority }: Pick<RouteShape, 'authority'>): boolean =>
  effects[authority.effect].stepUp === true;

/** Whether the route can return STEP_UP_REQUIRED. */
export const mayRequireStepUp = ({ authority }: Pick<RouteShape, 'authority'>): boolean =>
  effects[authority.effect].stepUp !== false;

/** Whether the route requires an Idempotency-Key: all mutations but those of a session, and of protocols without one. */
export const takesIdempotencyKey = (shape: RouteShape): boolean =>
  shape.method !== 'GET' &&
  shape.access !== 'session' &&
  (shape.body === undefined || shape.body.kind === 'json');

/**
 * Whether the response of a mutation is stored under its Idempotency-Key and returned on a retry. The operation runs
 * again only if a crash left no stored response. Ingestion only claims the key, because event ids deduplicate its effect.
 */
export const storesResponse = (shape: RouteShape): boolean =>
  takesIdempotencyKey(shape) && shape.rate !== 'ingest';

/** Whether an operation holds its Idempotency-Key itself, in one write with the claim of its event. */
export const holdsOwnKey = (shape: RouteShape): boolean => shape.needs.includes('claims.hold');

/** What the authentication and the rate limit of a call need. */
export const authenticationNeeds: readonly Need[] = [
  'access.read',
  'grants.read',
  'tenants.read',
  'signing.verify',
  'limits.charge',
];

/** All needs of a route: its own and those of the middlewares that run before it. Sorted, without duplicates. */
export const needsOf = (shape: RouteShape): Need[] => {
  const authenticated = shape.access === 'public' || shape.access === 'session' ? [] : authenticationNeeds;
  const idempotent: Need[] = storesResponse(shape)
    ? ['idempotency.store', 'sealing.derive']
    : takesIdempotencyKey(shape) && !holdsOwnKey(shape)
      ? ['idempotency.claim']
      : [];
  // The refusal of a connector is recorded, whether or not the route has an audit action.
  const audited: Need[] = shape.audit !== undefined || mayDenyCaller(shape) ? ['audit.append'] : [];
  return [...new Set([...shape.needs, ...authenticated, ...idempotent, ...audited])].sort();
};

/**
 * Whether the route can return INSUFFICIENT_SCOPE to an authenticated caller. A route that needs no scope refuses the
 * connectors of partners.
 */
export const mayDenyCaller = (shape: RouteShape): boolean =>
  requiredScopes(shape).length > 0 || shape.access === 'caller';

/** The scope that a route declares as its access, or undefined if it requires none. */
export const scopeOf = (shape: RouteShape): Scope | undefined =>
  shape.access === 'public' ||
  shape.access === 'contract' ||
  shape.access === 'optional' ||
  shape.access === 'session' ||
  shape.access === 'caller'
    ? undefined
    : shape.access;

/** All scopes that a caller needs: the access scope, and those of the data that the response reveals. */
export const requiredScopes = (shape: RouteShape): Scope[] => {
  const scope = scopeOf(shape);
  return [...new Set([...(scope === undefined ? [] : [scope]), ...shape.authority.reveals])];
};

/** The sets of scopes that open a route. A caller needs every scope of one set. */
export const sufficientScopes = (shape: RouteShape): Scope[][] => {
  const { alternative, authority } = shape;
  const other = alternative === undefined ? [] : [[...new Set([alternative, ...authority.reveals])]];
  return [requiredScopes(shape), ...other];
};
