/** Why a call came to no answer that counts. Coarse on purpose: whoever owns the URL learns no address of ours from it. */
export type Failure =
  /** The URL is not one to call. */
  | 'refused_url'
  /** The name leads, now, to an address that is not public, or the connection went elsewhere than it was checked for. */
  | 'refused_address'
  | 'dns'
  | 'connect'
  | 'tls'
  | 'timeout'
  /** Any 3xx: none is followed. */
  | 'redirect'
  /** The connection was lost. */
  | 'reset'
  /** What came back is not HTTP within its limits. */
  | 'protocol'
  /** Our message is larger than is ever sent. */
  | 'too_large';

export interface Answered {
  readonly kind: 'answered';
  /** 200 to 299, or 400 and above. */
  readonly status: number;
  readonly retryAfter: string | null;
  /** As received, not decoded, and cut where it is longer than is read. */
  readonly body: Uint8Array;
  readonly truncated: boolean;
}

export interface Failed {
  readonly kind: 'failed';
  readonly failure: Failure;
  /** Of a redirect. */
  readonly status: number | null;
}

/** What became of one call; the latency in milliseconds, name resolution included. */
export type EgressOutcome = (Answered | Failed) & { readonly latency: number };

export const failed = (failure: Failure, status: number | null = null): Failed => ({
  kind: 'failed',
  failure,
  status,
});
