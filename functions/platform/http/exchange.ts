import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import type { RouteShape } from '../../../schemas/routes/route.ts';
import type { ProblemError } from '../shared/problem.ts';
import type { Claim } from '../shared/retry/optimisticUpdate.ts';
import type { Caller } from '../tenancy/caller.ts';
import type { Trace } from './trace.ts';
import type { UnderKey } from './underKey.ts';

/**
 * The parsed body, or the problem to refuse it with once the rate limit is charged. `size` is the number of its bytes after
 * decompression, which the rate limit charges whether or not it is refused.
 */
export type ReadBody =
  | { readonly kind: 'none' }
  | { readonly kind: 'value'; readonly size: number; readonly value: unknown; readonly bytes: Uint8Array }
  | { readonly kind: 'refused'; readonly size: number; readonly problem: ProblemError };

/**
 * Reads a body of another protocol. `receivedAt` is in epoch milliseconds. `header` gives the value of a request header by
 * its name in lower case. The rate limit charges one token for each item of a member `events`. Throws
 * INVALID_REQUEST, and PAYLOAD_TOO_LARGE for a body with too many items.
 */
export type BodyDecoder = (
  bytes: Buffer,
  mediaType: string,
  receivedAt: number,
  header: (name: string) => string | undefined,
) => unknown;

export interface CheckedInput {
  readonly parameters: Readonly<Record<string, string>>;
  readonly query: unknown;
  readonly body: unknown;
}

/** The state of one request in the middleware pipeline. Each middleware adds its part. */
export interface Exchange {
  readonly gateway: APIGatewayProxyEventV2;
  readonly lambda: Context;
  readonly route: RouteShape;
  readonly trace: Trace;
  /** The address of the client, as {@link clientAddressOf} finds it. */
  readonly sourceIp: string;
  /** Arrival time in epoch milliseconds. For an idempotent replay, that of the first call. */
  receivedAt: number;
  /** Headers of the response, for every status. */
  readonly headers: Record<string, string>;
  /** Whether the rate limit was charged. Also true if its store was down. */
  isCharged: boolean;
  /** Protections that are down and were skipped (fail-open), for the Degraded header. */
  readonly degraded: string[];
  caller?: Caller;
  /** The claim of the call on its Idempotency-Key, if its response is stored. */
  claim?: Claim;
  /** Present if the operation holds its Idempotency-Key itself. */
  underKey?: UnderKey;
  body: ReadBody;
  /** Reads the body of a protocol other than JSON. */
  readonly decode?: BodyDecoder;
  /** The validated input of the operation. */
  input?: CheckedInput;
}

/** The value of a request header. `name` is in lower case. */
export const headerOf = (exchange: Exchange, name: string): string | undefined =>
  exchange.gateway.headers[name] ?? undefined;
