import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import type { RouteShape } from '../../schemas/routes/route.ts';
import type { Revision } from '../shared/aws/document.store.ts';
import type { ProblemError } from '../shared/problem.ts';
import type { Caller } from '../tenancy/caller.ts';
import type { Trace } from './trace.ts';

/** The body once read: a value, or why it could not be read (told after the caller is charged). */
export type ReadBody =
  | { readonly kind: 'none' }
  | { readonly kind: 'value'; readonly value: unknown; readonly bytes: Uint8Array }
  | { readonly kind: 'refused'; readonly problem: ProblemError };

export interface CheckedInput {
  readonly parameters: Readonly<Record<string, string>>;
  readonly query: unknown;
  readonly body: unknown;
}

/** One request on its way through the onion: each step fills in its part. Only this folder knows the gateway's event. */
export interface Exchange {
  readonly gateway: APIGatewayProxyEventV2;
  readonly lambda: Context;
  readonly route: RouteShape;
  readonly trace: Trace;
  /** Epoch milliseconds when the request arrived; the first arrival, when it is an idempotent replay. */
  receivedAt: number;
  /** Headers the response will carry, whatever its status. */
  readonly headers: Record<string, string>;
  /** Whether the call's tokens were taken, or the store that keeps them was down. */
  isCharged: boolean;
  /** Protections that are down and were passed over (fail-open), as the Degraded header names them. */
  readonly degraded: string[];
  caller?: Caller;
  /** The call's own place in the idempotency store, where its response is stored; see {@link Revision}. */
  claim?: Revision;
  body: ReadBody;
  /** What validation let through, for the operation. */
  input?: CheckedInput;
}

/** A request header by its lower-case name. */
export const headerOf = (exchange: Exchange, name: string): string | undefined =>
  exchange.gateway.headers[name] ?? undefined;
