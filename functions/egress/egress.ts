import { httpsPost, type OutboundMessage, type ResponseLimits } from './httpsPost.ts';
import { type Answered, type EgressOutcome, type Failed, failed } from './outcome.ts';
import { type Resolver, resolveTarget } from './resolution.ts';
import { checkUrl, type UrlPolicy, type UrlRejectionReason } from './target.ts';

/** 256 KiB of data, the most an event has, and 4 KiB for the envelope around it. */
const MESSAGE_BYTES_MAXIMUM = (256 + 4) * 1_024;

export interface EgressLimits extends ResponseLimits {
  /** Milliseconds for everything: name, connection, TLS, headers and body. */
  readonly deadline: number;
}

export const defaultEgressLimits: EgressLimits = {
  deadline: 10_000,
  headerBytes: 16 * 1_024,
  bodyBytes: 16 * 1_024,
};

/** Whether a URL may be registered: by its text, and by where its name leads now. */
export type VetResult =
  | { readonly kind: 'accepted'; readonly href: string }
  | { readonly kind: 'rejected'; readonly reason: UrlRejectionReason | 'unresolved' };

/** The only way out to addresses that strangers choose. */
export interface Egress {
  readonly vet: (url: string) => Promise<VetResult>;
  /** Judges the URL and its addresses anew, then posts. Never throws for what a URL or its receiver does. */
  readonly post: (url: string, message: OutboundMessage) => Promise<EgressOutcome>;
}

/** What `work` resolves to; rejects as soon as the signal ends it. */
const raceAbort = async <Value>(signal: AbortSignal, work: Promise<Value>): Promise<Value> => {
  const { promise: ended, reject } = Promise.withResolvers<never>();
  const end = () => reject(signal.reason);
  signal.addEventListener('abort', end, { once: true });
  try {
    return await Promise.race([work, ended]);
  } finally {
    signal.removeEventListener('abort', end);
  }
};

export const egress = (options: {
  readonly policy: UrlPolicy;
  readonly resolver: Resolver;
  /** Milliseconds of a watch that nobody sets back. */
  readonly now: () => number;
  readonly limits?: EgressLimits;
  /** A certificate authority (PEM) beside the public ones: for tests and one's own machine. */
  readonly ca?: string;
}): Egress => {
  const { policy, resolver, now, ca, limits: bounds = defaultEgressLimits } = options;

  const send = async (url: string, message: OutboundMessage): Promise<Answered | Failed> => {
    const checked = checkUrl(url, policy);
    if (checked.kind === 'rejected') return failed('refused_url');
    if (message.body.length > MESSAGE_BYTES_MAXIMUM) return failed('too_large');
    const signal = AbortSignal.timeout(bounds.deadline);
    const resolution = await raceAbort(signal, resolveTarget(checked.target, resolver)).catch(() => null);
    if (resolution === null) return failed('timeout');
    if (resolution.kind === 'refused') return failed('refused_address');
    if (resolution.kind === 'unresolved') return failed('dns');
    return await httpsPost(checked.target, resolution.addresses, message, { bounds, signal, ca });
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
    post: async (url, message) => {
      const started = now();
      const result = await send(url, message);
      return { ...result, latency: now() - started };
    },
  };
};
