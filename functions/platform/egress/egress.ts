import {
  httpsRequest,
  type OutboundMessage,
  type OutboundRequest,
  type ResponseLimits,
} from './httpsRequest.ts';
import { type Answered, type EgressOutcome, type Failed, failed } from './outcome.ts';
import { raceAbort } from './raceAbort.ts';
import { type Resolver, resolveTarget } from './resolution.ts';
import { checkUrl, type UrlPolicy, type UrlRejectionReason } from './target.ts';

export interface EgressLimits extends ResponseLimits {
  /** Milliseconds for the whole call: name resolution, connection, TLS, headers and body. */
  readonly deadline: number;
  /** The most bytes of the body that is sent. A larger one is not sent. */
  readonly messageBytes: number;
}

export const defaultEgressLimits: EgressLimits = {
  deadline: 10_000,
  // 256 KiB for the data of an event, which is its limit, and 4 KiB for the envelope.
  messageBytes: (256 + 4) * 1_024,
  headerBytes: 16 * 1_024,
  bodyBytes: 16 * 1_024,
};

/** Whether a URL may be registered, by its text and by the addresses that its host resolves to now. */
export type VetResult =
  | { readonly kind: 'accepted'; readonly href: string }
  | { readonly kind: 'rejected'; readonly reason: UrlRejectionReason | 'unresolved' };

/**
 * The only client for URLs that tenants choose, for the bills of their providers, and for their buckets. It protects against
 * server-side request forgery (SSRF).
 */
export interface Egress {
  readonly vet: (url: string) => Promise<VetResult>;
  /** Checks the URL and its addresses again, then sends. A bad URL or receiver gives a failed outcome and never throws. */
  readonly send: (url: string, message: OutboundRequest) => Promise<EgressOutcome>;
  /** {@link Egress.send} of a POST. */
  readonly post: (url: string, message: OutboundMessage) => Promise<EgressOutcome>;
  /** {@link Egress.send} of a GET. */
  readonly get: (url: string, headers: OutboundMessage['headers']) => Promise<EgressOutcome>;
}

export const egress = (options: {
  readonly policy: UrlPolicy;
  readonly resolver: Resolver;
  /** A monotonic clock, in milliseconds. */
  readonly now: () => number;
  readonly limits?: EgressLimits;
  /** An additional certificate authority (PEM). Only for tests and local runs. */
  readonly ca?: string;
}): Egress => {
  const { policy, resolver, now, ca, limits: bounds = defaultEgressLimits } = options;

  const send = async (url: string, message: OutboundRequest): Promise<Answered | Failed> => {
    const checked = checkUrl(url, policy);
    if (checked.kind === 'rejected') return failed('refused_url');
    if ((message.body?.length ?? 0) > bounds.messageBytes) return failed('too_large');
    const signal = AbortSignal.timeout(bounds.deadline);
    const resolution = await raceAbort(signal, resolveTarget(checked.target, resolver)).catch(() => null);
    if (resolution === null) return failed('timeout');
    if (resolution.kind === 'refused') return failed('refused_address');
    if (resolution.kind === 'unresolved') return failed('dns');
    return await httpsRequest(checked.target, resolution.addresses, message, { bounds, signal, ca });
  };

  const timed = async (work: () => Promise<Answered | Failed>): Promise<EgressOutcome> => {
    const started = now();
    const result = await work();
    return { ...result, latency: now() - started };
  };

  return {
    vet: async (url) => {
      const checked = checkUrl(url, policy);
      if (checked.kind === 'rejected') return checked;
      const signal = AbortSignal.timeout(bounds.deadline);
      const resolution = await raceAbort(signal, resolveTarget(checked.target, resolver)).catch(() => null);
      if (resolution?.kind === 'admitted') return { kind: 'accepted', href: checked.target.href };
      return { kind: 'rejected', reason: resolution?.kind === 'refused' ? 'address' : 'unresolved' };
    },
    send: (url, message) => timed(() => send(url, message)),
    post: (url, message) => timed(() => send(url, { method: 'POST', ...message })),
    get: (url, headers) => timed(() => send(url, { method: 'GET', headers })),
  };
};
