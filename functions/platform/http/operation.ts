import type * as z from 'zod';
import type { AuditAction } from '../../../schemas/identity/audit.ts';
import type { BodyShape, RouteShape } from '../../../schemas/routes/route.ts';
import type { StoresOf } from '../../stores.ts';
import type { Claim } from '../shared/retry/optimisticUpdate.ts';
import type { Caller } from '../tenancy/caller.ts';
import type { AuditContext } from './auditContext.ts';
import { auditContextOf } from './auditContext.ts';
import type { BodyDecoder, Exchange } from './exchange.ts';
import type { Reply } from './reply.ts';
import type { UnderKey } from './underKey.ts';

type Query<R extends RouteShape> = R['query'] extends z.ZodType ? z.output<R['query']> : Record<never, never>;

type BodyOf<B> = B extends { accepts: infer S extends z.ZodType }
  ? z.output<S>
  : B extends { schema: infer S extends z.ZodType }
    ? z.output<S>
    : undefined;

type CallerOf<R extends RouteShape> = R['access'] extends 'public' | 'contract' | 'optional' | 'session'
  ? Caller | undefined
  : Caller;

/** Present if the response of the operation is stored. */
type ClaimOf<R extends RouteShape> = R['method'] extends 'GET'
  ? undefined
  : R['rate'] extends 'ingest' | 'none'
    ? undefined
    : Claim;

/** Present if the operation holds its Idempotency-Key itself. */
type UnderKeyOf<R extends RouteShape> = 'claims.hold' extends R['needs'][number] ? UnderKey : undefined;

type AuditOf<R extends RouteShape> = R['audit'] extends AuditAction ? AuditContext : undefined;

/** The input of an operation: validated values, the caller, and only the stores its route declares. */
export interface Call<R extends RouteShape> {
  /** Path parameters. One of our ids is reduced to its ULID. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly query: Query<R>;
  readonly body: BodyOf<R['body'] & BodyShape>;
  readonly caller: CallerOf<R>;
  /** Arrival time in epoch milliseconds. For an idempotent replay, that of the first call. */
  readonly receivedAt: number;
  readonly claim: ClaimOf<R>;
  readonly underKey: UnderKeyOf<R>;
  /** The context of audit entries, if the route declares an audit action. */
  readonly auditContext: AuditOf<R>;
  /** Unique for each request. A retry has another one. */
  readonly requestId: string;
  readonly header: (name: string) => string | undefined;
  /** The raw query string. */
  readonly rawQuery: string;
  /** Each as `name=value`. */
  readonly cookies: readonly string[];
  /** Source address and trace of the request, for the audit entries of public endpoints. */
  readonly origin: Pick<AuditContext, 'sourceIp' | 'traceId'>;
  /** The request's path, decoded. */
  readonly path: string;
  /** The method as sent. A GET route also answers HEAD. */
  readonly requestMethod: string;
  readonly stores: StoresOf<R>;
}

/** An operation bound to its stores. */
export interface BoundOperation {
  readonly route: RouteShape;
  readonly decode?: BodyDecoder;
  readonly run: RequestHandler;
}

export type RequestHandler = (exchange: Exchange) => Promise<Reply>;

/**
 * Binds a route to its handler. Call the result with the stores of the route to get an operation for a unit. A handler
 * that uses a store its route does not declare does not compile. `decode` reads the body of a route whose body is not JSON.
 */
export const operation =
  <R extends RouteShape>(route: R, handle: (call: Call<R>) => Promise<Reply> | Reply, decode?: BodyDecoder) =>
  (stores: StoresOf<R>): BoundOperation => ({
    route,
    ...(decode !== undefined && { decode }),
    run: async (exchange) => {
      const { input, caller, receivedAt, gateway, lambda, sourceIp, trace } = exchange;
      const cookies: readonly string[] = gateway.cookies ?? [];
      const header = (name: string) => gateway.headers[name] ?? undefined;
      // Validation parsed each part with the schemas of this route, so the cast only assigns the parsed types.
      const call = {
        ...input,
        caller,
        receivedAt,
        claim: exchange.claim,
        underKey: exchange.underKey,
        auditContext: auditContextOf(exchange),
        header,
        rawQuery: gateway.rawQueryString,
        cookies,
        origin: { sourceIp, traceId: trace.traceId },
        path: gateway.rawPath,
        requestMethod: gateway.requestContext.http.method,
        requestId: lambda.awsRequestId,
        stores,
      } as Call<R>;
      return handle(call);
    },
  });
