import type * as z from 'zod';
import type { AuditAction } from '../access/audit.ts';
import type { Scope } from '../access/scopes.ts';
import type { RateClass } from '../platform/limits.ts';
import type { Need } from '../platform/resources.ts';
import type { ErrorCode } from '../problems.ts';
import { type Effect, effects } from './effect.ts';

/** The Lambda functions that answer HTTP; the entry of each is `functions/entries/api/<name>.unit.ts`. Split by privilege and by load; moving a route is changing one word. */
export const units = [
  'contract',
  'access',
  'signIn',
  'credentials',
  'ingestion',
  'batchIngestion',
  'attribution',
  'corrections',
  'identity',
  'tenancy',
  'budgets',
  'coverage',
  'signals',
  'reports',
  'exports',
  'webhooks',
] as const;
export type UnitName = (typeof units)[number];

/**
 * Who may call: `public` anyone; `contract` any valid credential, or anyone where the stack opens its contract;
 * `caller` any valid credential; otherwise a credential that has this scope.
 */
export type Access = 'public' | 'contract' | 'caller' | Scope;

/** What a route answers with one status. No schema means no body. */
export interface ReplyShape {
  readonly description: string;
  readonly body?: z.ZodType;
  readonly contentType?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

interface CommonShape {
  readonly path: `/${string}`;
  /** The operation's name: its file, its OpenAPI operationId. */
  readonly operation: string;
  readonly unit: UnitName;
  readonly summary: string;
  readonly description?: string;
  readonly access: Access;
  /** The token bucket a call is charged to; `none` costs nothing. */
  readonly rate: RateClass | 'none';
  readonly needs: readonly Need[];
  /** Path parameters that hold an id of ours, with its prefix: another tenant's id is refused without a read. */
  readonly ids?: Readonly<Record<string, string>>;
  readonly query?: z.ZodObject;
  readonly body?: BodyShape;
  /** What the audit log calls this operation; each of its outcomes, refusals too, becomes an entry. */
  readonly audit?: AuditAction;
  /** What the operation itself may refuse with, beyond what follows from the rest of the route. */
  readonly refuses?: readonly ErrorCode[];
  readonly replies: Readonly<Record<number, ReplyShape>>;
}

interface ReadShape extends CommonShape {
  readonly method: 'GET';
  readonly effect?: never;
}

interface MutationShape extends CommonShape {
  readonly method: 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Required, so that every new mutation decides whether it needs a recent sign-in. */
  readonly effect: Effect;
}

/**
 * A route, declared once. Validation, handler types, the OpenAPI document, gateway routes, dispatch, IAM,
 * the stores a handler receives and the refusal tests all follow from it.
 */
export type RouteShape = ReadShape | MutationShape;

export interface BodyShape {
  /** `form` is for the OAuth endpoints only (RFC 6749); they take no Idempotency-Key. */
  readonly kind: 'json' | 'form';
  /** Media types it may come as besides its kind's own. */
  readonly mediaTypes?: readonly string[];
  /** What the body is, as the OpenAPI document tells it. */
  readonly schema: z.ZodType;
  /** What the operation receives, where it must check the members itself since one bad item may not refuse the others. */
  readonly accepts?: z.ZodType;
  /** Nothing may be sent in its place; it then counts as an empty object. */
  readonly optional?: boolean;
  readonly maxBytes: number;
}

const defaultMediaTypes = { json: 'application/json', form: 'application/x-www-form-urlencoded' } as const;

/** The media types a body may come as. */
export const mediaTypesOf = ({ kind, mediaTypes = [] }: BodyShape): string[] => [
  defaultMediaTypes[kind],
  ...mediaTypes,
];

/** Declares a route; keeps its literal types for the handler. */
export const route = <const R extends RouteShape>(shape: R): R => shape;

/** The gateway's name of a route, and the key of dispatch. */
export const routeKey = (shape: RouteShape): string => `${shape.method} ${shape.path}`;

/** Whether a user's token needs a recent sign-in for this route (RFC 9470); follows from the route's effect. */
export const requiresStepUp = ({ effect }: RouteShape): boolean =>
  effect !== undefined && effects[effect].stepUp;

/** Every mutation takes an Idempotency-Key, except the OAuth endpoints, whose callers cannot send one. */
export const takesIdempotencyKey = (shape: RouteShape): boolean =>
  shape.method !== 'GET' && shape.body?.kind !== 'form';

/**
 * How a mutation keeps its promise of one effect: events deduplicate themselves, so their key is only claimed;
 * every other operation also stores its response, and runs again only where a crash left none.
 */
export const storesResponse = (shape: RouteShape): boolean =>
  takesIdempotencyKey(shape) && shape.rate !== 'ingest';

/** All a route may touch: its own needs and those of the steps every request passes before it. */
export const needsOf = (shape: RouteShape): Need[] => {
  const authenticated: Need[] =
    shape.access === 'public'
      ? []
      : ['access.read', 'grants.read', 'tenants.read', 'signing.verify', 'limits.charge'];
  const idempotent: Need[] = storesResponse(shape)
    ? ['idempotency.store', 'sealing.derive']
    : takesIdempotencyKey(shape)
      ? ['idempotency.claim']
      : [];
  const audited: Need[] = shape.audit === undefined ? [] : ['audit.append'];
  return [...new Set([...shape.needs, ...authenticated, ...idempotent, ...audited])].sort();
};

/** The scope a route asks for, if it asks for one. */
export const scopeOf = (shape: RouteShape): Scope | undefined =>
  shape.access === 'public' || shape.access === 'contract' || shape.access === 'caller'
    ? undefined
    : shape.access;
