import type * as z from 'zod';
import type { AuditAction } from '../../schemas/access/audit.ts';
import type { BodyShape, RouteShape } from '../../schemas/routes/route.ts';
import type { Revision } from '../shared/aws/document.store.ts';
import type { StoresOf } from '../stores.ts';
import type { Caller } from '../tenancy/caller.ts';
import type { AuditContext } from './auditContext.ts';
import { auditContextOf } from './auditContext.ts';
import type { Exchange } from './exchange.ts';
import type { Reply } from './reply.ts';

type Query<R extends RouteShape> = R['query'] extends z.ZodType ? z.output<R['query']> : Record<never, never>;

type BodyOf<B> = B extends { accepts: infer S extends z.ZodType }
  ? z.output<S>
  : B extends { schema: infer S extends z.ZodType }
    ? z.output<S>
    : undefined;

type CallerOf<R extends RouteShape> = R['access'] extends 'public' | 'contract' ? Caller | undefined : Caller;

/** Present where the operation's response is stored; ids and secrets of what it brings about follow from it. */
type ClaimOf<R extends RouteShape> = R['method'] extends 'GET'
  ? undefined
  : R['rate'] extends 'ingest' | 'none'
    ? undefined
    : Revision;

type AuditOf<R extends RouteShape> = R['audit'] extends AuditAction ? AuditContext : undefined;

/** What an operation works with: checked input, who calls, and only the stores its route declares. */
export interface Call<R extends RouteShape> {
  /** Path parameters; an id of ours arrives as its ULID. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly query: Query<R>;
  readonly body: BodyOf<R['body'] & BodyShape>;
  /** The JSON value as sent, for what validation dropped from `body`. */
  readonly rawBody: unknown;
  readonly caller: CallerOf<R>;
  /** Epoch milliseconds; for an idempotent replay, when the first call arrived. */
  readonly receivedAt: number;
  readonly claim: ClaimOf<R>;
  /** What the operation tells the audit log, where its route names an action. */
  readonly auditContext: AuditOf<R>;
  /** Unique to this call, a retry included. */
  readonly requestId: string;
  readonly header: (name: string) => string | undefined;
  /** The query as it was sent: `query` shows a repeated parameter as one. */
  readonly rawQuery: string;
  /** Each as `name=value`. */
  readonly cookies: readonly string[];
  /** Where the call came from, for what an open endpoint tells the audit log. */
  readonly origin: Pick<AuditContext, 'sourceIp' | 'traceId'>;
  /** The request's path, decoded. */
  readonly path: string;
  readonly stores: StoresOf<R>;
}

/** An operation with its stores, ready to be dispatched. */
export interface BoundOperation {
  readonly route: RouteShape;
  readonly run: RequestHandler;
}

export type RequestHandler = (exchange: Exchange) => Promise<Reply>;

/**
 * Ties a route to its handler. Give the result the stores the route needs to get an operation a unit can serve;
 * a handler that reaches for a store its route does not declare does not compile.
 */
export const operation =
  <R extends RouteShape>(route: R, handle: (call: Call<R>) => Promise<Reply> | Reply) =>
  (stores: StoresOf<R>): BoundOperation => ({
    route,
    run: async (exchange) => {
      const { input, caller, receivedAt, body, gateway, lambda, trace } = exchange;
      const sent = body.kind === 'value' ? body.value : undefined;
      const cookies: readonly string[] = gateway.cookies ?? [];
      const header = (name: string) => gateway.headers[name] ?? undefined;
      // Validation parsed each part with this route's own schemas: this is where the parsed values get their types.
      const call = {
        ...input,
        rawBody: sent,
        caller,
        receivedAt,
        claim: exchange.claim,
        auditContext: auditContextOf(exchange),
        header,
        rawQuery: gateway.rawQueryString,
        cookies,
        origin: { sourceIp: gateway.requestContext.http.sourceIp, traceId: trace.traceId },
        path: gateway.rawPath,
        requestId: lambda.awsRequestId,
        stores,
      } as Call<R>;
      return handle(call);
    },
  });
