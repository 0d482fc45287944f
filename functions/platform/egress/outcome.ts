/** Why a call failed. Coarse on purpose, so that it does not disclose internal addresses to the owner of the URL. */
export type Failure =
  /** The URL is not allowed. */
  | 'refused_url'
  /** The host now resolves to an address that is not public, or the connection went to an address that was not checked. */
  | 'refused_address'
  | 'dns'
  | 'connect'
  | 'tls'
  | 'timeout'
  /** The response is a 3xx. Redirects are not followed. */
  | 'redirect'
  /** The connection was lost. */
  | 'reset'
  /** The response is not valid HTTP, or its headers exceed the limit. */
  | 'protocol'
  /** The outbound message exceeds the size limit. */
  | 'too_large';

export interface Answered {
  readonly kind: 'answered';
  /** 200 to 299, or 400 and above. */
  readonly status: number;
  readonly retryAfter: string | null;
  /** The response headers, by name in lower case. */
  readonly headers?: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The raw bytes as received, not decompressed, and cut at the limit. */
  readonly body: Uint8Array;
  readonly truncated: boolean;
}

export interface Failed {
  readonly kind: 'failed';
  readonly failure: Failure;
  /** The status of a redirect, otherwise null. */
  readonly status: number | null;
}

/** The outcome of one call. The latency is in milliseconds and includes name resolution. */
export type EgressOutcome = (Answered | Failed) & { readonly latency: number };

export const failed = (failure: Failure, status: number | null = null): Failed => ({
  kind: 'failed',
  failure,
  status,
});
