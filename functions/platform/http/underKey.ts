import type { Reply } from './reply.ts';

export type ClaimResult =
  | { readonly kind: 'first' }
  /** The identical request arrived before, at `receivedAt` (epoch milliseconds). */
  | { readonly kind: 'repeat'; readonly receivedAt: number }
  | { readonly kind: 'conflict' };

/** The Idempotency-Key of a request, the key of its record, and the fingerprint that a retry must match. */
export interface KeyedRequest {
  readonly idempotencyKey: string;
  readonly recordKey: string;
  readonly fingerprint: string;
}

/** Where the keys of a route are held. */
export interface KeyClaims {
  readonly claim: (request: KeyedRequest, now: number) => Promise<ClaimResult>;
  /** Frees the key of a failed request, so that its retry counts as the first call. */
  readonly release: (request: KeyedRequest) => Promise<void>;
}

/**
 * Runs a request under its Idempotency-Key. `run` gets its arrival time in epoch milliseconds: for a repeat that of the first
 * call, so that time checks give the result of the first call.
 */
export type UnderKey = (claims: KeyClaims, run: (receivedAt: number) => Promise<Reply>) => Promise<Reply>;
